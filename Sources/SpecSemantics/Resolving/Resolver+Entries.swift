import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves maps whose entries are sent under their own names: `style: entries`.
extension Resolver {
    /// Reports the style where it does not apply.
    mutating func checkEntries(_ span: Span, value: Value, context: TypeContext) {
        let isBase = api.parameters.contains { $0.type.attributes.style?.span == span }
        if !isBase, [.query, .form].contains(context.place), value.type.hasPlainEntries { return }
        bag.report(
            .attributeDoesNotApply, "`style: entries` does not apply here", at: span,
            help: "it sends each entry of a method's map under its own name, in a query or "
                + "a form: `{ type: \"{string: string}\", style: entries }`; a value is a "
                + "scalar, an enumeration or a list of them")
    }

    /// Keeps the names of all other values in the place of a map with names of its own.
    mutating func addTakenNames(to index: Int, of parameters: inout [ResolvedParameter]) {
        let (span, place) = (parameters[index].span, parameters[index].lowered.location)
        let others = parameters.filter { $0.lowered.location == place && $0.span != span }
        if let other = others.first(where: { $0.lowered.listStyle == .entries }) {
            bag.report(
                .conflict, "two maps may have the same names", at: span,
                notes: [Diagnostic.Note("the other one is here", at: other.span)],
                help: "declare one map with `style: entries`")
        }
        let base = api.parameters.filter { $0.location == .query && place == .query }
        let tokens = api.schemes.filter {
            switch $0.placement?.value {
            case .query: place == .query
            case .body: place == .form
            default: false
            }
        }
        parameters[index].lowered.takenNames =
            others.map(\.lowered.key) + base.map(\.sentKey.value) + tokens.compactMap(\.name?.value)
    }
}

extension ValueType {
    /// Whether it is a map of values that a text alone, or a list of texts, expresses.
    fileprivate var hasPlainEntries: Bool {
        guard case .map(_, let value) = self else { return false }
        if case .list(let element) = value.type { return !element.type.hasMembers }
        return !value.type.hasMembers
    }
}
