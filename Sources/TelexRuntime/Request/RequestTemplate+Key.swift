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

}

extension RequestDraft {
    /// Gives the call its key: the same one in all attempts, so that the server recognises a
    /// repetition.
    mutating func add(idempotencyKey key: String) {
        guard let name = endpoint.operation.idempotencyKey else { return }
        headers.append(RequestField(name: name, .text(key)))
    }
}
