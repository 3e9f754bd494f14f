import Foundation
import HTTPTypes
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state of an exchange and its waiting continuations. Each event returns the actions to
/// perform.
struct SessionExchangeState {
    /// The head of a reply and the declared length of its body, if known.
    struct Head: Sendable {
        let response: HTTPResponse
        let length: Int?
    }
    typealias HeadWaiter = CheckedContinuation<Result<Head, TransportError>, Never>
    typealias ChunkWaiter = CheckedContinuation<Result<[UInt8]?, TransportError>, Never>

    private let limit: Int
    private let asksForHeadOnly: Bool
    private var head: Head?
    private var outcome: Result<Void, TransportError>?
    private var buffer: [UInt8] = []
    private var received = 0
    private var headWaiter: HeadWaiter?
    private var chunkWaiter: ChunkWaiter?

    /// When a byte was last sent or received or, before the first byte, when the exchange
    /// presumably got a connection; nil while it waits for one.
    private var lastActivity: ContinuousClock.Instant?
    /// Whether a byte is known to have been sent or received.
    private(set) var hasActivity = false
    /// Whether bytes of the body were sent.
    private var hasSent = false
    /// Whether back-pressure is applied to the connection.
    private(set) var isPaused = false

    init(limit: Int, asksForHeadOnly: Bool) {
        self.limit = max(0, limit)
        self.asksForHeadOnly = asksForHeadOnly
    }

    var hasEnded: Bool { outcome != nil }

    // MARK: Events

    mutating func waitForHead(_ waiter: HeadWaiter) -> Actions {
        headWaiter = waiter
        return settle()
    }

    mutating func waitForChunk(_ waiter: ChunkWaiter) -> Actions {
        guard chunkWaiter == nil else {
            return Actions(chunk: (waiter, .failure(.secondReader)))
        }
        chunkWaiter = waiter
        return settle()
    }

    /// Records that bytes of the body were sent.
    mutating func sent() {
        recordActivity()
        hasSent = true
    }

    private mutating func recordActivity() {
        lastActivity = .now
        hasActivity = true
    }

    mutating func receive(_ response: URLResponse, withoutBody: Bool = false) -> Actions {
        recordActivity()
        guard head == nil, outcome == nil, !response.isInterim else { return Actions() }
        let head: Head
        do throws(TransportError) {
            head = try Head(response, hasBody: !withoutBody && !asksForHeadOnly)
        } catch {
            return end(.failure(error))
        }
        self.head = head
        if let length = head.length, length > limit {
            return end(.failure(.tooLarge(limit: limit)))
        }
        return settle()
    }

    /// - Parameter unreadLimit: The number of unread bytes above which the connection is closed;
    ///   nil for no limit.
    mutating func receive(_ bytes: [UInt8], unreadLimit: Int? = nil) -> Actions {
        recordActivity()
        guard outcome == nil else { return Actions() }
        guard bytes.count <= limit - received else {
            return end(.failure(.tooLarge(limit: limit)))
        }
        received += bytes.count
        if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
        let actions = settle()
        let isWhole = head?.length == received
        guard let unreadLimit, buffer.count > unreadLimit, !isWhole else { return actions }
        return actions + end(.failure(.readerHeld))
    }

    /// Handles the end of the task.
    mutating func complete(_ response: URLResponse?, _ error: (any Error)?) -> Actions {
        if let error { return end(.failure(failure(error))) }
        var actions = Actions()
        if head == nil, let response {
            actions = receive(response, withoutBody: received == 0)
        }
        guard let head else { return actions + end(.failure(.noHead)) }
        if let length = head.length, received < length {
            return actions + end(.failure(.truncated(received: received, expected: length)))
        }
        // corelibs-foundation merges fields whose names differ in case, so the length may be that
        // of another field.
        if let length = head.length, received > length {
            let problem = "the reply declares \(length) bytes, but \(received) were received"
            return actions + end(.failure(TransportError(.other, problem)))
        }
        return actions + end(.success(()))
    }

    /// Ends the exchange. Only the first call has an effect.
    mutating func end(_ outcome: Result<Void, TransportError>) -> Actions {
        guard self.outcome == nil else { return Actions() }
        self.outcome = outcome
        var actions = settle()
        actions.endsTask = true
        return actions
    }

    // MARK: Decisions

    /// Resumes the waiters for which a result is available.
    private mutating func settle() -> Actions {
        var actions = Actions()
        if let waiter = headWaiter, let answer = headAnswer {
            headWaiter = nil
            actions.head = (waiter, answer)
        }
        if let waiter = chunkWaiter, let answer = takeChunkAnswer() {
            chunkWaiter = nil
            actions.chunk = (waiter, answer)
        }
        return actions
    }

    private var headAnswer: Result<Head, TransportError>? {
        if let head { return .success(head) }
        return switch outcome {
        case .none: nil
        case .success: .failure(.noHead)
        case .failure(let error): .failure(error)
        }
    }

    /// Received bytes are returned before an error, but not after a cancellation.
    private mutating func takeChunkAnswer() -> Result<[UInt8]?, TransportError>? {
        if case .failure(let error) = outcome, error.kind == .cancelled { return .failure(error) }
        if !buffer.isEmpty {
            defer { buffer = [] }
            return .success(buffer)
        }
        return outcome.map { $0.map { nil } }
    }

    private func failure(_ error: any Error) -> TransportError {
        TransportError(
            error, hasSent: hasSent, received: head == nil ? nil : received, of: head?.length)
    }

    // MARK: Idle time-out and back-pressure

    /// Starts the idle time-out, because the exchange presumably has a connection and waits for the
    /// server.
    mutating func connect() {
        if !hasActivity { lastActivity = .now }
    }

    func timeLeft(of timeout: Duration) -> Duration {
        guard let lastActivity, !isPaused else { return timeout }
        return timeout - (.now - lastActivity)
    }

    /// Whether the reader of a running exchange has left at least this number of bytes.
    func isBehind(by count: Int) -> Bool { outcome == nil && buffer.count >= count }

    /// Returns whether to apply (`true`) or to end (`false`) back-pressure; `nil` if nothing
    /// changes.
    mutating func changePause() -> Bool? {
        let isBehind = isBehind(by: 1_048_576)
        guard outcome == nil, isBehind != isPaused else { return nil }
        isPaused = isBehind
        if !isPaused { lastActivity = .now }
        return isPaused
    }
}

extension SessionExchangeState {
    /// The actions to perform after the lock is released.
    struct Actions {
        var head: (HeadWaiter, Result<Head, TransportError>)?
        var chunk: (ChunkWaiter, Result<[UInt8]?, TransportError>)?
        var endsTask = false

        func wake() {
            if let (waiter, result) = head { waiter.resume(returning: result) }
            if let (waiter, result) = chunk { waiter.resume(returning: result) }
        }

        /// Combines the actions. No waiter is resumed twice, so neither side overrides the other.
        static func + (first: Actions, second: Actions) -> Actions {
            Actions(
                head: first.head ?? second.head, chunk: first.chunk ?? second.chunk,
                endsTask: first.endsTask || second.endsTask)
        }
    }
}
