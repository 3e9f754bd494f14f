import TelexJSON
import TemplateRules

/// The shape of a value, made ready for checks of many replies.
final class TemplateCheck: Sendable {
    private let kinds: TemplateKinds
    private let isNullable: Bool
    private let keys: JSONKeys
    /// The shapes of the fields, in the order of `keys`.
    private let fields: [TemplateCheck]
    private let elements: TemplateCheck?
    private let rules: [Rule]
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
    }

    init(_ shape: TemplateShape) {
        kinds = shape.kinds
        isNullable = shape.isNullable
        let sorted = shape.fields.filter { !$0.isOptional } + shape.fields.filter(\.isOptional)
        keys = JSONKeys(
            required: sorted.filter { !$0.isOptional }.map(\.key),
            optional: sorted.filter(\.isOptional).map(\.key))
        fields = sorted.map { TemplateCheck($0.shape) }
        elements = shape.elements.first.map { TemplateCheck($0) }
        rules = shape.rules.compactMap { Self.rule($0.rule) }
        constant =
            shape.rules.compactMap { rule, _ in
                if case .constant(let value) = rule { JSONValue(value) } else { nil }
            }.first
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
    func check(_ json: inout JSONReader) {
        if let constant, json.checksRules {
            let value: JSONValue? = json.value()
            return json.constant(value, constant)
        }
        switch json.kind {
        case nil: json.skip()
        case .null where isNullable: json.skip()
        case _ where kinds.isEmpty: json.skip()
        case .object where kinds.contains(.object): object(&json)
        case .array where kinds.contains(.array): list(&json)
        case .string where kinds.contains(.string): text(&json)
        case .number where kinds.contains(.number): number(&json)
        case .number where kinds.contains(.integer): integer(&json)
        case .bool where kinds.contains(.bool): json.skip()
        default: json.mismatch(kinds.names.joined(separator: " or "))
        }
    }

    private func object(_ json: inout JSONReader) {
        guard json.beginObject(keys) else { return }
        while let field = json.nextField() { fields[field].check(&json) }
        _ = json.endObject()
    }

    private func list(_ json: inout JSONReader) {
        guard json.beginList() else { return }
        var count = 0
        while json.nextElement() {
            count += 1
            elements?.check(&json)
        }
        _ = json.endList()
        for case .items(let least, let most) in rules {
            // Elements without a size: only their number matters.
            let items: [Void] = Array(repeating: (), count: count)
            json.minItems(items, least)
            json.maxItems(items, most)
        }
    }

    private func text(_ json: inout JSONReader) {
        guard !rules.isEmpty else { return json.skip() }
        var value: String?
        json.string(&value)
        for case .text(let rule) in rules { rule.check(value, &json) }
    }

    private func integer(_ json: inout JSONReader) {
        var value: Int?
        json.int(&value)
        for rule in rules { rule.check(value, &json) }
    }

    private func number(_ json: inout JSONReader) {
        var value: Double?
        json.double(&value)
        for rule in rules { rule.check(value, &json) }
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
