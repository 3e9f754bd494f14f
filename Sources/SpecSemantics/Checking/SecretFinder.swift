import SpecDiagnostics
import SpecIR
import SpecSecretNames
import SpecSyntax

/// Finds the secrets of a request: sensitive values, suspicious names and values of the credential.
struct SecretFinder {
    /// A secret as shown in messages.
    struct Secret {
        /// Its name.
        var shown: String
        /// The note at its declaration, if that is not in the method.
        var note: Diagnostic.Note?
    }

    private let models: [String: Model]
    private let places: [String: [String: Span]]

    /// - Parameter places: The spans of fields, by model and Swift name.
    init(_ models: [Model], _ places: [String: [String: Span]]) {
        self.places = places
        self.models = models.byName
    }

    /// The parameter itself, or a field of its type.
    func first(in parameter: ResolvedParameter) -> Secret? {
        if parameter.isSecret { return Secret(shown: parameter.key) }
        return first(below: parameter.value.type.models)
    }

    /// The nearest secret field in models and the models that they contain. Models may be
    /// recursive.
    private func first(below roots: [String]) -> Secret? {
        var seen = Set(roots)
        var open = roots
        var next = 0
        while next < open.count {
            let model = open[next]
            next += 1
            if let field = models[model]?.secretField {
                return Secret(
                    shown: field.key,
                    note: places[model]?[field.name].map {
                        Diagnostic.Note("it is a field of `\(model)`", at: $0)
                    })
            }
            let values = models[model]?.values ?? []
            open += values.flatMap(\.type.models).filter { seen.insert($0).inserted }
        }
        return nil
    }
}

extension Model {
    fileprivate var secretField: Field? {
        guard case .object(let fields) = kind else { return nil }
        return fields.first(where: \.isSecret)
    }
}

extension Field {
    fileprivate var isSecret: Bool { isSensitive || SecretName.isSuspicious(key) }
}

extension ResolvedParameter {
    fileprivate var isSecret: Bool {
        if case .credential = presence { return true }
        let hasSecretName =
            location == .header ? SecretName.isSecretHeader(key) : SecretName.isSuspicious(key)
        return isSensitive || hasSecretName
    }
}
