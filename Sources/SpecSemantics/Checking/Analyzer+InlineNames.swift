import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks the names of inline types.
extension Analyzer {
    /// Declares the name of an inline type in its scope.
    mutating func declare(_ model: Model, _ context: TypeContext) {
        let key = context.writtenKey ?? context.key
        let what = "the type of `\(key)`"
        literals.specNames.declare(model.qualifiedName, key: key, in: context.parent)
        checkTypeName(model.name, at: context.span)
        if inlineSpans[model.qualifiedName] == nil {
            inlineSpans[model.qualifiedName] = context.span
        }
        if context.parent.isEmpty {
            moduleNames.declare(model.name, for: what, at: context.span, into: &bag)
        } else {
            let owner = NameScope("model `\(literals.specNames.name(of: context.parent))`")
            nestedNames[context.parent, default: owner]
                .declare(model.name, for: what, at: context.span, into: &bag)
        }
    }

    /// Reports inline types that shadow a referenced type of the module. In Swift the nearer
    /// declaration wins, so the field would silently have the wrong type.
    mutating func checkHiddenNames(_ api: API) {
        for model in api.groups.flatMap(\.models) { checkHiddenNames(model, [:]) }
    }

    private mutating func checkHiddenNames(_ model: Model, _ outer: [String: String]) {
        var visible = outer
        for nested in model.nested { visible[nested.name] = nested.qualifiedName }
        if case .object(let fields) = model.kind, !visible.isEmpty {
            for target in fields.flatMap({ $0.value.type.models }) {
                let head = String(target.prefix { $0 != "." })
                if let hiding = visible[head] { reportHiding(hiding, name: head, in: model) }
            }
        }
        for nested in model.nested { checkHiddenNames(nested, visible) }
    }

    private mutating func reportHiding(_ inline: String, name: String, in model: Model) {
        guard let place = inlineSpans[inline] else { return }
        let hidden = symbols.model(swiftName: name)?.syntax.name.span ?? inlineSpans[name]
        let name = literals.specNames.name(of: name)
        bag.report(
            .nameCollision,
            "the type declared here shadows model `\(name)`, which is used in its scope",
            at: place,
            notes: hidden.map { [Diagnostic.Note("model `\(name)` is declared here", at: $0)] }
                ?? [],
            help: "give the inline type another name: `swift: { type: … }`")
    }
}
