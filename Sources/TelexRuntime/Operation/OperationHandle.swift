import Synchronization

/// What an operation is, whatever it produces: the part of a `NetworkOperation` that lists of
/// operations, owners and queues have to do with.
public class OperationHandle: @unchecked Sendable {  // all constant or guarded
    /// Makes an attempt. Like all that every attempt does, it stays on the executor that it was called on:
    /// to go back there after each of its steps would cost more than most steps do.
    typealias Work = nonisolated(nonsending) @Sendable (AttemptContext) async -> AttemptEnd

    /// The identity of the operation: no other has it, and it stays the same in all attempts.
    public let id: OperationID
    let engine: Engine
    let facts: OperationFacts
    let live: Mutex<OperationLife>
    /// Whether somebody has asked for the events; to be known without a lock, at each of them.
    let isWatched = Atomic(false)

    // To the compiler, a class that can have subclasses is none to be shared. Only this module can make
    // them, and the one that there is stores nothing.

    /// - Parameters:
    ///   - id: One that no other operation has that is started.
    ///   - work: Makes an attempt; its product has to be what the operation promises.
    init(
        _ engine: Engine, _ facts: OperationFacts = OperationFacts.none,
        _ id: OperationID = .next(), work: @escaping Work
    ) {
        self.id = id
        self.engine = engine
        self.facts = facts
        live = Mutex(OperationLife(work: work))
    }
}

// MARK: Facts

extension OperationHandle {
    /// The API's name of the method, or the name of a group; empty for the operations of fakes.
    public var method: String { facts.method }
    /// What the operation does with the reply; nil if it is no call of its own, as a group.
    public var kind: OperationRules.Kind? { facts.kind }
    /// On whose behalf it runs; nil if nobody said. See ``CallOptions/owner``.
    public var owner: OperationOwner? { facts.owner }
    /// The marks that the caller gave it; none by default. See ``CallOptions/tags``.
    public var tags: Set<String> { facts.tags }
    /// Its place among those that wait: the call's, or else its method's. That of a group, which does not
    /// wait for a turn, is the place of what its body makes; `.normal` if nothing is said of it.
    public var priority: CallPriority { facts.priority }

    /// The named queue that it waits in, or the request that it shares with others; nil for none, as of
    /// groups.
    public var queue: String? { facts.queue }

    /// Whether the engine has decided how it ends. What ended a moment ago may not have been told yet, and
    /// what has failed may still be looked into.
    var isSettled: Bool { engine.isSettled(id) ?? hasOutcome }

    /// Where it is now. Any thread may ask, at any time; ``states`` tells when it changes.
    public var state: OperationState {
        if let end = live.withLock({ $0.end }) { return end }
        if let (phase, attempt) = engine.phase(of: id) {
            return engine.state(phase, attempt: attempt)
        }
        return live.withLock { $0.end } ?? .ready
    }

    /// The attempts that have ended so far; if they are more than 100, as those of a stream that is open
    /// for days, the first and the newest.
    public var attempts: [OperationAttempt] { live.withLock { $0.attempts } }
}

// MARK: Controls

extension OperationHandle {
    /// Starts the operation: it waits for its turn and is sent. If it has been started, nothing
    /// happens, except that one that is suspended goes on; if a group is suspended whose step it is, not
    /// before that one does.
    public func start() {
        if !begin(), state == .suspended { letGoOn() }
    }

    /// Starts the operation if nobody has. One that is suspended stays so.
    ///
    /// - Returns: Whether this was the start.
    @discardableResult
    package func begin() -> Bool { begin(for: engine.privilegedTask) }

    /// - Parameter errand: What it is a part of.
    @discardableResult
    func begin(for privilegedTask: PrivilegedTask?) -> Bool {
        tellStart()
        if let privilegedTask {
            live.withLock {
                if !$0.isKnown { $0.requireColdState().privilegedTask = privilegedTask }
            }
        }
        let isFirst = engine.send(
            .start(
                id, facts.scheduling, isBlocked: facts.prerequisites != nil,
                isErrand: privilegedTask != nil),
            from: self)
        if isFirst { facts.prerequisites?.whenSettled { [weak self] in self?.unblock($0) } }
        return isFirst
    }

    private func unblock(_ failure: OperationError?) {
        if let failure { fail(with: failure) } else { engine.send(.unblock(id)) }
    }

    /// Stops the operation for a while. What it has received is kept, and it gives its turn to
    /// another. Does nothing before the start and after the end.
    public func suspend() {
        live.withLock { $0.staysSuspended = $0.isKnown }
        engine.send(.suspend(id))
    }

    /// Lets the operation go on after ``suspend()``, when it is its turn; also if a group is suspended
    /// whose step it is. Does nothing otherwise.
    public func resume() {
        live.withLock { $0.staysSuspended = false }
        engine.send(.resume(id))
    }

    /// Ends the operation now: everyone who waits gets a `CancellationError`, what is on its way is
    /// stopped and ignored. After the end it does nothing.
    public func cancel() { engine.send(.cancel(id), from: self) }

    /// The operation, and what runs inside of it if it is a group, to any depth; a group before what runs
    /// in it.
    var tree: [OperationHandle] {
        var (all, open): ([OperationHandle], [OperationHandle]) = ([], [self])
        // One that has ended and has yet to cancel what it runs may be run by that.
        var groups: Set<OperationID> = []
        while let next = open.popLast() {
            guard next.kind != nil || groups.insert(next.id).inserted else { continue }
            all.append(next)
            open += next.members.reversed()
        }
        return all
    }

    /// What runs inside of it, if it is a group.
    var members: [OperationHandle] { live.withLock { $0.coldState?.members }?() ?? [] }

    /// Starts, suspends or resumes it, as a play button does; nothing after its end.
    ///
    /// - Returns: The state that it is in then.
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
    /// Starts the operation if nobody has, and waits for its end. A task that is cancelled already and
    /// cancels nothing does not start it: nobody would wait for it.
    ///
    /// - Parameter cancelling: Whether cancelling the waiting task cancels the operation; otherwise
    ///   only this one no longer waits.
    /// - Throws: `CancellationError` if the task no longer waits.
    nonisolated(nonsending) func waitForEnd(cancelling: Bool) async throws {
        let number = OperationID.next().number
        try await withTaskCancellationHandler {
            if cancelling || !Task.isCancelled { beginHere() }
            try await withCheckedThrowingContinuation { wait($0, number, cancelling) }
        } onCancel: {
            if cancelling { cancel() } else { stopWaiting(number) }
        }
    }

    /// Resumes the continuation when the operation ends: at once if it has.
    private func wait(
        _ continuation: CheckedContinuation<Void, any Error>, _ number: UInt64, _ cancelling: Bool
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

    /// Whether it is known how the operation ended.
    var hasOutcome: Bool { live.withLock { $0.end != nil } }

    /// How the operation ended; as one that was cancelled until it has.
    var outcome: Result<AnyProduct, any Error> {
        live.withLock { $0.end == nil ? nil : $0.result } ?? .failure(CancellationError())
    }
}

extension OperationHandle: CustomStringConvertible, CustomReflectable {
    /// The method and the state in words.
    public var description: String {
        "\(method.isEmpty ? "operation" : method) \(id) (\(state))"
    }

    /// Shows the description and nothing else: what the operation will send may be secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["operation": description], ancestorRepresentation: .suppressed)
    }
}
