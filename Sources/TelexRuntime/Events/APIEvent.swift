#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that happened to a call, for logs and for the curious. Holds no secrets.
public struct APIEvent: Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Sendable {
        /// It waits for its turn.
        case queued
        /// It was stopped for a while.
        case suspended
        /// It goes on after it was stopped.
        case resumed
        /// It waits for a new credential, and why.
        case postponed(because: String)
        /// It will be sent again after this time, and why.
        case retrying(after: Duration, because: String)
        /// It will not be sent again, and why.
        case notRetried(because: String)
        /// It was refused, because it was started again too soon.
        case throttled(until: Date)
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
    /// The identity of the operation.
    public let operation: OperationID
    /// The number of the attempt, from 1; 0 before the first.
    public let attempt: Int
    /// The marks that the caller gave the call.
    public let tags: Set<String>
    /// What happened.
    public let kind: Kind

    /// One line for a log.
    public var description: String {
        switch kind {
        case .queued: "… \(method) waits for its turn"
        case .suspended: "‖ \(method) is suspended"
        case .resumed: "▶ \(method) goes on"
        case .postponed(let why): "… \(method) waits for a new credential, because \(why)"
        case .retrying(let time, let why): "↻ \(method) is sent again in \(time), because \(why)"
        case .notRetried(let why): "✗ \(method) is not sent again, because \(why)"
        case .throttled: "✗ \(method) was started again too soon"
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

extension APIEvent.Kind {
    init(_ decision: EngineDecision, _ engine: Engine) {
        switch decision {
        case .queued: self = .queued
        case .suspended: self = .suspended
        case .resumed: self = .resumed
        case .postponed(let reason): self = .postponed(because: reason)
        case .retrying(let time, let reason): self = .retrying(after: time, because: reason)
        case .notRetried(let reason): self = .notRetried(because: reason)
        case .throttled(let moment): self = .throttled(until: engine.date(of: moment))
        }
    }
}
