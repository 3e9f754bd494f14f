/// A template as it is understood: the shape of replies, the sample, and the mistakes in it.
///
/// The value of a key may have rules beside it, an object whose key has the suffix `-Rules`:
///
/// ```json
/// { "age": 20, "age-Rules": { "minimum": 18, "maximum": 27 } }
/// ```
public struct TemplateReading: Sendable {
    /// What the template asks of a reply.
    public private(set) var shape = TemplateShape()
    /// The template without rules: a reply.
    public let sample: TemplateNode
    /// The mistakes, in the order of the text.
    public private(set) var problems: [TemplateProblem] = []
    /// The meaning of the rules.
    public let compatibility: TemplateCompatibility
    private let readsRules: Bool

    /// Interprets a parsed template.
    public init(_ root: TemplateNode, compatibility: TemplateCompatibility = .documented) {
        self.compatibility = compatibility
        readsRules = true
        sample = root.withoutRules
        shape = shape(of: [(root, sample)])
        problems.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Interprets replies of one method, at least one, that together describe all of them. They have
    /// no rules: a key with the suffix is one like any other.
    public init(replies: [TemplateNode]) {
        compatibility = .documented
        readsRules = false
        sample = replies.first ?? TemplateNode(.null, at: 0..<0)
        shape = shape(of: replies.map { ($0, $0) })
    }

    /// Whether the template can be used.
    public var isValid: Bool { problems.allSatisfy(\.isWarning) }

    // MARK: Shapes

    /// A value with and without rules. Its parts have them in the same order.
    private typealias Pair = (node: TemplateNode, sample: TemplateNode)

    private mutating func shape(of pairs: [Pair]) -> TemplateShape {
        var shape = TemplateShape()
        var objects: [(members: [TemplateMember], samples: [TemplateMember])] = []
        var items: [Pair] = []
        for (node, sample) in pairs {
            shape.samples.append(sample)
            shape.kinds.formUnion(node.kinds)
            switch (node.value, sample.value) {
            case (.null, _): shape.isNullable = true
            case (.object(let members), .object(let samples)): objects.append((members, samples))
            case (.array(let elements), .array(let samples)):
                items += zip(elements, samples).map { ($0, $1) }
            default: break
            }
        }
        if shape.kinds.contains(.number) { shape.kinds.remove(.integer) }
        let numbers: TemplateKinds = [.bool, .integer, .number]
        if compatibility == .original, !shape.kinds.isDisjoint(with: numbers) {
            shape.kinds = shape.kinds.subtracting(.integer).union([.bool, .number])
        }
        shape.fields = fields(of: objects)
        if !items.isEmpty, compatibility == .documented { shape.elements = [self.shape(of: items)] }
        return shape
    }

    private func isRules(_ member: TemplateMember) -> Bool { readsRules && member.isRules }

    private mutating func fields(
        of objects: [(members: [TemplateMember], samples: [TemplateMember])]
    ) -> [TemplateShape.Field] {
        var keys: [String] = []
        var values: [String: [Pair]] = [:]
        for (members, samples) in objects {
            for (member, sample) in zip(members.filter { !isRules($0) }, samples) {
                if values[member.key] == nil { keys.append(member.key) }
                values[member.key, default: []].append((member.value, sample.value))
            }
        }
        var fields = keys.map { key in
            let samples = values[key] ?? []
            return TemplateShape.Field(
                key: key, isOptional: samples.count < objects.count, shape: shape(of: samples))
        }
        guard readsRules else { return fields }
        let places = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
        for (members, samples) in objects {
            addRules(of: members, samples, to: &fields, places)
        }
        return fields
    }

    /// - Parameters:
    ///   - samples: The members without rules.
    ///   - places: The places of the fields by their keys.
    private mutating func addRules(
        of members: [TemplateMember], _ samples: [TemplateMember],
        to fields: inout [TemplateShape.Field], _ places: [String: Int]
    ) {
        let others = members.filter(\.isRules)
        if others.isEmpty { return }
        let values = Dictionary(samples.map { ($0.key, $0.value) }) { first, _ in first }
        for member in others {
            let key = String(member.key.dropLast(TemplateMember.rulesSuffix.count))
            guard let value = values[key], let place = places[key] else {
                // Comparing many unknown keys with many others would be slow.
                let known = problems.count < 100 ? samples.map(\.key) : []
                report(
                    "these rules are about `\(key)`, which is not beside them", at: member.range,
                    help: "write an example of `\(key)` beside them", misspelt: (key, known))
                continue
            }
            let rules = self.rules(member.value, of: value, &fields[place].isOptional)
            let known = fields[place].shape.rules
            if known.isEmpty {
                fields[place].shape.rules = rules
            } else if known.map(\.rule) != rules.map(\.rule) {
                report(
                    "the elements of a list share their rules, and `\(key)` has others before",
                    at: member.range, help: "write the rules of `\(key)` in one element only")
            }
        }
    }

    // MARK: Rules

    private mutating func rules(
        _ node: TemplateNode, of value: TemplateNode, _ isOptional: inout Bool
    ) -> [(rule: TemplateRule, range: Range<Int>)] {
        guard case .object(let members) = node.value else { return [] }
        var rules: [(rule: TemplateRule, range: Range<Int>)] = []
        for member in members {
            guard let name = TemplateRuleName(rawValue: member.key) else {
                report(
                    "there is no rule `\(member.key)`", at: member.range,
                    help: "the rules are "
                        + TemplateRuleName.allCases.map { "`\($0)`" }.joined(separator: ", "),
                    misspelt: (member.key, TemplateRuleName.allCases.map(\.rawValue)))
                continue
            }
            guard let rule = rule(name, member, of: value) else { continue }
            if name == .isOptional, member.value.value.isTrue { isOptional = true }
            rules += rule.map { ($0, member.range.lowerBound..<member.value.range.upperBound) }
        }
        checkBounds(of: rules, at: node.range)
        for (rule, range) in rules { checkSample(value, rule, among: rules, range) }
        return rules
    }

    /// The rule of a name, none if it is switched off; nil for a mistake.
    private mutating func rule(
        _ name: TemplateRuleName, _ member: TemplateMember, of value: TemplateNode
    ) -> [TemplateRule]? {
        if let kinds = name.kinds, kinds.isDisjoint(with: value.kinds) {
            report(
                "`\(name)` is a rule of \(kinds.names.last ?? ""), and the value is \(value.kindName)",
                at: member.range, help: "remove the rule, or correct the value")
            return nil
        }
        if let rules = Self.rule(name, member.value, of: value, compatibility) {
            let isDifferent =
                Self.rule(name, member.value, of: value, .documented)
                != Self.rule(name, member.value, of: value, .original)
            if isDifferent, compatibility == .original {
                report(
                    "`\(name)` means \(rules.map(\.meaning).joined()) here", at: member.range,
                    help: "its name says something else; the documented meaning is that of "
                        + "templates without `compatibility: original`", isWarning: true)
            }
            return rules
        }
        report(
            "`\(name)` has \(name.argument)", at: member.value.range,
            help: "correct the argument, or remove the rule")
        return nil
    }

    private static func rule(
        _ name: TemplateRuleName, _ argument: TemplateNode, of value: TemplateNode,
        _ compatibility: TemplateCompatibility
    ) -> [TemplateRule]? {
        let isOriginal = compatibility == .original
        switch (name, argument.value) {
        case (.isOptional, .bool): return []
        case (.mustMatch, .bool(let isOn)): return isOn ? [.constant(value)] : []
        case (.equalInLength, .bool(let isOn)):
            return isOn ? [.bound(.exact(.scalars), "\(value.length)")] : []
        case (.hasSuffix, .string(let text)) where !text.isEmpty:
            return [isOriginal ? .prefix(text) : .suffix(text)]
        case (.matchWithOneOf, .array(let items)) where !items.isEmpty:
            let texts = items.compactMap(\.text)
            return texts.count == items.count ? [.oneOf(texts, ignoringCase: isOriginal)] : nil
        case (_, .number(let text)):
            guard let bound = name.bound, bound.side != .both else { return nil }
            if bound.measure == .value {
                return Double(text)?.isFinite == true ? [.bound(bound, text)] : nil
            }
            guard let count = Int(text), (0...1_000_000_000).contains(count) else { return nil }
            let isExclusive = isOriginal && bound.measure == .scalars
            let shift = isExclusive ? (bound.side == .low ? 1 : -1) : 0
            return [.bound(bound, "\(count + shift)")]
        default: return nil
        }
    }

    // MARK: Contradictions

    private mutating func checkBounds(
        of rules: [(rule: TemplateRule, range: Range<Int>)], at range: Range<Int>
    ) {
        let bounds = rules.compactMap(\.rule.bound)
        for (low, least) in bounds where low.side == .low {
            let high = bounds.first { $0.bound == .high(low.measure) }
            guard let high, least > high.limit else { continue }
            report(
                "no value can satisfy these rules: the lower bound is above the upper one",
                at: range, help: "correct one of the two")
        }
    }

    /// Reports a rule that the value in the template does not satisfy.
    private mutating func checkSample(
        _ value: TemplateNode, _ rule: TemplateRule,
        among rules: [(rule: TemplateRule, range: Range<Int>)], _ range: Range<Int>
    ) {
        guard !rule.allows(value) else { return }
        let isFixed = rules.contains { other in
            if case .constant = other.rule { return true }
            return other.rule.bound?.bound.side == .both && rule.bound?.bound.measure == .scalars
        }
        let original: TemplateRule? =
            switch rule {
            case .suffix(let text): .prefix(text)
            case .oneOf(let texts, _): .oneOf(texts, ignoringCase: true)
            default: nil
            }
        let isMeant = original?.allows(value) == true
        report(
            isFixed
                ? "no value can satisfy this rule and the others beside it"
                : "the value in the template breaks its own rule: it is not \(rule.meaning)",
            at: range,
            help: isMeant && !isFixed
                ? "`compatibility: original` reads the rule as \(original?.meaning ?? ""); otherwise "
                    + "correct the value or the rule"
                : "correct the value or the rule", isWarning: !isFixed)
    }

    private mutating func report(
        _ message: String, at range: Range<Int>, help: String, isWarning: Bool = false,
        misspelt: (word: String, known: [String])? = nil
    ) {
        problems.append(
            TemplateProblem(
                message, at: range, help: help, isWarning: isWarning, misspelt: misspelt))
    }
}

extension TemplateRule {
    fileprivate var bound: (bound: RuleBound, limit: Double)? {
        if case .bound(let bound, let limit) = self { (bound, Double(limit) ?? 0) } else { nil }
    }
}
