#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RequestTemplate {
    /// Gives the call a key of its own, if its method has one. It is the same in all attempts, so
    /// that the server recognises a repetition.
    mutating func addIdempotencyKey() {
        guard let name = endpoint.operation.idempotencyKey,
            !headers.contains(where: { $0.name.lowercased() == name.lowercased() })
        else { return }
        let key = UUID().uuidString
        headers.append(RequestField(name: name, pairs: [.init(name: name, texts: [key])]))
    }
}
