import TelexInspection
public import TelexJSON
import TelexRequests
import TelexScheduling

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An event in the life of a call, for logs, metrics and tools. It contains no secrets.
public struct APIEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// The operation was started.
        case started
        /// The operation was started and waits in the queue, with the reason.
        case queued(because: String)
        /// The operation was suspended.
        case suspended
        /// The operation was resumed.
        case resumed
        /// The operation waits for a new credential, with the reason.
        case postponed(because: String)
        /// The operation will be retried after this delay, with the reason. Without a delay, within
        /// the same attempt, if the request was lost with a kept connection that was closed.
        case retrying(after: Duration, because: String)
        /// The operation will not be retried although its failure allows it, with the reason.
        case notRetried(because: String)
        /// The operation was refused, because it was started again before the throttle interval
        /// ended.
        case throttled(until: Date)
        /// A request is handed to the transport.
        case sending(RequestRecord)
        /// The host asked for a pause. It applies to all calls of the API to this host.
        case hostPaused(for: Duration)
        /// The server redirected the call.
        case redirected(status: Int, to: String)
        /// A reply was received, as far as its body was read.
        case received(ExchangeRecord)
        /// The call is answered with a stored reply of this age.
        case fromCache(ReplySource, age: Duration)
        /// A reply, or an element of a stream, deviates from its description, and its value is used
        /// in spite of these violations.
        case drifted([Violation])
        /// The transport failed, before or after the reply head.
        case disconnected(ExchangeRecord)
        /// A refresh of the credential has started, for all calls that wait for it.
        case refreshStarted
        /// The refresh succeeded.
        case refreshEnded
        /// The refresh failed, with the reason.
        case refreshFailed(because: String)
        /// The call succeeded.
        case succeeded
        /// The call failed.
        case failed(APIError)
        /// The call was cancelled.
        case cancelled
        /// The call ended for an external reason, such as the failure of a dependency. For errors
        /// that are not Telex's own, such as those thrown by the body of a group, only the type is
        /// given.
        case abandoned(because: String)
    }

    /// The wall-clock time of the event.
    public let date: Date
    /// The monotonic time of the event: the time since a fixed moment in the past, which is the
    /// same for all events of a process.
    public let elapsed: Duration
    /// The API's name.
    public let api: String
    /// The name of the method in the API. Empty for events of the API as a whole: a refresh and its
    /// token requests.
    public let method: String
    /// The identity of the operation; `nil` for events of the API as a whole.
    public let operation: OperationID?
    /// The number of the attempt, from 1; 0 before the first attempt.
    public let attempt: Int
    /// The owner of the operation.
    public let owner: OperationOwner?
    /// The tags that the caller set on the call.
    public let tags: Set<String>
    /// The named queue that the operation waits in; `nil` for none.
    public internal(set) var queue: String? = nil
    /// The kind of the event.
    public internal(set) var kind: Kind
    /// Whether the operation is a coalesced request, which belongs to no single call.
    package var isShared = false
}

extension APIEvent: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch kind {
        case .started: "▷ \(method) is started"
        case .queued(let why): "… \(method) is queued, because \(why)"
        case .suspended: "‖ \(method) is suspended"
        case .resumed: "▶ \(method) is resumed"
        case .postponed(let why): "… \(method) waits for a new credential, because \(why)"
        case .retrying(let time, let why):
            "↻ \(method) is retried in \(time.roundedDescription), because \(why)"
        case .notRetried(let why): "✗ \(method) is not retried, because \(why)"
        case .throttled: "✗ \(method) was started again too soon"
        case .sending(let request): "→ \(subject): \(request)"
        case .hostPaused(let time): "‖ \(method): its host is paused for \(time.roundedDescription)"
        case .redirected(let status, let address): "↪ \(method): \(status) to \(address)"
        case .received(let exchange): "← \(subject): \(exchange.replyWords)"
        case .fromCache(let source, let age):
            "⌂ \(method): \(source.words), \(age.roundedDescription) old"
        case .drifted(let violations): "⚠ \(method): \(violations.summary)"
        case .disconnected(let exchange): "✗ \(subject): \(exchange.failure?.message ?? "no reply")"
        case .refreshStarted: "⟳ \(api) gets a new credential"
        case .refreshEnded: "⟳ \(api) has a new credential"
        case .refreshFailed(let why): "✗ \(api) has no new credential, because \(why)"
        case .succeeded: "✓ \(method)"
        case .failed(let error):
            // The error of a group is the error of one of its steps.
            error.method == method ? "✗ \(error)" : "✗ \(method) failed, because \(error)"
        case .cancelled: "✗ \(method) was cancelled"
        case .abandoned(let why): "✗ \(method) was abandoned, because \(why)"
        }
    }
}

extension APIEvent {
    /// The subject of a log line: the method, or the token request of the API.
    var subject: String { method.isEmpty ? "token of \(api)" : method }
}

extension [Violation] {
    /// The first violation, and how many there are.
    fileprivate var summary: String {
        guard let first else { return "no violation" }
        return count == 1 ? first.description : "\(first), and \(count - 1) more violations"
    }
}

extension ExchangeRecord {
    fileprivate var replyWords: String {
        guard let reply else { return "no reply" }
        return "\(reply.status), \(reply.type ?? "no type"), \(reply.size) bytes"
    }
}
