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

    /// Reports two maps whose entries have names of their own in one place.
    mutating func checkNames(of map: ResolvedParameter, in all: [ResolvedParameter]) {
        let other = all.first {
            $0.listStyle == .entries && $0.location == map.location && $0.span != map.span
        }
        guard let other else { return }
        bag.report(
            .conflict, "two maps may have the same names", at: map.span,
            notes: [Diagnostic.Note("the other one is here", at: other.span)],
            help: "declare one map with `style: entries`")
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
