import Synchronization

/// One call of an API method, from the moment it is thought of to its end.
///
/// A new operation is only a handle: nothing is sent until somebody calls ``start()`` or awaits
/// ``value``. Once started it keeps itself alive until it has ended, so the handle may be dropped.
/// However many tasks wait and however often it is cancelled, it ends exactly once.
public final class NetworkOperation<Output: Sendable>: Sendable {
    /// Produces the value; called once per attempt, with the number of the attempt (from 1).
    typealias Work = @Sendable (_ attempt: Int) async throws -> Output

    private struct Core {
        var machine = OperationMachine()
        var task: Task<Void, Never>?
        var outcome: Result<Output, any Error>?
        var waiters: [CheckedContinuation<Output, any Error>] = []
    }

    private let core = Mutex(Core())
    private let work: Work

    init(work: @escaping Work) {
        self.work = work
    }

    /// An operation whose value comes from a closure; what fakes of generated protocols return.
    ///
    /// - Parameter body: Produces the value; its error becomes the error of ``value``.
    public convenience init(_ body: @escaping @Sendable () async throws -> Output) {
        self.init(work: { _ in try await body() })
    }

    /// Where the operation is now.
    public var state: OperationState {
        core.withLock { $0.machine.state }
    }

    /// The value of the call. Starts the operation if nobody has; any number of tasks may wait.
    ///
    /// Cancelling a waiting task cancels the operation, for everyone who waits.
    ///
    /// - Throws: `APIError` when the call fails, `CancellationError` when it was cancelled.
    public var value: Output {
        get async throws {
            start()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait($0) }
            } onCancel: {
                cancel()
            }
        }
    }

    /// Starts the operation. Calling it again, at any time, does nothing.
    public func start() {
        feed(.start)
    }

    /// Ends the operation now: everyone who waits gets a `CancellationError`, what is on its way is
    /// stopped and ignored. After the end it does nothing.
    public func cancel() {
        feed(.cancel, .failure(CancellationError()))
    }
}

extension NetworkOperation {
    /// Gives an event to the machine and carries out its actions, outside the lock.
    private func feed(_ event: OperationMachine.Event, _ outcome: Result<Output, any Error>? = nil)
    {
        let actions = core.withLock { core in
            let actions = core.machine.handle(event)
            if actions.contains(.complete) { core.outcome = outcome }
            return actions
        }
        for action in actions { perform(action) }
    }

    private func perform(_ action: OperationMachine.Action) {
        switch action {
        case .enqueue: feed(.slot)
        case .leaveQueue: break
        case .launch(let attempt): launch(attempt)
        case .stop: core.withLock { $0.task }?.cancel()
        case .complete: complete()
        }
    }

    /// Begins an attempt. The task holds the operation, so it lives until it has ended.
    private func launch(_ attempt: Int) {
        let task = Task { await self.run(attempt) }
        let isEnded = core.withLock { core in
            guard core.machine.state.isActive else { return true }
            core.task = task
            return false
        }
        if isEnded { task.cancel() }
    }

    private func run(_ attempt: Int) async {
        do {
            let value = try await work(attempt)
            feed(.succeed, .success(value))
        } catch is CancellationError {
            cancel()
        } catch {
            feed(.fail, .failure(error))
        }
    }

    private func complete() {
        let (waiters, outcome) = core.withLock { core in
            defer {
                core.waiters = []
                core.task = nil
            }
            return (core.waiters, core.outcome)
        }
        guard let outcome else { return }
        for waiter in waiters { waiter.resume(with: outcome) }
    }

    /// Resumes the continuation when the operation ends: at once if it has.
    private func wait(_ continuation: CheckedContinuation<Output, any Error>) {
        let outcome = core.withLock { core -> Result<Output, any Error>? in
            guard core.outcome == nil else { return core.outcome }
            core.waiters.append(continuation)
            return nil
        }
        if let outcome { continuation.resume(with: outcome) }
    }
}

extension NetworkOperation: CustomStringConvertible {
    /// The state in words.
    public var description: String { "operation (\(state))" }
}

/// A call whose reply is read into memory, checked and mapped to a value.
public typealias DataOperation<Output: Sendable> = NetworkOperation<Output>
