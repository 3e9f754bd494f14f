import TelexJSON
import TelexRequests
import TelexScheduling

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The part of a `NetworkOperation` that does not depend on its output type. Lists of operations,
/// owners and queues work with it.
public class OperationHandle: @unchecked Sendable {  // stores constants, Locks and atomics
    /// Makes an attempt. Like everything that an attempt calls, it stays on the caller's executor,
    /// because returning there after each step would cost more than most steps do.
    typealias Work = nonisolated(nonsending) @Sendable (AttemptContext) async -> AttemptEnd

    /// The identity of the operation; unique, and the same in all attempts.
    public let id: OperationID
    let engine: Engine
    let attributes: OperationAttributes
    let live: Lock<OperationLife>
    let listeners = OperationListeners()
    /// Whether the operation's events have been requested; readable without a lock, because it is
    /// checked for each event.
    let isWatched = AtomicFlag()

    // `@unchecked`, because the compiler does not accept a class with subclasses as `Sendable`.
    // Only this module can subclass it, and its one subclass stores nothing.

    /// - Parameters:
    ///   - id: An identity that no other started operation has.
    ///   - work: Makes an attempt; its product must have the operation's output type.
    init(
        engine: Engine, attributes: OperationAttributes = OperationAttributes.none,
        id: OperationID = .next(), work: @escaping Work
    ) {
        self.id = id
        self.engine = engine
        self.attributes = attributes
        live = Lock(OperationLife(work: work))
    }
}

// MARK: Facts

extension OperationHandle {
    /// The API's name of the method, or the name of a group; empty for the operations of fakes.
    public var method: String { attributes.method }
    /// What the operation does with the reply; nil if it sends no request itself, as a group.
    public var kind: OperationRules.Kind? { attributes.kind }
    /// The owner of the operation; nil for none. See ``CallOptions/owner``.
    public var owner: OperationOwner? { attributes.owner }
    /// The caller's tags; empty by default. See ``CallOptions/tags``.
    public var tags: Set<String> { attributes.tags }
    /// The priority among waiting operations: the call's, or else its method's. The priority of a
    /// group is also the default of the operations that its body creates. `.normal` if none is set.
    public var priority: CallPriority { attributes.priority }

    /// The named queue that the operation waits in, or that of the request that it shares; nil for
    /// none.
    public var queue: String? { attributes.queue }

    /// When the throttle would let the operation start, at the earliest; nil if it would let it
    /// start now, or there is no throttle. As long as another call bars it until its end, this is
    /// the time that holds if that call ends now. Limits and queues are not considered.
    public var throttledUntil: Date? {
        guard let key = attributes.throttle, case .ready = state else { return nil }
        return engine.throttleDelay(key).map(engine.date)
    }

    /// Whether the operation's end is decided. The end may not have been announced yet, and a
    /// failure may still be diagnosed.
    var isSettled: Bool { engine.isSettled(id) ?? hasOutcome }

    /// The current state. Any thread may read it at any time; ``states`` delivers its changes.
    public var state: OperationState {
        if let end = live.withLock({ $0.end }) { return end }
        if let (phase, attempt) = engine.phase(of: id) {
            return engine.state(phase, attempt: attempt)
        }
        return live.withLock { $0.end } ?? .ready
    }

    /// The attempts that have ended so far. If there are more than 100, as for a stream that is
    /// open for days, the first and the most recent ones.
    public var attempts: [OperationAttempt] { live.withLock { $0.attempts } }
}

// MARK: Controls

extension OperationHandle {
    /// Starts the operation: it waits for its turn and is sent. If it has been started, this does
    /// nothing, except that a suspended operation resumes; a step of a suspended group does so only
    /// when the group resumes.
    ///
    /// - Returns: The operation: `let call = gallery.pictures.list().start()`.
    @discardableResult
    public func start() -> Self {
        if !begin(), state == .suspended { resumeUnlessHeld() }
        return self
    }

    /// Starts the operation if it has not been started. A suspended operation stays suspended.
    ///
    /// - Returns: Whether this call started it.
    @discardableResult
    package func begin() -> Bool { begin(for: engine.privilegedTask) }

