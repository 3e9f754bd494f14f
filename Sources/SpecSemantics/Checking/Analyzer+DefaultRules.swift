import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks defaults and constants against the rules of their type.
extension Analyzer {
    /// Reports a rule that a literal breaks; `rules` are those of the same declaration.
    mutating func checkRules(
        of literal: Literal, as value: Value, named what: String, at span: Span, rules: [RuleSyntax]
    ) {
        for rule in value.rules {
            guard let problem = Self.violation(of: rule.kind, by: literal) else { continue }
            let place = rules.first { $0.name.value == problem }?.name.span
            bag.report(
                .defaultBreaksRule, "the \(what) breaks rule `\(problem)` of its own type",
                at: span, notes: place.map { [Diagnostic.Note("the rule is here", at: $0)] } ?? [])
        }
        if case .list(let items) = literal, case .list(let element) = value.type {
            for item in items {
                checkRules(of: item, as: element, named: what, at: span, rules: [])
            }
        }
    }

    /// The name of the rule if the literal breaks it, for rules that the compiler can evaluate.
    private static func violation(of kind: RuleKind, by literal: Literal) -> String? {
        guard let bound = bound(of: kind), let size = size(of: literal, for: kind) else {
            return violation(ofChoice: kind, by: literal)
        }
        let isFine =
            switch kind {
            case .min, .minLength, .minBytes, .minItems, .minKeys: size >= bound.value
            case .max, .maxLength, .maxBytes, .maxItems, .maxKeys: size <= bound.value
            case .above: size > bound.value
            case .below: size < bound.value
            default: size == bound.value
            }
        return isFine ? nil : bound.name
    }

    private static func violation(ofChoice kind: RuleKind, by literal: Literal) -> String? {
        let identity = LiteralIdentity(literal)
        switch (kind, literal) {
        case (_, .null): return nil
        case (.oneOf(let values), _):
            return values.contains { LiteralIdentity($0) == identity } ? nil : "in"
        case (.noneOf(let values), _):
            return values.contains { LiteralIdentity($0) == identity } ? "not-in" : nil
        case (.unique, .list(let items)):
            return Set(items.map { LiteralIdentity($0) }).count < items.count ? "unique" : nil
        default: return nil
        }
    }

    private static func size(of literal: Literal, for kind: RuleKind) -> ExactNumber? {
        switch (literal, kind) {
        case (.string(let text), .minBytes), (.string(let text), .maxBytes):
            ExactNumber(text.utf8.count)
        case (.string(let text), _): ExactNumber(text.unicodeScalars.count)
        case (.integer(let text), _), (.number(let text), _): ExactNumber(text)
        case (.list(let items), _): ExactNumber(items.count)
        case (.map(let entries), _): ExactNumber(entries.count)
        default: nil
        }
    }
}

/// The identity of a literal: numbers compare by value (`1.0` is `1`), texts by bytes.
private indirect enum LiteralIdentity: Hashable {
    case number(ExactNumber)
    case text([UInt8])
    case list([LiteralIdentity])
    case other(Literal)

    init(_ literal: Literal) {
        switch literal {
        case .integer(let digits), .number(let digits):
            self = ExactNumber(digits).map { .number($0) } ?? .other(literal)
        case .string(let text): self = .text(Array(text.utf8))
        case .list(let items): self = .list(items.map { LiteralIdentity($0) })
        default: self = .other(literal)
        }
    }
}
