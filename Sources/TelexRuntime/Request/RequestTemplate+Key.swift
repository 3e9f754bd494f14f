import HTTPTypes
import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RequestTemplate {
    /// A key of the call's own, if its method has one and the caller gives none.
    var newIdempotencyKey: String? {
        guard let name = endpoint.operation.idempotencyKey,
            !headers.contains(where: { $0.name.lowercased() == name.lowercased() })
        else { return nil }
        return UUID().uuidString
    }

    /// What is wrong with a key that the caller gives.
    func problem(withKey key: String?) -> Violation? {
        guard let key else { return nil }
        guard let name = endpoint.operation.idempotencyKey else {
            return Self.keyProblem(
                "none: in the spec, `\(method)` has no `idempotency-key`", "a key")
        }
        guard key.isEmpty || !HTTPField.isValidValue(key) else { return nil }
        return Self.keyProblem(
            key.isEmpty ? "a text that is not empty" : RequestBuilder.headerValue,
            Redactor.isSecretHeader(name) ? Redactor.mark : Violation.quoted(key))
    }

    private static func keyProblem(_ expected: String, _ found: String) -> Violation {
        Violation(
            path: "idempotencyKey", rule: "idempotency-key", expected: expected, found: found)
    }
}

extension RequestDraft {
    /// Gives the call its key: the same one in all attempts, so that the server recognises a
    /// repetition.
    mutating func add(idempotencyKey key: String) {
        guard let name = endpoint.operation.idempotencyKey else { return }
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(RequestField(name: name, .text(key)))
    }
}