    /// - Parameter privilegedTask: The privileged task that the operation is part of.
    @discardableResult
    func begin(for privilegedTask: PrivilegedTask?) -> Bool {
        announceStart()
        if let privilegedTask {
            live.withLock {
                if !$0.isRegistered { $0.requireColdState().privilegedTask = privilegedTask }
            }
        }
        let isFirst = engine.send(
            .start(
                id, attributes.scheduling, isBlocked: attributes.prerequisites != nil,
                privilege: privilegedTask?.scheme),
            from: self)
        if isFirst { attributes.prerequisites?.whenSettled { [weak self] in self?.unblock($0) } }
        return isFirst
    }

    private func unblock(_ failure: OperationError?) {
        if let failure { fail(with: failure) } else { engine.send(.unblock(id)) }
    }

    /// Suspends the operation. It keeps what it has received, and gives its turn to another
    /// operation. Does nothing before the start and after the end.
    public func suspend() {
        live.withLock { $0.isSuspendedItself = $0.isRegistered }
        engine.send(.suspend(id))
    }

    /// Resumes the operation after ``suspend()`` when its turn comes, even if it is a step of a
    /// suspended group. Otherwise does nothing.
    public func resume() {
        live.withLock { $0.isSuspendedItself = false }
        engine.send(.resume(id))
    }

    /// Cancels the operation: all waiters get a `CancellationError`, and an attempt in flight is
    /// stopped and ignored. Does nothing after the end.
    public func cancel() { engine.send(.cancel(id), from: self) }

    /// The operation and, if it is a group, everything that it runs, to any depth; a group comes
    /// before its members.
    var tree: [OperationHandle] {
        var (all, open): ([OperationHandle], [OperationHandle]) = ([], [self])
        // Avoids endless recursion: a group that has ended may still list members, and one of these
        // may run it.
        var groups: Set<OperationID> = []
        while let next = open.popLast() {
            guard next.kind != nil || groups.insert(next.id).inserted else { continue }
            all.append(next)
            open += next.members.reversed()
        }
        return all
    }

    /// The operations that it runs, if it is a group.
    var members: [OperationHandle] { existingLinks?.members ?? [] }

    /// Starts, suspends or resumes the operation, as a play/pause button does. Does nothing after
    /// its end.
    ///
    /// - Returns: The state after the call.
    @discardableResult
    public func toggle() -> OperationState {
        switch state {
        case .ready: start()
        case .suspended: resume()
        case .queued, .running, .waiting, .postponed: suspend()
        case .succeeded, .failed, .cancelled: break
        }
        return state
    }
}

// MARK: The end

extension OperationHandle {
    /// Starts the operation if it has not been started, and waits for its end. A task that is
    /// cancelled already does not start it, unless `cancelling` is true.
    ///
    /// - Parameter cancelling: Whether cancelling the waiting task cancels the operation; otherwise
    ///   only this task stops waiting.
    /// - Throws: `CancellationError` if the task stops waiting.
    nonisolated(nonsending) func waitForEnd(cancelling: Bool) async throws {
        let number = OperationID.next().number
        try await withTaskCancellationHandler {
            if cancelling || !Task.isCancelled { beginHere() }
            try await withCheckedThrowingContinuation {
                wait($0, number: number, cancelling: cancelling)
            }
        } onCancel: {
            if cancelling { cancel() } else { stopWaiting(number) }
        }
    }

    /// Resumes the continuation when the operation ends, at once if it has ended.
    private func wait(
        _ continuation: CheckedContinuation<Void, any Error>, number: UInt64, cancelling: Bool
    ) {
        let answer = live.withLock { live -> Result<Void, any Error>? in
            if live.end != nil { return .success(()) }
            if !cancelling, Task.isCancelled { return .failure(CancellationError()) }
            live.waiters.append(.init(number: number, continuation: continuation))
            return nil
        }
        if let answer { continuation.resume(with: answer) }
    }

    private func stopWaiting(_ number: UInt64) {
        let waiter = live.withLock { live in
            live.waiters.firstIndex { $0.number == number }.map { live.waiters.remove(at: $0) }
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    /// Whether the outcome is known.
    var hasOutcome: Bool { live.withLock { $0.end != nil } }

    /// The outcome; a `CancellationError` before the end.
    var outcome: Result<AnyProduct, any Error> {
        live.withLock { $0.end == nil ? nil : $0.result } ?? .failure(CancellationError())
    }
}

extension OperationHandle: CustomStringConvertible, CustomReflectable {
    /// The method, the identity and the state as text.
    public var description: String {
        "\(method.isEmpty ? "operation" : method) \(id) (\(state))"
    }

    /// Reflects only the description, because the request may contain secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["operation": description], ancestorRepresentation: .suppressed)
    }
}
