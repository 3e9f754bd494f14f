import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers rules.
extension Analyzer {
    mutating func rules(
        _ syntax: [RuleSyntax], on value: Value, type: TypeSyntax
    ) -> [Rule] {
        var result: [Rule] = []
        var places: [String: Span] = [:]
        let family = RuleFamily(value.type)
        for rule in syntax {
            let name = rule.name.value
            guard family.rules.contains(name) else {
                reportInapplicable(rule, family: family, value: value)
                continue
            }
            guard let kind = kind(of: rule, on: value) else { continue }
            places[name] = rule.name.span
            result.append(
                Rule(
                    kind, message: rule.message, isWarning: rule.isWarning,
                    direction: Self.direction(rule)))
        }
        checkContradictions(value.rules + result, places)
        return result
    }

    private static func direction(_ rule: RuleSyntax) -> Rule.Direction {
        switch rule.direction?.value {
        case "send": .send
        case "receive": .receive
        default: .both
        }
    }

    private mutating func reportInapplicable(
        _ rule: RuleSyntax, family: RuleFamily, value: Value
    ) {
        let name = rule.name.value
        let list = family.rules.sorted().joined(separator: ", ")
        let none =
            value.type == .url
            ? "for a URL with rules, write `type: string, format: uri`"
            : "no rule applies to this type"
        bag.report(
            .ruleDoesNotApply, "rule `\(name)` does not apply to \(Self.name(of: value.type))",
            at: rule.name.span,
            help: list.isEmpty ? none : "rules that apply: \(list)")
    }

    /// The constraint of a rule; `nil` if its argument is invalid, which is reported.
    private mutating func kind(of rule: RuleSyntax, on value: Value) -> RuleKind? {
        let node = rule.argument
        switch rule.name.value {
        case "min": return number(rule, value).map { .min($0) }
        case "max": return number(rule, value).map { .max($0) }
        case "above": return number(rule, value).map { .above($0) }
        case "below": return number(rule, value).map { .below($0) }
        case "multiple-of":
            return number(rule, value).flatMap { digits in
                if (Double(digits) ?? 0) > 0 { return .multiple(of: digits) }
                reportArgument(rule, expected: "a number above 0")
                return nil
            }
        case "digits": return count(rule).map { .digits($0) }
        case "min-length": return count(rule).map { .minLength($0) }
        case "max-length": return count(rule).map { .maxLength($0) }
        case "length": return count(rule).map { .length($0) }
        case "min-bytes": return count(rule).map { .minBytes($0) }
        case "max-bytes": return count(rule).map { .maxBytes($0) }
        case "min-items": return count(rule).map { .minItems($0) }
        case "max-items": return count(rule).map { .maxItems($0) }
        case "min-keys": return count(rule).map { .minKeys($0) }
        case "max-keys": return count(rule).map { .maxKeys($0) }
        case "pattern": return pattern(rule)
        case "prefix": return text(rule).map { .prefix($0) }
        case "suffix": return text(rule).map { .suffix($0) }
        case "contains": return text(rule).map { .contains($0) }
        case "excludes": return text(rule).map { .excludes($0) }
        case "in": return choices(rule, value).map { .oneOf($0) }
        case "not-in": return choices(rule, value).map { .noneOf($0) }
        case "format": return format(rule)
        case "not-blank": return isOn(rule) ? .notBlank : nil
        case "unique":
            if case .list(let element) = value.type {
                comparisons.append(Comparison(span: rule.name.span, type: element.type))
            }
            return isOn(rule) ? .unique : nil
        case "unique-by": return uniqueBy(rule, value)
        case "past": return isOn(rule) ? .past : nil
        case "future": return isOn(rule) ? .future : nil
        case "after": return date(rule).map { .after($0) }
        case "before": return date(rule).map { .before($0) }
        case "within": return seconds(rule).map { .within($0) }
        case "max-size": return size(rule).map { .maxSize($0) }
        case "mime": return mime(rule).map { .mime($0) }
        default:
            bag.report(
                .notSupported, "rule `\(rule.name.value)` is not supported yet",
                at: rule.name.span, help: "remove it: \(Self.shown(node)) is never checked")
            return nil
        }
    }

