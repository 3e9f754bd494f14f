import Synchronization

/// One call of an API method, from the moment it is thought of to its end.
///
/// A new operation is only a handle: nothing is sent until somebody calls ``start()`` or awaits
/// ``value``. Once started it keeps itself alive until it has ended, so the handle may be dropped.
/// The handle stays the same through retries and while it waits for a new credential. However many
/// tasks wait and however often it is cancelled, it ends exactly once.
public final class NetworkOperation<Output: Sendable>: OperationHandle {
    /// Makes an attempt.
    typealias Work = @Sendable (AttemptContext) async -> AttemptEnd

    /// The identity of the operation: no other has it, and it stays the same in all attempts.
    public let id = OperationID.next()
    let engine: Engine
    let facts: OperationFacts
    let live = Mutex(OperationLife())
    /// Whether somebody has asked for the events; to be known without a lock, at each of them.
    let isWatched = Atomic(false)
    let work: Work

    /// - Parameter work: Makes an attempt; its product has to be one of an `Output`.
    init(
        _ engine: Engine, _ facts: OperationFacts = OperationFacts.none, work: @escaping Work
    ) {
        self.engine = engine
        self.facts = facts
        self.work = work
    }

    // MARK: Facts

    /// The API's name of the method, or the name of a group; empty for the operations of fakes.
    public var method: String { facts.method }
    /// What the operation does with the reply; nil if it is no call of its own, as a group.
    public var kind: OperationRules.Kind? { facts.kind }
    /// On whose behalf it runs; nil if nobody said. See ``CallOptions/owner``.
    public var owner: OperationOwner? { facts.owner }
    /// The marks that the caller gave it; none by default. See ``CallOptions/tags``.
    public var tags: Set<String> { facts.tags }
    /// Its place among those that wait: the call's, or else its method's.
    public var priority: CallPriority { facts.priority }

    /// Where it is now. Any thread may ask, at any time; ``states`` tells when it changes.
    public var state: OperationState {
        if let end = live.withLock({ $0.end }) { return end }
        if let (phase, attempt) = engine.phase(of: id) {
            return engine.state(phase, attempt: attempt)
        }
        return live.withLock { $0.end } ?? .ready
    }

    /// The attempts that have ended so far.
    public var attempts: [OperationAttempt] { live.withLock { $0.attempts } }

    // MARK: Controls

    /// Starts the operation: it waits for its turn and is sent. If it has been started, nothing
    /// happens, except that one that is suspended goes on.
    public func start() {
        if !begin() { engine.send(.resume(id)) }
    }

    /// Starts the operation if nobody has. One that is suspended stays so.
    ///
    /// - Returns: Whether this was the start.
    @discardableResult
    func begin() -> Bool {
        let isFirst = engine.send(
            .start(
                id, facts.ticket, isBlocked: facts.prerequisites != nil,
                servesRefresh: engine.isRefreshing),
            from: self)
        if isFirst { facts.prerequisites?.whenSettled { [weak self] in self?.unblock($0) } }
        return isFirst
    }

    private func unblock(_ failure: OperationError?) {
        if let failure { fail(with: failure) } else { engine.send(.unblock(id)) }
    }

    /// Stops the operation for a while. What it has received is kept, and it gives its turn to
    /// another. Does nothing before the start and after the end.
    public func suspend() { engine.send(.suspend(id)) }

    /// Lets the operation go on after ``suspend()``, when it is its turn. Does nothing otherwise.
    public func resume() { engine.send(.resume(id)) }

    /// Ends the operation now: everyone who waits gets a `CancellationError`, what is on its way is
    /// stopped and ignored. After the end it does nothing.
    public func cancel() { engine.send(.cancel(id), from: self) }

    /// The value of the call. Starts the operation if nobody has; any number of tasks may wait.
    ///
    /// Cancelling a waiting task cancels the operation, for everyone who waits. Waiting for one that
    /// is suspended does not make it go on.
    ///
    /// - Throws: `APIError` when the call fails, `CancellationError` when it was cancelled,
    ///   ``OperationError`` when what it depends on does not succeed. A group throws what its body
    ///   throws, or `OperationError` when it takes too long.
    public var value: Output {
        get async throws { try await value(cancelling: true) }
    }

    /// The value; starts the operation if nobody has.
    ///
    /// - Parameter cancelling: Whether cancelling the waiting task cancels the operation; otherwise
    ///   only this one no longer waits.
    func value(cancelling: Bool) async throws -> Output {
        let number = OperationID.next().number
        begin()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, number, cancelling) }
        } onCancel: {
            if cancelling { cancel() } else { stopWaiting(number) }
        }
        return try output()
    }

    /// How the operation ended; as one that was cancelled until it has.
    var result: Result<Output, any Error> { Result { try output() } }

    /// The value of an operation that has ended.
    ///
    /// - Throws: Why there is none; before the end, as of one that was cancelled.
    func output() throws -> Output {
        switch live.withLock({ $0.end == nil ? nil : $0.result }) {
        case .success(let product)?:
            guard let product = product as? Product<Output> else { throw OperationError.unknown }
            return product.value
        case .failure(let error)?: throw error
        case nil: throw CancellationError()
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
}

extension NetworkOperation: CustomStringConvertible {
    /// The method and the state in words.
    public var description: String {
        "\(method.isEmpty ? "operation" : method) \(id) (\(state))"
    }
}

/// A call whose reply is read into memory, checked and mapped to a value.
public typealias DataOperation<Output: Sendable> = NetworkOperation<Output>
