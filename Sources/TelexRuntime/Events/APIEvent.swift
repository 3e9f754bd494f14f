/// Something that happened to a call, for logs and for the curious. Holds no secrets.
public struct APIEvent: Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable {
        /// A request is sent; in the manner of `curl`.
        case sending(request: String)
        /// The server sent the call elsewhere.
        case redirected(status: Int, to: String)
        /// A reply is there, with so many bytes of body.
        case received(status: Int, type: String?, bytes: Int)
        /// The call succeeded.
        case succeeded
        /// The call failed.
        case failed(APIError)
        /// The call was cancelled.
        case cancelled
    }

    /// The API's name.
    public let api: String
    /// The API's name of the method.
    public let method: String
    /// The number of the attempt, from 1.
    public let attempt: Int
    /// The marks that the caller gave the call.
    public let tags: Set<String>
    /// What happened.
    public let kind: Kind

    /// One line for a log.
    public var description: String {
        switch kind {
        case .sending(let request): "→ \(method): \(request)"
        case .redirected(let status, let address): "↪ \(method): \(status) to \(address)"
        case .received(let status, let type, let bytes):
            "← \(method): \(status), \(type ?? "no type"), \(bytes) bytes"
        case .succeeded: "✓ \(method)"
        case .failed(let error): "✗ \(error)"
        case .cancelled: "✗ \(method) was cancelled"
        }
    }
}
