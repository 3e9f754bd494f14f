import HTTPTypes
import TelexInspection
import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RequestTemplate {
    /// A new id of the call, or idempotency key, if the method uses one and the caller gives none.
    package var newKey: String? {
        switch callIDForm {
        // JSON numbers up to 2^53 are exact in every language (RFC 8259 §6).
        case .integer: return String(Int64.random(in: 1...(1 << 53)))
        case .text, .given: return UUID().uuidString
        case nil: break
        }
        guard let name = endpoint.operation.idempotencyKey,
            !headers.contains(where: { $0.name.lowercased() == name.lowercased() })
        else { return nil }
        return UUID().uuidString
    }

    /// Returns the violation of an idempotency key that the caller gives; nil if it is valid.
    package func problem(withKey key: String?) -> Violation? {
        guard let key else { return nil }
        if let callIDForm { return problem(withID: key, callIDForm) }
        guard let name = endpoint.operation.idempotencyKey else {
            return Self.keyProblem(
                "none: in the spec, `\(method)` has no `idempotency-key`", "a key")
        }
        guard key.isEmpty || !HTTPField.isValidValue(key) else { return nil }
        return Self.keyProblem(
            key.isEmpty ? "a text that is not empty" : RequestBuilder.headerValue,
            Redactor.isSecretHeader(name) ? Redactor.mark : Violation.quoted(key))
    }

    /// Returns the violation of an id that the caller gives; nil if it fits all its places.
    private func problem(withID id: String, _ form: RequestTemplate.CallID) -> Violation? {
        var expected: String?
        if case .integer = form, Int64(id)?.description != id { expected = "an integer" }
        let isInHeader =
            endpoint.operation.idempotencyKey != nil || headers.contains(where: \.isCallID)
        if isInHeader, !HTTPField.isValidValue(id) { expected = RequestBuilder.headerValue }
        let isUnsafe = path.contains {
            $0.isCallID && !PathPlaceholder($0.name, of: endpoint.path).allows(id)
        }
        if isUnsafe || id.isEmpty { expected = "a text that can be part of a path" }
        return expected.map { Self.keyProblem($0, Violation.quoted(id)) }
    }

    private static func keyProblem(_ expected: String, _ found: String) -> Violation {
        Violation(
            path: "idempotencyKey", rule: "idempotency-key", expected: expected, found: found)
    }
}

extension RequestTemplate {
    /// Replaces the id of the call with this one.
    package mutating func add(callID id: String) {
        guard callIDForm != nil else { return }
        callIDForm = .given(id)
        path = path.map { $0.withCallID(id) }
        query = query.map { $0.withCallID(id) }
        headers = headers.map { $0.withCallID(id) }
        form = form.map { field in
            if case .field(let field) = field { .field(field.withCallID(id)) } else { field }
        }
    }

    /// Sets the call's idempotency key, which is the same in all attempts so that the server
    /// recognises a repeated request.
    package mutating func add(idempotencyKey key: String) {
        guard let name = endpoint.operation.idempotencyKey else { return }
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(RequestField(name: name, content: .text(key)))
    }
}