    mutating func reportArgument(
        _ rule: RuleSyntax, expected: String, help: String? = nil
    ) {
        bag.report(
            .badRuleArgument,
            "rule `\(rule.name.value)` takes \(expected), found \(Self.shown(rule.argument))",
            at: rule.argument.span, help: help)
    }

    // MARK: Contradictions

    private mutating func checkContradictions(_ rules: [Rule], _ places: [String: Span]) {
        var bounds: [String: ExactNumber] = [:]
        for rule in rules {
            guard let bound = Self.bound(of: rule.kind) else { continue }
            let (name, value) = bound
            // An alias may have a tighter bound.
            let isLow = name.hasPrefix("min") || name == "above"
            bounds[name] = bounds[name].map { isLow ? max($0, value) : min($0, value) } ?? value
        }
        let pairs = [
            ("min", "max", false), ("above", "below", true), ("min", "below", true),
            ("above", "max", true), ("min-length", "max-length", false),
            ("min-length", "length", false), ("length", "max-length", false),
            ("min-bytes", "max-bytes", false), ("min-items", "max-items", false),
            ("min-keys", "max-keys", false),
        ]
        for (low, high, isStrict) in pairs {
            guard let lower = bounds[low], let upper = bounds[high] else { continue }
            if isStrict ? lower < upper : lower <= upper { continue }
            guard let place = places[high] ?? places[low] else { continue }
            let other = places[high] == nil ? nil : places[low]
            bag.report(
                .contradiction, "no value can satisfy both `\(low)` and `\(high)`", at: place,
                notes: other.map { [Diagnostic.Note("`\(low)` is here", at: $0)] } ?? [])
        }
    }

    /// The bound that a rule sets, with the name of the rule.
    static func bound(of kind: RuleKind) -> (name: String, value: ExactNumber)? {
        switch kind {
        case .min(let text): ExactNumber(text).map { ("min", $0) }
        case .max(let text): ExactNumber(text).map { ("max", $0) }
        case .above(let text): ExactNumber(text).map { ("above", $0) }
        case .below(let text): ExactNumber(text).map { ("below", $0) }
        case .minLength(let count): ("min-length", ExactNumber(count))
        case .maxLength(let count): ("max-length", ExactNumber(count))
        case .length(let count): ("length", ExactNumber(count))
        case .minBytes(let count): ("min-bytes", ExactNumber(count))
        case .maxBytes(let count): ("max-bytes", ExactNumber(count))
        case .minItems(let count): ("min-items", ExactNumber(count))
        case .maxItems(let count): ("max-items", ExactNumber(count))
        case .minKeys(let count): ("min-keys", ExactNumber(count))
        case .maxKeys(let count): ("max-keys", ExactNumber(count))
        default: nil
        }
    }
}

/// The rules that apply to a kind of type.
struct RuleFamily {
    let rules: Set<String>

    private static let numbers: Set<String> = [
        "min", "max", "above", "below", "multiple-of", "in", "not-in",
    ]
    private static let text: Set<String> = [
        "min-length", "max-length", "length", "min-bytes", "max-bytes", "pattern", "prefix",
        "suffix", "contains", "excludes", "in", "not-in", "format", "not-blank",
    ]

    init(_ type: ValueType) {
        rules =
            switch type {
            case .integer: Self.numbers
            case .double, .decimal: Self.numbers.union(["digits"])
            case .string: Self.text
            case .enumeration: ["in", "not-in"]
            case .list: ["min-items", "max-items", "unique", "unique-by"]
            case .map: ["min-keys", "max-keys"]
            case .date: ["past", "future", "after", "before", "within"]
            case .file: ["max-size", "mime"]
            case .bool, .duration, .url, .uuid, .bytes, .json, .object: []
            }
    }
}
