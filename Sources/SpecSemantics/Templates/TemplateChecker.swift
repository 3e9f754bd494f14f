import SpecDiagnostics
import SpecIR
import SpecSyntax
import SpecTemplateRules

/// Checks the templates of methods against their types.
struct TemplateChecker {
    private let models: [String: Model]
    private let places: TypePlaces
    private let literals: LiteralReader
    private var bag = DiagnosticBag()

    static func check(_ spec: inout ResolvedSpec, into bag: inout DiagnosticBag) {
        let table = TemplateTable(spec.spec, into: &bag)
        if table.entries.isEmpty { return }
        var checker = TemplateChecker(spec)
        for method in spec.methods {
            guard let entry = table.entries[method.apiName] else { continue }
            spec.templates[method.apiName] = checker.template(entry, of: method)
        }
        bag.report(contentsOf: checker.bag)
    }

    private init(_ spec: ResolvedSpec) {
        models = spec.models.byName
        places = spec.places
        literals = spec.literals
    }

    private mutating func template(
        _ entry: TemplateTable.Entry, of method: ResolvedMethod
    ) -> ReplyTemplate? {
        guard case .value(let value) = method.output, [.data, .upload].contains(method.kind),
            let returns = method.syntax.returns
        else {
            reportInapplicable(entry, method)
            return nil
        }
        var comparison = TemplateComparison(
            models: models, places: places, source: entry.source, declaration: returns.span)
        guard let (sample, shape) = unwrapped(entry, method: method, comparison: &comparison) else {
            return nil
        }
        var reader = ExampleReader(
            ofTemplate: literals, models, places, declaration: returns.span)
        reader.check(YAMLNode(sample, in: entry.source), as: value)
        // What has another kind has other rules, too.
        if !reader.bag.hasErrors { comparison.compare(shape, with: value) }
        bag.report(contentsOf: reader.bag)
        bag.report(contentsOf: comparison.bag)
        return ReplyTemplate(
            reply: ExampleValue(entry.content), asksForMore: comparison.asksForMore,
            isExample: !reader.hasOtherNull)
    }

    /// The part of the template that `unwrap` leads to.
    private mutating func unwrapped(
        _ entry: TemplateTable.Entry, method: ResolvedMethod,
        comparison: inout TemplateComparison
    ) -> (TemplateNode, TemplateShape)? {
        let unwrap = method.cascade.unwrap
        var sample = entry.reading.sample
        var shape = entry.reading.shape
        for step in unwrap?.value ?? [] {
            guard let next = sample.value(at: step) else {
                bag.report(
                    .templateMismatch, "the template has no `\([step].shown)` here",
                    at: entry.source.span(sample.range),
                    notes: unwrap.map { [Diagnostic.Note("`unwrap` leads there", at: $0.span)] }
                        ?? [],
                    help: "a template is a whole reply, with its envelope")
                return nil
            }
            // The types say nothing of what is beside the value.
            if shape.fields.count > 1 || !shape.rules.isEmpty || step.key == nil {
                comparison.asksForMore = true
            }
            (sample, shape) = (next, shape.inner(step) ?? TemplateShape())
        }
        return (sample, shape)
    }

    private mutating func reportInapplicable(
        _ entry: TemplateTable.Entry, _ method: ResolvedMethod
    ) {
        let syntax = method.syntax
        let named = syntax.template
        let note =
            named == nil
            ? [Diagnostic.Note("it belongs to `\(method.apiName)`", at: syntax.name.span)] : []
        if method.hasUnresolvedReply { return }
        bag.report(
            .templateDoesNotApply, "the reply of `\(method.apiName)` is not one JSON value",
            at: named?.span ?? entry.source.start, notes: note,
            help: "remove the template, or return a value")
    }
}

extension PathStep {
    fileprivate var key: String? { if case .key(let key) = self { key } else { nil } }
}

extension TemplateNode {
    /// The value behind a step; nil if there is none.
    fileprivate func value(at step: PathStep) -> TemplateNode? {
        switch (step, value) {
        case (.key(let key), _): return self[key]
        case (.index(let index), .array(let items)):
            let place = index < 0 ? items.count + index : index
            return items.indices.contains(place) ? items[place] : nil
        default: return nil
        }
    }
}

extension TemplateShape {
    /// The shape behind a step; nil if the template asks nothing of it.
    func inner(_ step: PathStep) -> TemplateShape? {
        if let key = step.key { return fields.first { $0.key == key }?.shape }
        return elements.first
    }
}

extension ExampleValue {
    /// The value of a node of a template, with rules.
    init(_ node: TemplateNode) {
        switch node.value {
        case .null: self = .plain("null")
        case .bool(let flag): self = .plain("\(flag)")
        case .number(let text): self = .plain(text)
        case .string(let text): self = .text(text)
        case .array(let items): self = .array(items.map { ExampleValue($0) })
        case .object(let members):
            self = .object(members.map { .init(key: $0.key, value: ExampleValue($0.value)) })
        }
    }
}
