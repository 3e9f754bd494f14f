import SpecIR
import SpecTemplateRules

extension Rule {
    /// The rule of specs that a rule of a template is; nil for a constant, which depends on its type.
    init?(_ rule: TemplateRule) {
        switch rule {
        case .constant: return nil
        case .bound(let bound, let limit):
            // Elements are those of a list, and not the entries of a map.
            let name = RuleName.allCases.first {
                $0.row.bound == bound && $0.row.families != [.map]
            }
            guard let name else { return nil }
            self.init(name, .number(limit))
        case .prefix(let text): self.init(.prefix, .text(text))
        case .suffix(let text): self.init(.suffix, .text(text))
        case .oneOf(let texts, let ignoringCase):
            self.init(.oneOf, .choices(texts.map(Literal.string)))
            ignoresCase = ignoringCase
        }
    }

    /// Whether no value obeys two rules, because their bounds of one measure exclude each other.
    func contradicts(_ other: Rule) -> Bool { isAbove(other) || other.isAbove(self) }

    /// Whether the least value of the rule is above the highest one of another.
    private func isAbove(_ other: Rule) -> Bool {
        guard let low = name.row.bound, let high = other.name.row.bound,
            low.measure == high.measure, low.side != .high, high.side != .low,
            let limit = argument.bound, let highest = other.argument.bound
        else { return false }
        return low.isStrict || high.isStrict ? limit >= highest : limit > highest
    }

    /// Whether every value that obeys others obeys this rule. False in doubt.
    func isImplied(by others: [Rule]) -> Bool {
        guard let bound = name.row.bound, let limit = argument.bound else {
            return others.contains { $0.name == name && isChoiceImplied(by: $0) }
        }
        let sides: [RuleBound.Side] = bound.side == .both ? [.low, .high] : [bound.side]
        return sides.allSatisfy { side in
            others.contains { other in
                guard let found = other.name.row.bound, found.measure == bound.measure,
                    found.side == side || found.side == .both, let value = other.argument.bound
                else { return false }
                return side == .low ? value >= limit : value <= limit
            }
        }
    }

    private func isChoiceImplied(by other: Rule) -> Bool {
        guard case .choices(let all) = argument, case .choices(let some) = other.argument else {
            return argument == other.argument
        }
        return ignoresCase == other.ignoresCase && Set(some).isSubset(of: all)
    }
}
