import TelexJSON
import TemplateRules

/// The shape of a value, made ready for checks of many replies.
final class TemplateCheck: Sendable {
    private let kinds: TemplateKinds
    private let isNullable: Bool
    private let keys: JSONKeys
    /// The shapes of the fields, in the order of `keys`.
    private let fields: [TemplateCheck]
    private let requiredCount: Int
    private let elements: TemplateCheck?
    private let rules: [Rule]
    /// A constant that is compared as JSON, whatever the kind of the value is.
    private let constant: JSONValue?

    /// A bound of a number, exact for an integer.
    fileprivate struct Bound: Sendable {
        let integer: Int?
        let double: Double

        init(_ text: String) {
            integer = Int(text)
            double = Double(text) ?? 0
        }
    }

    /// A rule with its argument as the reader's checks take it.
    fileprivate enum Rule: Sendable {
        case text(TemplateRule)
        case items(least: Int, most: Int)
        case minimum(Bound)
        case maximum(Bound)
        /// A text, an integer or a Boolean.
        case constant(JSONValue)
    }

    init(_ shape: TemplateShape) {
        let fixed = shape.rules.lazy.compactMap(\.rule.constant).first
        let kind = fixed.flatMap { Self.kind(of: $0) }
        kinds = kind ?? shape.kinds
        isNullable = kind == nil && shape.isNullable
        let sorted = shape.fields.filter { !$0.isOptional } + shape.fields.filter(\.isOptional)
        keys = JSONKeys(
            required: sorted.filter { !$0.isOptional }.map(\.key),
            optional: sorted.filter(\.isOptional).map(\.key))
        requiredCount = sorted.count { !$0.isOptional }
        fields = sorted.map { TemplateCheck($0.shape) }
        elements = shape.elements.first.map { TemplateCheck($0) }
        let value = fixed.map { JSONValue($0) }
        constant = kind == nil ? value : nil
        rules =
            value.map { kind == nil ? [] : [.constant($0)] }
            ?? shape.rules.compactMap { Self.rule($0.rule) }
    }

    /// The kind of a constant that is of one kind in Swift, too; nil for one that is compared as JSON.
    private static func kind(of constant: TemplateNode) -> TemplateKinds? {
        switch constant.value {
        case .string: .string
        case .bool: .bool
        case .number: constant.kinds == .integer ? .integer : nil
        default: nil
        }
    }

    private static func rule(_ rule: TemplateRule) -> Rule? {
        switch rule {
        case .constant: return nil
        case .minItems(let count): return .items(least: count, most: .max)
        case .maxItems(let count): return .items(least: 0, most: count)
        case .minimum(let text): return .minimum(Bound(text))
        case .maximum(let text): return .maximum(Bound(text))
        default: return .text(rule)
        }
    }

    /// Reads and checks the current value.
    ///
    /// - Returns: Whether it could be read. As with compiled types, the rules of a list do not apply
    ///   if one of its elements could not.
    @discardableResult
    func check(_ json: inout JSONReader) -> Bool {
        if let constant, json.checksRules {
            let value: JSONValue? = json.value()
            json.constant(value, constant)
            return true
        }
        switch json.kind {
        case .object where kinds.contains(.object): return object(&json)
        case .array where kinds.contains(.array): return list(&json)
        case .string where kinds.contains(.string): text(&json)
        case .number where kinds.contains(.number): return number(&json)
        case .number where kinds.contains(.integer): return integer(&json)
        case .bool where kinds.contains(.bool): bool(&json)
        case .null where isNullable: json.skip()
        case _ where kinds.isEmpty: json.skip()
        case nil: json.skip()
        default:
            json.mismatch(kinds.names.joined(separator: " or "))
            return false
        }
        return true
    }

    private func object(_ json: inout JSONReader) -> Bool {
        guard json.beginObject(keys) else { return false }
        var isWhole = true
        while let field = json.nextField() {
            let isRead = fields[field].check(&json)
            if !isRead, field < requiredCount { isWhole = false }
        }
        return json.endObject() && isWhole
    }

    private func list(_ json: inout JSONReader) -> Bool {
        guard json.beginList() else { return false }
        var count = 0
        var isWhole = true
        while json.nextElement() {
            count += 1
            if elements?.check(&json) == false { isWhole = false }
        }
        guard json.endList(), isWhole else { return false }
        for case .items(let least, let most) in rules {
            // Elements without a size: only their number matters.
            let items: [Void] = Array(repeating: (), count: count)
            json.minItems(items, least)
            json.maxItems(items, most)
        }
        return true
    }

    private func text(_ json: inout JSONReader) {
        guard !rules.isEmpty else { return json.skip() }
        var value: String?
        json.string(&value)
        for rule in rules {
            switch rule {
            case .text(let rule): rule.check(value, &json)
            case .constant(.string(let text)): json.constant(value, text)
            default: break
            }
        }
    }

    private func bool(_ json: inout JSONReader) {
        var value: Bool?
        json.bool(&value)
        if case .constant(.bool(let truth)) = rules.first { json.constant(value, truth) }
    }

    private func integer(_ json: inout JSONReader) -> Bool {
        var value: Int?
        json.int(&value)
        for rule in rules { rule.check(value, &json) }
        return value != nil
    }

    private func number(_ json: inout JSONReader) -> Bool {
        var value: Double?
        json.double(&value)
        for rule in rules { rule.check(value, &json) }
        return value != nil
    }
}

extension TemplateCheck.Rule {
    fileprivate func check(_ value: Int?, _ json: inout JSONReader) {
        switch self {
        case .minimum(let bound):
            guard let least = bound.integer else { break }
            return json.minimum(value, least)
        case .maximum(let bound):
            guard let most = bound.integer else { break }
            return json.maximum(value, most)
        case .constant(.int(let number)): return json.constant(value.map(Int64.init), number)
        default: return
        }
        check(value.map(Double.init), &json)
    }

    fileprivate func check(_ value: Double?, _ json: inout JSONReader) {
        switch self {
        case .minimum(let bound): json.minimum(value, bound.double)
        case .maximum(let bound): json.maximum(value, bound.double)
        default: break
        }
    }
}

extension TemplateRule {
    fileprivate var constant: TemplateNode? {
        if case .constant(let value) = self { value } else { nil }
    }

    /// Checks a text with the rules of generated models.
    fileprivate func check(_ value: String?, _ json: inout JSONReader) {
        switch self {
        case .length(let count): json.length(value, count)
        case .minLength(let count): json.minLength(value, count)
        case .maxLength(let count): json.maxLength(value, count)
        case .prefix(let text): json.prefix(value, text)
        case .suffix(let text): json.suffix(value, text)
        case .oneOf(let texts, ignoringCase: true): json.oneOf(value, ignoringCase: texts)
        case .oneOf(let texts, ignoringCase: false): json.oneOf(value, texts)
        case .constant, .minItems, .maxItems, .minimum, .maximum: break
        }
    }
}

extension JSONValue {
    /// The value of a node of a template.
    package init(_ node: TemplateNode) {
        switch node.value {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .number(let text): self = Int64(text).map(JSONValue.int) ?? .number(text)
        case .string(let text): self = .string(text)
        case .array(let items): self = .array(items.map { JSONValue($0) })
        case .object(let members):
            self = .object(
                JSONObject(
                    members.map { JSONObject.Member(key: $0.key, value: JSONValue($0.value)) }))
        }
    }
}
