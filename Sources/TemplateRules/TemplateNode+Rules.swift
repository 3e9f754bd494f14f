extension TemplateMember {
    /// The end of a key that holds rules.
    public static let rulesSuffix = "-Rules"

    /// Whether the member holds the rules of another one. A key with the suffix whose value is no
    /// object is one like any other.
    public var isRules: Bool {
        guard case .object = value.value else { return false }
        return key.hasSuffix(Self.rulesSuffix) && key.utf8.count > Self.rulesSuffix.utf8.count
    }
}

extension TemplateNode {
    /// The value without rules, at any depth.
    public var withoutRules: TemplateNode {
        switch value {
        case .object(let members):
            let rest = members.filter { !$0.isRules }.map {
                TemplateMember($0.key, at: $0.range, value: $0.value.withoutRules)
            }
            return TemplateNode(.object(rest), at: range)
        case .array(let items): return TemplateNode(.array(items.map(\.withoutRules)), at: range)
        default: return self
        }
    }

    /// The kind of the value; none for null. An integer beyond 64 bits is a number.
    public var kinds: TemplateKinds {
        switch value {
        case .null: []
        case .bool: .bool
        case .number(let text): Int64(text) == nil ? .number : .integer
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    var kindName: String { kinds.names.first ?? "null" }

    /// The text of a string.
    var text: String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// The number of characters of a text, as Unicode scalars.
    var length: Int { text?.unicodeScalars.count ?? 0 }
}

extension TemplateNode.Value {
    var isTrue: Bool {
        if case .bool(true) = self { true } else { false }
    }
}

extension TemplateRule {
    /// Whether a value satisfies the rule; numbers are compared as `Double`. True for values of
    /// kinds that the rule is not about.
    func allows(_ node: TemplateNode) -> Bool {
        switch (self, node.value) {
        case (.constant(let value), _): value == node
        case (.length(let count), .string): node.length == count
        case (.minLength(let count), .string): node.length >= count
        case (.maxLength(let count), .string): node.length <= count
        case (.prefix(let text), .string(let value)): value.utf8.starts(with: text.utf8)
        case (.suffix(let text), .string(let value)):
            value.utf8.reversed().starts(with: text.utf8.reversed())
        case (.oneOf(let texts, ignoringCase: false), .string(let value)):
            texts.contains { $0.utf8.elementsEqual(value.utf8) }
        case (.oneOf(let texts, ignoringCase: true), .string(let value)):
            texts.contains { $0.lowercased() == value.lowercased() }
        case (.minItems(let count), .array(let items)): items.count >= count
        case (.maxItems(let count), .array(let items)): items.count <= count
        case (.minimum(let bound), .number(let value)): Double(value) ?? 0 >= Double(bound) ?? 0
        case (.maximum(let bound), .number(let value)): Double(value) ?? 0 <= Double(bound) ?? 0
        default: true
        }
    }

    /// What the rule asks for, in words.
    public var meaning: String {
        switch self {
        case .constant: "equal to the value in the template"
        case .length(let count): "a text of \(count) characters"
        case .minLength(let count): "a text of at least \(count) characters"
        case .maxLength(let count): "a text of at most \(count) characters"
        case .prefix(let text): "a text that begins with `\(text)`"
        case .suffix(let text): "a text that ends with `\(text)`"
        case .oneOf(_, ignoringCase: false): "one of the listed texts"
        case .oneOf(_, ignoringCase: true): "one of the listed texts in upper or lower case"
        case .minItems(let count): "a list of at least \(count) elements"
        case .maxItems(let count): "a list of at most \(count) elements"
        case .minimum(let bound): "at least \(bound)"
        case .maximum(let bound): "at most \(bound)"
        }
    }
}
