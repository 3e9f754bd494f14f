import SpecDiagnostics
import SpecSyntax

/// Checks the declarations of generic models.
struct GenericChecker {
    private var first: [String: ModelSyntax] = [:]
    private var known: Set<String>
    private(set) var bag = DiagnosticBag()

    init(_ models: [ModelSyntax]) {
        known = TypeNames.scalars.union(models.map(\.name.value))
    }

    /// Checks a model.
    ///
    /// - Parameter isComplete: Whether all files could be read, so that a name without a declaration
    ///   is an error.
    mutating func check(_ model: ModelSyntax, isComplete: Bool) {
        let name = model.name
        if let other = first[name.value] {
            // The symbol table reports two plain models of one name.
            if !model.parameters.isEmpty || !other.parameters.isEmpty {
                bag.report(
                    .duplicateModel, "model `\(name.value)` is declared twice", at: name.span,
                    notes: [Diagnostic.Note("first declared here", at: other.name.span)],
                    help: "give one of them another name")
            }
        } else {
            first[name.value] = model
        }
        guard !model.parameters.isEmpty else { return }
        let used = names(in: model.type)
        var seen: Set<String> = []
        for parameter in model.parameters {
            let isNew = seen.insert(parameter.value).inserted
            if !isNew {
                report(parameter, "is declared twice", help: "rename one of them")
            } else if known.contains(parameter.value) {
                report(parameter, "hides the type of that name", help: "give it another name")
            } else if !used.contains(where: { $0.value == parameter.value }) {
                report(parameter, "is not used", help: "remove it, or use it as a type of a field")
            }
        }
        for use in used where isComplete && !known.union(seen).contains(use.value) {
            reportUnknown(use, parameters: seen)
        }
    }

    /// The names of types, with their places.
    private func names(in type: TypeSyntax) -> [Located<String>] {
        let all = type.withParts
        return (all + all.flatMap(\.mixins)).compactMap { part in
            part.name.map { Located($0, at: part.span) }
        }
    }

    private mutating func report(_ parameter: Located<String>, _ problem: String, help: String) {
        bag.report(
            .badGeneric, "type parameter `\(parameter.value)` \(problem)", at: parameter.span,
            help: help)
    }

    private mutating func reportUnknown(_ use: Located<String>, parameters: Set<String>) {
        bag.report(
            .unknownType, "unknown type `\(use.value)`", at: use.span,
            help: didYouMean(use.value, among: parameters.union(known))
                ?? "declare it under `models`, or as a type parameter")
    }
}
