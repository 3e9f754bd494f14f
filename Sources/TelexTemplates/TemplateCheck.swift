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

    /// A rule with its argument as the reader's checks take it.
    fileprivate enum Rule: Sendable {
        case text(TemplateRule)
        /// A bound, with its number; exact for an integer.
        case bound(RuleBound, Int?, Double)
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
        guard case .bound(let bound, let limit) = rule else { return .text(rule) }
        return .bound(bound, Int(limit), Double(limit) ?? 0)
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
        var number = 0
        var isWhole = true
        while json.nextElement() {
            number += 1
            if elements?.check(&json) == false { isWhole = false }
        }
        guard json.endList(), isWhole else { return false }
        for case (.bound(let bound, let count?, _), let place) in rules
        where bound.measure == .elements {
            // Elements without a size: only their number matters.
            let items: [Void] = Array(repeating: (), count: number)
            if bound.side == .low {
                json.minItems(items, count, message: place)
            } else {
                json.maxItems(items, count, message: place)
            }
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
            case .bound(let bound, let count?, _) where bound.measure == .scalars:
                switch bound.side {
                case .both: json.length(value, count, message: place)
                case .low: json.minLength(value, count, message: place)
                case .high: json.maxLength(value, count, message: place)
                }
            case .constant(.string(let text)): json.constant(value, text, message: place)
            case .bound, .constant: break
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
        case .bound(let bound, let limit?, _) where bound.measure == .value:
            if bound.side == .low {
                json.minimum(value, limit, message: place)
            } else {
                json.maximum(value, limit, message: place)
            }
        case .constant(.int(let number)):
            json.constant(value.map(Int64.init), number, message: place)
        default: check(value.map(Double.init), &json, place)
        }
    }

    fileprivate func check(_ value: Double?, _ json: inout JSONReader, _ place: String?) {
        guard case .bound(let bound, _, let limit) = self, bound.measure == .value else { return }
        if bound.side == .low {
            json.minimum(value, limit, message: place)
        } else {
            json.maximum(value, limit, message: place)
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
        case .prefix(let text): json.prefix(value, text, message: place)
        case .suffix(let text): json.suffix(value, text, message: place)
        case .oneOf(let texts, ignoringCase: true):
            json.oneOf(value, ignoringCase: texts, message: place)
        case .oneOf(let texts, ignoringCase: false): json.oneOf(value, texts, message: place)
        case .constant, .bound: break
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
