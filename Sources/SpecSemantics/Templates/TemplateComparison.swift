import SpecDiagnostics
import SpecIR
import SpecSyntax
import SpecTemplateRules

/// Compares what a template asks of a value with what the type says. Contradictions are reported.
struct TemplateComparison {
    private let models: [String: Model]
    private let places: TypePlaces
    private let source: SourceFile
    /// Where the current value is declared.
    private var declaration: Span
    /// Whether the template asks for more than the types and their rules; true in doubt.
    var asksForMore = false
    private(set) var bag = DiagnosticBag()

    init(
        models: [String: Model], places: TypePlaces, source: SourceFile, declaration: Span
    ) {
        self.models = models
        self.places = places
        self.source = source
        self.declaration = declaration
    }

    mutating func compare(_ shape: TemplateShape, with value: Value) {
        for (rule, range) in shape.rules { compare(rule, at: range, with: value) }
        if shape.kinds.isEmpty { return }
        if value.isNullable, !shape.isNullable { asksForMore = true }
        compareKinds(shape, value)
        switch value.type {
        case _ where value.from != .native: asksForMore = true
        case .object(let name):
            if let model = models[name], case .object(let fields) = model.kind {
                if model.isArray { asksForMore = true }
                compareFields(shape, model: model, fields: fields.filter { $0.only != .request })
            }
        case .list(let element):
            guard let inner = shape.elements.first else { return }
            if !value.tolerances.isEmpty { asksForMore = true }
            compare(inner, with: element)
        case .map: if !shape.fields.isEmpty { asksForMore = true }
        case .union, .json: asksForMore = true
        default: break
        }
    }

    private mutating func compareKinds(_ shape: TemplateShape, _ value: Value) {
        var kinds = shape.kinds
        if kinds.contains(.number) { kinds.insert(.integer) }
        let missing = value.kinds(in: models).subtracting(kinds)
        if missing.isEmpty { return }
        asksForMore = true
        guard missing == .number, let sample = shape.samples.first else { return }
        bag.report(
            .doubtfulTemplate, "the type has all numbers, and the template asks for an integer",
            at: source.span(sample.range),
            notes: [Diagnostic.Note("the declaration is here", at: declaration)],
            help: "write a number with a fraction, such as `1.0`, if a reply may have one")
    }

    private mutating func compareFields(
        _ shape: TemplateShape, model: Model, fields: [Field]
    ) {
        let table = FieldTable(fields)
        for item in shape.fields {
            guard let field = table.field(item.key) else {
                asksForMore = true
                continue
            }
            if !item.isOptional, !field.isRequired { asksForMore = true }
            let outer = declaration
            declaration = places.fields[model.qualifiedName]?[field.name] ?? outer
            compare(item.shape, with: field.value)
            declaration = outer
        }
    }

    // MARK: Rules

    private mutating func compare(_ rule: TemplateRule, at range: Range<Int>, with value: Value) {
        // Only these hold for every reply.
        let declared = value.rules.filter { !$0.isWarning && $0.direction != .send }
        if let bounds = rule.bounds {
            for other in declared where bounds.contradicts(other) {
                report(
                    "no value is \(rule.meaning) and obeys `\(other.name.rawValue)` of the type",
                    at: range)
            }
            if !bounds.isImplied(by: declared) { asksForMore = true }
            return
        }
        if !declared.contains(where: { $0.implies(rule) }) { asksForMore = true }
        guard case .oneOf(let texts, let ignoresCase) = rule else { return }
        if case .enumeration(let name, isInteger: false) = value.type {
            checkCases(texts, of: name, ignoresCase, at: range)
        } else if case .string = value.type, !ignoresCase {
            checkTexts(texts, declared, at: range)
        }
    }

