import SpecDiagnostics
import SpecSyntax

/// The paths at which the fields of a model are read. No two fields read the same value, or a value
/// inside that of another.
struct FieldPaths {
    private var places: [[String]: Span] = [:]

    /// Adds a field; reports one that reads the value of another.
    mutating func add(_ field: ParameterSyntax, into bag: inout DiagnosticBag) {
        if field.isAdditional { return }
        if let at = field.type.attributes.at, let key = field.type.attributes.key {
            bag.report(
                .conflict, "`at` cannot be combined with `key`", at: at.span,
                notes: [Diagnostic.Note("`key` is here", at: key.span)],
                help: "`at: a.b` leads through objects; `key: a.b` is one key with a dot")
        }
        let span = field.type.attributes.at?.span ?? field.sentKey.span
        guard let first = places.updateValue(span, forKey: field.path) else { return }
        bag.report(
            .duplicateField, "key `\(field.path.joined(separator: "."))` is read by two fields",
            at: span, notes: [Diagnostic.Note("first declared here", at: first)],
            help: "remove one of them; `key` sets the key of the JSON object")
    }

    /// Reports paths through a value that another field reads.
    func checkSteps(into bag: inout DiagnosticBag) {
        for (path, span) in places {
            for count in 1..<max(path.count, 1) {
                guard let outer = places[Array(path.prefix(count))] else { continue }
                bag.report(
                    .duplicateField,
                    "the path leads through `\(path.prefix(count).joined(separator: "."))`, which is "
                        + "read by another field", at: span,
                    notes: [Diagnostic.Note("it is read here", at: outer)],
                    help: "add the value to the model of that field; for a single key with a dot, "
                        + "write `key` instead of `at`")
            }
        }
    }
}

extension ParameterSyntax {
    /// The keys that lead to the value of a field.
    var path: [String] { type.attributes.at?.value ?? [sentKey.value] }
}
