import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks the conformances that a model declares itself. Those of models in its fields follow from
/// them, see ``ModelConformances``.
enum ConformanceChecker {
    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        for model in spec.models.withNested {
            let own = spec.declarations[model.qualifiedName]?.attributes.conforms ?? []
            guard let problem = model.identityProblem,
                let place = own.first(where: { $0.value == .identifiable })?.span
            else { continue }
            bag.report(
                .attributeDoesNotApply,
                "`\(model.apiName)` cannot be `Identifiable`: \(problem)",
                at: place,
                help: "name the identifying field `id`, with "
                    + "`swift: { name: id }` if necessary")
        }
    }
}

extension Model {
    /// The reason why the model cannot be `Identifiable`, or `nil`.
    var identityProblem: String? {
        guard case .object(let fields) = kind else { return "it has no fields" }
        return fields.contains { $0.name == "id" } ? nil : "it has no field `id`"
    }
}
