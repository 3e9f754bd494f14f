import SpecDiagnostics
import SpecIR
import SpecSyntax
import SpecTemplateRules

/// Checks defaults and constants against the rules of their type.
extension RuleValidator {
    /// Reports a rule that a literal breaks; `rules` are those of the same declaration.
    static func check(
        _ literal: Literal, as value: Value, named what: String, at span: Span,
        rules: [RuleSyntax], into bag: inout DiagnosticBag
    ) {
        for rule in value.rules {
            guard rule.isBroken(by: literal) else { continue }
            let place = rules.first { $0.name.value == rule.name }?.name.span
            bag.report(
                .defaultBreaksRule,
                "the \(what) breaks rule `\(rule.name.rawValue)` of its own type", at: span,
                notes: place.map { [Diagnostic.Note("the rule is here", at: $0)] } ?? [])
        }
        if case .map(let entries) = literal, case .map(_, let element) = value.type {
            // The compiler knows the type of keys by their literals.
            let key = Value(.json, rules: value.keyRules)
            for entry in entries {
                check(entry.key, as: key, named: what, at: span, rules: [], into: &bag)
                check(entry.value, as: element, named: what, at: span, rules: [], into: &bag)
            }
        }
        if case .list(let items) = literal, case .list(let element) = value.type {
            for item in items {
                check(item, as: element, named: what, at: span, rules: [], into: &bag)
            }
        }
    }
}

extension Rule {
    /// Whether a literal breaks the rule. False for rules that the compiler cannot evaluate.
    func isBroken(by literal: Literal) -> Bool {
        guard let bound = name.row.bound else { return isChoiceBroken(by: literal) }
        guard let limit = argument.bound, let size = literal.size(bound.measure) else {
            return false
        }
        return switch bound.side {
        case .low: bound.isStrict ? size <= limit : size < limit
        case .high: bound.isStrict ? size >= limit : size > limit
        case .both: size != limit
        }
    }

    private func isChoiceBroken(by literal: Literal) -> Bool {
        let identity = LiteralIdentity(literal, ignoringCase: ignoresCase)
        let isListed = { (values: [Literal]) in
            values.contains { LiteralIdentity($0, ignoringCase: ignoresCase) == identity }
        }
        switch (name, argument, literal) {
        case (_, _, .null): return false
        case (.oneOf, .choices(let values), _): return !isListed(values)
        case (.noneOf, .choices(let values), _): return isListed(values)
        case (.constant, .literal(let expected), _): return !isListed([expected])
        case (.unique, _, .list(let items)):
            return Set(items.map { LiteralIdentity($0) }).count < items.count
        default: return false
        }
    }
}

extension Literal {
    fileprivate func size(_ measure: RuleBound.Measure) -> ExactNumber? {
        switch (measure, self) {
        case (.value, .integer(let digits)), (.value, .number(let digits)): ExactNumber(digits)
        case (.scalars, .string(let text)): ExactNumber(text.unicodeScalars.count)
        case (.bytes, .string(let text)): ExactNumber(text.utf8.count)
        case (.elements, .list(let items)): ExactNumber(items.count)
        case (.elements, .map(let entries)): ExactNumber(entries.count)
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

    init(_ literal: Literal, ignoringCase: Bool = false) {
        switch literal {
        case .integer(let digits), .number(let digits):
            self = ExactNumber(digits).map { .number($0) } ?? .other(literal)
        case .string(let text):
            self = .text(Array((ignoringCase ? text.lowercased() : text).utf8))
        case .list(let items): self = .list(items.map { LiteralIdentity($0) })
        default: self = .other(literal)
        }
    }
}