    /// Reports texts that are no values of an enumeration.
    private mutating func checkCases(
        _ texts: [String], of name: String, _ ignoresCase: Bool, at range: Range<Int>
    ) {
        guard let model = models[name], case .enumeration(let enumeration) = model.kind else {
            return
        }
        let known = enumeration.cases.map(\.value)
        let same = { (text: String) in ignoresCase ? text.lowercased() : text }
        let values = Set(known.map(same))
        for text in texts where !values.contains(same(text)) {
            report(
                "`\(text.prefix(40))` is not a value of `\(model.apiName)`", at: range,
                help: didYouMean(text, among: known))
        }
    }

    /// Reports texts that the rules of the type forbid.
    private mutating func checkTexts(_ texts: [String], _ rules: [Rule], at range: Range<Int>) {
        for text in texts {
            var found = DiagnosticBag()
            RuleValidator.check(
                .string(text), as: Value(.json, rules: rules),
                named: "text `\(text.prefix(40))`", at: source.span(range), rules: [], into: &found)
            for mistake in found.all { report(mistake.message, at: range) }
        }
    }

    private mutating func report(_ message: String, at range: Range<Int>, help: String? = nil) {
        bag.report(
            .templateMismatch, message, at: source.span(range),
            notes: [Diagnostic.Note("the declaration is here", at: declaration)],
            help: help ?? "correct the template or the type")
    }
}

extension Rule {
    /// Whether values that obey the rule obey one of a template that sets no bounds. The value in
    /// the template obeys both.
    fileprivate func implies(_ rule: TemplateRule) -> Bool {
        switch (name, argument, rule) {
        case (.constant, _, .constant): return true
        case (.prefix, .text(let text), .prefix(let other)),
            (.suffix, .text(let text), .suffix(let other)):
            return text == other
        case (.oneOf, .choices(let choices), .oneOf(let texts, let ignoringCase)):
            return ignoresCase == ignoringCase
                && Set(choices).isSubset(of: texts.map(Literal.string))
        default: return false
        }
    }
}

/// The bounds that a rule of a template sets.
private struct TemplateBounds {
    let measure: RuleBound.Measure
    var low: ExactNumber?
    var high: ExactNumber?

    /// Whether no value obeys a declared rule, too.
    func contradicts(_ rule: Rule) -> Bool {
        guard let bound = rule.name.row.bound, bound.measure == measure,
            let limit = rule.argument.bound
        else { return false }
        let isBelow = high.map { bound.isStrict ? $0 <= limit : $0 < limit } == true
        let isAbove = low.map { bound.isStrict ? $0 >= limit : $0 > limit } == true
        return isBelow && bound.side != .high || isAbove && bound.side != .low
    }

    /// Whether every value that obeys declared rules is within the bounds.
    func isImplied(by rules: [Rule]) -> Bool {
        func hasBound(_ side: RuleBound.Side, _ isEnough: (ExactNumber) -> Bool) -> Bool {
            rules.contains { rule in
                guard let bound = rule.name.row.bound, bound.measure == measure,
                    bound.side == side || bound.side == .both
                else { return false }
                return rule.argument.bound.map(isEnough) == true
            }
        }
        return low.map { low in hasBound(.low) { $0 >= low } } != false
            && high.map { high in hasBound(.high) { $0 <= high } } != false
    }
}

extension TemplateRule {
    /// The bounds that the rule sets; nil for other rules.
    fileprivate var bounds: TemplateBounds? {
        switch self {
        case .length(let count):
            TemplateBounds(
                measure: .scalars, low: ExactNumber(count), high: ExactNumber(count))
        case .minLength(let count): TemplateBounds(measure: .scalars, low: ExactNumber(count))
        case .maxLength(let count): TemplateBounds(measure: .scalars, high: ExactNumber("\(count)"))
        case .minItems(let count): TemplateBounds(measure: .elements, low: ExactNumber(count))
        case .maxItems(let count): TemplateBounds(measure: .elements, high: ExactNumber(count))
        case .minimum(let text): TemplateBounds(measure: .value, low: ExactNumber(text))
        case .maximum(let text): TemplateBounds(measure: .value, high: ExactNumber(text))
        case .constant, .prefix, .suffix, .oneOf: nil
        }
    }
}
