import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and resolves rules: against the type of the value, their arguments, and each other.
struct RuleValidator {
    let symbols: SymbolTable
    /// The comparisons that rules require. They make the compared models `Hashable`.
    var comparisons: [Comparison] = []
    /// The rules that the app checks, in order.
    var ownRules: [OwnRule] = []

    init(_ symbols: SymbolTable) {
        self.symbols = symbols
    }

    /// Resolves the rules of a declaration, without those with errors.
    mutating func rules(
        _ syntax: [RuleSyntax], on value: Value, literals: inout LiteralReader,
        into bag: inout DiagnosticBag
    ) -> [Rule] {
        var result: [Rule] = []
        var places: [RuleName: Span] = [:]
        for rule in syntax {
            let name = rule.name.value
            let family = value.type.ruleFamily
            guard name.row.families.contains(family) else {
                Self.reportInapplicable(rule, value: value, into: &bag)
                continue
            }
            if name == .unique, case .list(let element) = value.type {
                guard element.type != .file else {
                    bag.report(
                        .ruleDoesNotApply, "`unique` cannot compare files", at: rule.name.span,
                        help: "remove it")
                    continue
                }
                comparisons.append(Comparison(type: element.type))
            }
            guard let argument = argument(of: rule, on: value, literals: &literals, into: &bag)
            else { continue }
            places[name] = rule.name.span
            var resolved = Rule(
                name, argument, message: rule.options.message, isWarning: rule.options.isWarning,
                direction: rule.options.direction)
            resolved.ignoresCase = ignoresCase(rule, family, into: &bag)
            if case .check(let id, let function) = argument {
                resolved.direction = .receive
                ownRules.append(
                    OwnRule(
                        id: id, function: function, type: value.type, span: rule.argument.span))
            }
            result.append(resolved)
        }
        Self.checkContradictions(value.rules + result, places, into: &bag)
        return result
    }

    /// Whether a choice of texts ignores case; reported for other rules.
    private func ignoresCase(
        _ rule: RuleSyntax, _ family: RuleFamily, into bag: inout DiagnosticBag
    ) -> Bool {
        guard let place = rule.ignoresCase else { return false }
        if rule.name.value.row.argument == .choices, family == .text { return true }
        bag.report(
            .ruleDoesNotApply, "`case-insensitive` only applies to `in` and `not-in` of a text",
            at: place, help: "remove it")
        return false
    }

    private static func reportInapplicable(
        _ rule: RuleSyntax, value: Value, into bag: inout DiagnosticBag
    ) {
        let list = RuleName.allCases.filter { name in
            name.row.families.contains(value.type.ruleFamily)
        }.map(\.rawValue).sorted().joined(separator: ", ")
        bag.report(
            .ruleDoesNotApply,
            "rule `\(rule.name.value.rawValue)` does not apply to \(value.type.expectation)",
            at: rule.name.span,
            help: value.type == .url
                ? "for a URL with rules, write `type: string, format: uri`"
                : "rules that apply: \(list)")
    }

    // MARK: Contradictions

    private static func checkContradictions(
        _ rules: [Rule], _ places: [RuleName: Span], into bag: inout DiagnosticBag
    ) {
        var tightest: [RuleName: Rule] = [:]
        for rule in rules {
            guard let bound = rule.name.row.bound, let value = rule.argument.bound else { continue }
            // An alias may have a tighter bound.
            let other = tightest[rule.name]?.argument.bound ?? value
            if bound.side == .low ? value >= other : value <= other { tightest[rule.name] = rule }
        }
        for (low, high) in opposites {
            guard let lower = tightest[low], let upper = tightest[high], lower.contradicts(upper)
            else { continue }
            guard let place = places[high] ?? places[low] else { continue }
            let other = places[high] == nil ? nil : places[low]
            bag.report(
                .contradiction,
                "no value can satisfy both `\(low.rawValue)` and `\(high.rawValue)`", at: place,
                notes: other.map { [Diagnostic.Note("`\(low.rawValue)` is here", at: $0)] } ?? [])
        }
    }

    /// The pairs of rules that bound the same measure from below and from above. Rules that are
    /// both strict, or both not, come first, because only the first contradiction is reported.
    private static let opposites: [(low: RuleName, high: RuleName)] = {
        var alike: [(RuleName, RuleName)] = []
        var mixed: [(RuleName, RuleName)] = []
        for low in RuleName.allCases {
            for high in RuleName.allCases where high != low {
                guard let lower = low.row.bound, let upper = high.row.bound,
                    lower.measure == upper.measure, lower.side != .high, upper.side != .low
                else { continue }
                if lower.isStrict == upper.isStrict {
                    alike.append((low, high))
                } else {
                    mixed.append((low, high))
                }
            }
        }
        return alike + mixed
    }()
}

extension RuleArgument {
    /// The argument as a bound.
    var bound: ExactNumber? {
        switch self {
        case .number(let digits): ExactNumber(digits)
        case .count(let count): ExactNumber(count)
        case .flag, .divisor, .text, .pattern, .choices, .format, .field, .date, .seconds, .size,
            .mimeTypes, .literal, .check:
            nil
        }
    }
}
