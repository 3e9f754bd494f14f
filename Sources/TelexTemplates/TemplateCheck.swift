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
    private let rules: [(rule: Rule, place: String?)]
    /// A constant that is compared as JSON, whatever the kind of the value is.
    private let constant: (value: JSONValue, place: String?)?

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

    /// - Parameter place: Returns the place of a rule for messages; nil if they name none.
    init(_ shape: TemplateShape, place: (Range<Int>) -> String?) {
        let fixed = shape.rules.lazy.compactMap { rule, range in
            rule.constant.map { (value: JSONValue($0), kind: Self.kind(of: $0), range: range) }
        }.first
        kinds = fixed?.kind ?? shape.kinds
        isNullable = fixed?.kind == nil && shape.isNullable
        let sorted = shape.fields.filter { !$0.isOptional } + shape.fields.filter(\.isOptional)
        keys = JSONKeys(
            required: sorted.filter { !$0.isOptional }.map(\.key),
            optional: sorted.filter(\.isOptional).map(\.key))
        requiredCount = sorted.count { !$0.isOptional }
        fields = sorted.map { TemplateCheck($0.shape, place: place) }
        elements = shape.elements.first.map { TemplateCheck($0, place: place) }
        guard let fixed else {
            constant = nil
            rules = shape.rules.map { (Self.rule($0.rule), place($0.range)) }
            return
        }
        let isOwnKind = fixed.kind != nil
        constant = isOwnKind ? nil : (fixed.value, place(fixed.range))
        rules = isOwnKind ? [(.constant(fixed.value), place(fixed.range))] : []
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

    private static func rule(_ rule: TemplateRule) -> Rule {
        switch rule {
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
            json.constant(value, constant.value, message: constant.place)
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
        for case (.items(let least, let most), let place) in rules {
            // Elements without a size: only their number matters.
            let items: [Void] = Array(repeating: (), count: count)
            json.minItems(items, least, message: place)
            json.maxItems(items, most, message: place)
        }
        return true
    }

    private func text(_ json: inout JSONReader) {
        guard !rules.isEmpty else { return json.skip() }
        var value: String?
        json.string(&value)
        for (rule, place) in rules {
            switch rule {
            case .text(let rule): rule.check(value, &json, place)
            case .constant(.string(let text)): json.constant(value, text, message: place)
            default: break
            }
        }
    }

    private func bool(_ json: inout JSONReader) {
        var value: Bool?
        json.bool(&value)
        if case (.constant(.bool(let truth)), let place)? = rules.first {
            json.constant(value, truth, message: place)
        }
    }

    private func integer(_ json: inout JSONReader) -> Bool {
        var value: Int?
        json.int(&value)
        for (rule, place) in rules { rule.check(value, &json, place) }
        return value != nil
    }

    private func number(_ json: inout JSONReader) -> Bool {
        var value: Double?
        json.double(&value)
        for (rule, place) in rules { rule.check(value, &json, place) }
        return value != nil
    }
}

extension TemplateCheck.Rule {
    fileprivate func check(_ value: Int?, _ json: inout JSONReader, _ place: String?) {
        switch self {
        case .minimum(let bound):
            guard let least = bound.integer else { break }
            return json.minimum(value, least, message: place)
        case .maximum(let bound):
            guard let most = bound.integer else { break }
            return json.maximum(value, most, message: place)
        case .constant(.int(let number)):
            return json.constant(value.map(Int64.init), number, message: place)
        default: return
        }
        check(value.map(Double.init), &json, place)
    }

    fileprivate func check(_ value: Double?, _ json: inout JSONReader, _ place: String?) {
        switch self {
        case .minimum(let bound): json.minimum(value, bound.double, message: place)
        case .maximum(let bound): json.maximum(value, bound.double, message: place)
        default: break
        }
    }
}

extension TemplateRule {
    fileprivate var constant: TemplateNode? {
        if case .constant(let value) = self { value } else { nil }
    }

    /// Checks a text with the rules of generated models.
    fileprivate func check(_ value: String?, _ json: inout JSONReader, _ place: String?) {
        switch self {
        case .length(let count): json.length(value, count, message: place)
        case .minLength(let count): json.minLength(value, count, message: place)
        case .maxLength(let count): json.maxLength(value, count, message: place)
        case .prefix(let text): json.prefix(value, text, message: place)
        case .suffix(let text): json.suffix(value, text, message: place)
        case .oneOf(let texts, ignoringCase: true):
            json.oneOf(value, ignoringCase: texts, message: place)
        case .oneOf(let texts, ignoringCase: false): json.oneOf(value, texts, message: place)
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
