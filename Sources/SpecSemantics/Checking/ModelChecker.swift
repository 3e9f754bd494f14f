import SpecDiagnostics
import SpecIR

/// Checks models together: endless ones, and inline types that shadow others.
struct ModelChecker {
    let spec: ResolvedSpec
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        var checker = ModelChecker(spec: spec)
        for cycle in ModelGraph(spec.models).requiredCycles() { checker.report(cycle: cycle) }
        checker.checkHiddenNames()
        checker.checkSteps()
        bag.report(contentsOf: checker.bag)
    }

    /// Reports fields inside nested objects in models that requests send: the rest of such an object
    /// is unknown.
    private mutating func checkSteps() {
        let arguments = spec.methods.flatMap(\.parameters) + spec.baseParameters
        let sent = ModelGraph(spec.models).reachable(
            from: arguments.flatMap { $0.value.type.models })
        for model in spec.models.withNested {
            guard case .object(let fields) = model.kind, sent.contains(model.qualifiedName),
                let field = fields.first(where: { !$0.steps.isEmpty }),
                let place = spec.places.fields[model.qualifiedName]?[field.name]
            else { continue }
            bag.report(
                .attributeDoesNotApply, "requests send `\(model.apiName)`, and `at` only reads",
                at: place,
                help: "write `only: reply`, or the nested objects as fields")
        }
    }

    private mutating func report(cycle: [String]) {
        // Only its parent can contain an inline type, so a cycle begins with a declared model or with
        // what a request sends of it.
        guard let first = cycle.first?.prefix(while: { $0 != "." }),
            let entry = spec.symbols.model(swiftName: String(first))
        else { return }
        bag.report(
            .endlessModel, "model `\(entry.syntax.name.value)` always contains itself",
            at: entry.syntax.name.span,
            label: DependencyOrder.shown(cycle: cycle.map(spec.typeNames.name)),
            help: "make one of the fields on the cycle optional, or a list")
    }

    /// Reports inline types that shadow a referenced type of the module. In Swift the nearer
    /// declaration wins, so the field would silently have the wrong type.
    private mutating func checkHiddenNames() {
        for model in spec.models { checkHiddenNames(model, [:]) }
    }

    private mutating func checkHiddenNames(_ model: Model, _ outer: [String: String]) {
        var visible = outer
        for nested in model.nested { visible[nested.name] = nested.qualifiedName }
        if !visible.isEmpty {
            for target in model.values.flatMap({ $0.type.models }) {
                let head = String(target.prefix { $0 != "." })
                if let hiding = visible[head] { reportHiding(hiding, name: head, in: model) }
            }
        }
        for nested in model.nested { checkHiddenNames(nested, visible) }
    }

    private mutating func reportHiding(_ inline: String, name: String, in model: Model) {
        guard let place = spec.places.inlineTypes[inline] else { return }
        let hidden =
            spec.symbols.model(swiftName: name)?.syntax.name.span
            ?? spec.places.inlineTypes[name]
        let name = spec.typeNames.name(of: name)
        bag.report(
            .nameCollision,
            "the type declared here shadows model `\(name)`, which is used in its scope",
            at: place,
            notes: hidden.map { [Diagnostic.Note("model `\(name)` is declared here", at: $0)] }
                ?? [],
            help: "give the inline type another name: `swift: { type: … }`")
    }
}
