import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves which violations in a list or a map are tolerated.
extension Resolver {
    /// Applies `invalid`, which replaces that of an alias.
    mutating func applyTolerance(
        _ attributes: AttributesSyntax, to value: inout Value, in context: TypeContext
    ) {
        guard let words = attributes.invalid, context.place.isReceived else { return }
        switch value.type {
        case .list, .map:
            value.tolerances = Tolerance.allCases.filter { $0 != .fail && words.value.contains($0) }
        default:
            bag.report(
                .attributeDoesNotApply,
                "`invalid` does not apply to \(value.type.expectation)", at: words.span,
                help: "it applies to lists and maps; a value that may be missing is marked `?`")
        }
    }
}
