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
        guard let own = Rule(rule) else {
            if !declared.contains(where: { $0.name == .constant }) { asksForMore = true }
            return
        }
        for other in declared where own.contradicts(other) {
            report(
                "no value is \(rule.meaning) and obeys `\(other.name.rawValue)` of the type",
                at: range)
        }
        if !own.isImplied(by: declared) { asksForMore = true }
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
