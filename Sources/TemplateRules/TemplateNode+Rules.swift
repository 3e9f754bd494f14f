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
    /// Whether a value satisfies the rule. True for values of kinds that the rule is not about.
    func allows(_ node: TemplateNode) -> Bool {
        switch (self, node.value) {
        case (.constant(let value), _): value == node
        case (.bound(let bound, let limit), _): bound.allows(node, Double(limit) ?? 0)
        case (.prefix(let text), .string(let value)): value.utf8.starts(with: text.utf8)
        case (.suffix(let text), .string(let value)):
            value.utf8.reversed().starts(with: text.utf8.reversed())
        case (.oneOf(let texts, ignoringCase: false), .string(let value)):
            texts.contains { $0.utf8.elementsEqual(value.utf8) }
        case (.oneOf(let texts, ignoringCase: true), .string(let value)):
            texts.contains { $0.lowercased() == value.lowercased() }
        default: true
        }
    }

    /// What the rule asks for, in words.
    public var meaning: String {
        switch self {
        case .constant: "equal to the value in the template"
        case .bound(let bound, let limit): bound.meaning(limit)
        case .prefix(let text): "a text that begins with `\(text)`"
        case .suffix(let text): "a text that ends with `\(text)`"
        case .oneOf(_, ignoringCase: false): "one of the listed texts"
        case .oneOf(_, ignoringCase: true): "one of the listed texts in upper or lower case"
        }
    }
}

extension RuleBound {
    /// Whether a value is within the bound; numbers are compared as `Double`.
    fileprivate func allows(_ node: TemplateNode, _ limit: Double) -> Bool {
        let size: Double
        switch (measure, node.value) {
        case (.scalars, .string): size = Double(node.length)
        case (.elements, .array(let items)): size = Double(items.count)
        case (.value, .number(let text)): size = Double(text) ?? 0
        default: return true
        }
        return switch side {
        case .low: size >= limit
        case .high: size <= limit
        case .both: size == limit
        }
    }

    fileprivate func meaning(_ limit: String) -> String {
        let words = [.low: "at least ", .high: "at most ", .both: ""][side, default: ""] + limit
        return switch measure {
        case .value: words
        case .scalars: "a text of \(words) characters"
        case .bytes: "a text of \(words) bytes"
        case .elements: "a list of \(words) elements"
        }
    }
}
