public import Dispatch
import Synchronization

/// Why a thread may not wait for an operation.
public struct BlockingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Who must not wait.
    enum Caller {
        case task
        case listener
    }

    let caller: Caller

    /// What to do instead.
    public var description: String {
        switch caller {
        case .task:
            "`waitSync` was called from a task; its thread may be the one that the operation needs: "
                + "use `try await operation.value`"
        case .listener:
            "`waitSync` was called by a listener, for which all calls of its API wait: "
                + "use `operation.start { result in … }`"
        }
    }
}

extension NetworkOperation {
    /// Blocks the thread until the operation has ended, and starts it if nobody has; one that is
    /// suspended stays so. For scripts and for code that cannot await; in tasks, use ``value``.
    ///
    /// - Warning: Nothing that the operation needs may need this thread. On the main thread, never
    ///   wait for a group whose body is `@MainActor`, or calls what is: the body waits for the thread
    ///   and the thread for the body, for ever. Nor wait on the threads of a concurrent dispatch queue:
    ///   tasks run on those as well, and stand still while all of them are blocked; nor in a closure that
    ///   is called on the API's queue (``start(on:completion:)``) for what needs another such closure, as
    ///   a refresher may that starts calls so.
    ///
    /// - Throws: A `BlockingError` in a task, whose thread must not be blocked (tasks share few
    ///   threads, and the operation needs one), and in a listener of the same API, for which its calls
    ///   wait (`onEvent`, ``APIEventListener``); otherwise as ``value``.
    @available(*, noasync, message: "use `try await operation.value`")
    public func waitSync() throws -> Output {
        guard withUnsafeCurrentTask(body: { $0 == nil }) else { throw BlockingError(caller: .task) }
        guard !engine.isPerformedHere else { throw BlockingError(caller: .listener) }
        let done = DispatchSemaphore(value: 0)
        begin()
        if sleep(on: done) { done.wait() }
        return try output()
    }

    /// Starts the operation and tells a closure how it ended, once.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; nil, the default, for a queue of the API's,
    ///     or at once, on this thread, if the operation has ended.
    ///   - completion: Is given the value, or the error that ``value`` would throw. On the API's queue,
    ///     closures that wait for other operations of the same API are called after it; nothing else
    ///     waits for it.
    public func start(
        on queue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<Output, any Error>) -> Void
    ) {
        whenEnded { [self] _ in
            guard let queue else { return completion(Result { try output() }) }
            queue.async { completion(Result { try self.output() }) }
        }
        start()
    }

    /// Starts the operation and tells a closure on the main actor how it ended, once.
    ///
    /// - Parameters:
    ///   - actor: The main actor: `MainActor.shared`.
    ///   - completion: Is given the value, or the error that ``value`` would throw. It may use what only
    ///     the main actor may, such as views, and is called later, also if the operation has ended.
    public func start(
        on actor: MainActor,
        completion: @escaping @MainActor (Result<Output, any Error>) -> Void
    ) {
        whenEnded { [self] _ in
            Task { @MainActor in completion(Result { try output() }) }
        }
        start()
    }
}

extension OperationHandle {
    /// Whether there is an end to wait for; it signals the semaphore. Not as a closure: it may be one
    /// that waits here, and keeps others from being called.
    fileprivate func sleep(on semaphore: DispatchSemaphore) -> Bool {
        live.withLock { live in
            guard live.end == nil else { return false }
            live.requireColdState().audience.threads.append(semaphore)
            return true
        }
    }
}
