import SecretNames
import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Finds what a request holds that is a secret: because the spec says so, because its name does, or
/// because it comes from the credential.
struct SecretFinder {
    /// A secret, as people are told of it.
    struct Secret {
        /// What it is called.
        var shown: String
        /// Where it comes from, if that is not where the request is described.
        var note: Diagnostic.Note?
    }

    private var fields: [String: [Field]] = [:]
    private let places: [String: [String: Span]]

    /// - Parameter places: Where fields are declared, by model and Swift name.
    init(_ api: API, _ places: [String: [String: Span]]) {
        self.places = places
        var open = api.groups.flatMap(\.models)
        while let model = open.popLast() {
            open += model.nested
            if case .object(let fields) = model.kind { self.fields[model.qualifiedName] = fields }
        }
    }

    /// The parameter itself, or a field of what it is made of.
    func first(in parameter: Parameter) -> Secret? {
        if parameter.isSecret { return Secret(shown: parameter.key) }
        return first(below: parameter.value.type.models)
    }

    /// The nearest field that is a secret, in models and in all that they hold. Models may hold one
    /// another.
    private func first(below roots: [String]) -> Secret? {
        var seen = Set(roots)
        var open = roots
        var next = 0
        while next < open.count {
            let model = open[next]
            next += 1
            let fields = fields[model] ?? []
            if let field = fields.first(where: \.isSecret) {
                return Secret(
                    shown: field.key,
                    note: places[model]?[field.name].map {
                        Diagnostic.Note("it is a field of `\(model)`", at: $0)
                    })
            }
            open += fields.flatMap(\.value.type.models).filter { seen.insert($0).inserted }
        }
        return nil
    }
}

extension Field {
    fileprivate var isSecret: Bool { isSensitive || SecretName.isSuspicious(key) }
}

extension Parameter {
    fileprivate var isSecret: Bool {
        if case .credential = presence { return true }
        let hasSecretName =
            location == .header ? SecretName.isSecretHeader(key) : SecretName.isSuspicious(key)
        return isSensitive || hasSecretName
    }
}
