#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that happened to a call, for logs and for the curious. Holds no secrets.
public struct APIEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// The operation was started.
        case started
        /// It has been started and waits for its turn, and why.
        case queued(because: String)
        /// It was stopped for a while.
        case suspended
        /// It goes on after it was stopped.
        case resumed
        /// It waits for a new credential, and why.
        case postponed(because: String)
        /// It will be sent again after this time, and why.
        case retrying(after: Duration, because: String)
        /// It would be sent again, but will not be, and why.
        case notRetried(because: String)
        /// It was refused, because it was started again too soon.
        case throttled(until: Date)
        /// A request is handed to the transport.
        case sending(RequestRecord)
        /// Its host wants to be left alone for so long, and is: by all calls of the API.
        case hostPaused(for: Duration)
        /// The server sent the call elsewhere.
        case redirected(status: Int, to: String)
        /// A reply is there, as far as anybody wanted it.
        case received(ExchangeRecord)
        /// The transport failed, before the head of a reply or after it.
        case disconnected(ExchangeRecord)
        /// A new credential is being got, for all calls that wait for it.
        case refreshStarted
        /// There is a new credential.
        case refreshEnded
        /// There is no new credential, and why.
        case refreshFailed(because: String)
        /// The call succeeded.
        case succeeded
        /// The call failed.
        case failed(APIError)
        /// The call was cancelled.
        case cancelled
        /// The call was given up for a reason outside of it, as that something it depends on failed. Of
        /// an error that is not Telex's own, as the body of a group may throw it, only the type is told.
        case abandoned(because: String)
    }

    /// When it happened.
    public let date: Date
    /// When it happened on the clock that never goes back: the time since a moment in the past that
    /// is the same for all events of a process.
    public let elapsed: Duration
    /// The API's name.
    public let api: String
    /// The API's name of the method; empty for what concerns the API as a whole: a refresh, and the
    /// requests for tokens that it sends.
    public let method: String
    /// The identity of the operation; nil for what concerns the API as a whole.
    public let operation: OperationID?
    /// The number of the attempt, from 1; 0 before the first.
    public let attempt: Int
    /// On whose behalf the operation runs.
    public let owner: OperationOwner?
    /// The marks that the caller gave the call.
    public let tags: Set<String>
    /// What happened.
    public internal(set) var kind: Kind
    /// Whether the operation is the one request of several calls, which belongs to none of them.
    package var isShared = false
}

extension APIEvent: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch kind {
        case .started: "▷ \(method) is started"
        case .queued(let why): "… \(method) waits for its turn, because \(why)"
        case .suspended: "‖ \(method) is suspended"
        case .resumed: "▶ \(method) goes on"
        case .postponed(let why): "… \(method) waits for a new credential, because \(why)"
        case .retrying(let time, let why):
            "↻ \(method) is sent again in \(time.inWords), because \(why)"
        case .notRetried(let why): "✗ \(method) is not sent again, because \(why)"
        case .throttled: "✗ \(method) was started again too soon"
        case .sending(let request): "→ \(subject): \(request)"
        case .hostPaused(let time): "‖ \(method): its host is left alone for \(time.inWords)"
        case .redirected(let status, let address): "↪ \(method): \(status) to \(address)"
        case .received(let exchange): "← \(subject): \(exchange.replyWords)"
        case .disconnected(let exchange): "✗ \(subject): \(exchange.failure?.message ?? "no reply")"
        case .refreshStarted: "⟳ \(api) gets a new credential"
        case .refreshEnded: "⟳ \(api) has a new credential"
        case .refreshFailed(let why): "✗ \(api) has no new credential, because \(why)"
        case .succeeded: "✓ \(method)"
        case .failed(let error):
            // That of a group is the error of one of its steps.
            error.method == method ? "✗ \(error)" : "✗ \(method) failed, because \(error)"
        case .cancelled: "✗ \(method) was cancelled"
        case .abandoned(let why): "✗ \(method) was given up, because \(why)"
        }
    }
}

extension APIEvent {
    /// What is sent: a call, or the request for a token that all calls wait for.
    var subject: String { method.isEmpty ? "token of \(api)" : method }
}

extension ExchangeRecord {
    fileprivate var replyWords: String {
        guard let reply else { return "no reply" }
        return "\(reply.status), \(reply.type ?? "no type"), \(reply.size) bytes"
    }
}

extension APIEvent.Kind {
    init(_ decision: EngineDecision, _ engine: Engine) {
        switch decision {
        case .started: self = .started
        case .queued(let reason): self = .queued(because: reason)
        case .suspended: self = .suspended
        case .resumed: self = .resumed
        case .postponed(let reason): self = .postponed(because: reason)
        case .retrying(let time, let reason): self = .retrying(after: time, because: reason)
        case .notRetried(let reason): self = .notRetried(because: reason)
        case .throttled(let moment): self = .throttled(until: engine.date(of: moment))
        }
    }
}
