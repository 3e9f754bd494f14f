import HTTPTypes
import TelexInspection
import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RequestTemplate {
    /// A new idempotency key, if the method uses one and the caller gives none.
    var newIdempotencyKey: String? {
        guard let name = endpoint.operation.idempotencyKey,
            !headers.contains(where: { $0.name.lowercased() == name.lowercased() })
        else { return nil }
        return UUID().uuidString
    }

    /// Returns the violation of an idempotency key that the caller gives; nil if it is valid.
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
    /// Sets the call's idempotency key, which is the same in all attempts so that the server
    /// recognises a repeated request.
    mutating func add(idempotencyKey key: String) {
        guard let name = endpoint.operation.idempotencyKey else { return }
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(RequestField(name: name, content: .text(key)))
    }
}
