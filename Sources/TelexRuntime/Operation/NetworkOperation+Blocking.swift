public import Dispatch

extension NetworkOperation {
    /// Blocks the thread until the operation has ended, and starts it if it has not been started; a
    /// suspended operation stays suspended. For scripts and code that cannot await; in tasks, use
    /// ``value``.
    ///
    /// - Warning: The operation must not need this thread. On the main thread, never wait for a
    ///   group whose body is `@MainActor` or calls `@MainActor` code: both would wait for each
    ///   other forever. Do not wait on the threads of a concurrent dispatch queue, because tasks
    ///   run on these too and make no progress while all of them are blocked. In a closure that
    ///   runs on the API's queue (`start(on:completion:)`), do not wait for anything that needs
    ///   another such closure, such as a refresher that starts calls this way.
    ///
    /// - Throws: A `BlockingError` in a task, whose thread must not be blocked (tasks share few
    ///   threads, and the operation needs one), and in a listener of the same API, for which its
    ///   calls wait (`onEvent`, ``APIEventListener``); otherwise as ``value``.
    @available(*, noasync, message: "use `try await operation.value`")
    public func waitSync() throws -> Output {
        guard withUnsafeCurrentTask(body: { $0 == nil }) else { throw BlockingError(caller: .task) }
        guard !engine.isPerformedHere else { throw BlockingError(caller: .listener) }
        let done = DispatchSemaphore(value: 0)
        begin()
        if sleep(on: done) { done.wait() }
        return try output()
    }

    /// Starts the operation and calls a closure once with its outcome.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. With nil, the default, it is called on
    ///     a queue of the API's, or at once, on this thread, if the operation has ended.
    ///   - completion: Receives the value, or the error that ``value`` would throw. On the API's
    ///     queue, it delays only closures that wait for other operations of the same API.
    /// - Returns: The operation.
    @discardableResult
    public func start(
        on queue: DispatchQueue? = nil,
        completion: @escaping @Sendable (Result<Output, any Error>) -> Void
    ) -> Self {
        whenEnded { [self] _ in
            guard let queue else { return completion(Result { try output() }) }
            queue.async { completion(Result { try self.output() }) }
        }
        return start()
    }

    /// Starts the operation and calls a closure once on the main actor with its outcome.
    ///
    /// - Parameters:
    ///   - actor: The main actor: `MainActor.shared`.
    ///   - completion: Receives the value, or the error that ``value`` would throw. It may use
    ///     main-actor state, such as views. It is always called asynchronously, even if the
    ///     operation has ended.
    /// - Returns: The operation.
    @discardableResult
    public func start(
        on actor: MainActor,
        completion: @escaping @MainActor (Result<Output, any Error>) -> Void
    ) -> Self {
        whenEnded { [self] _ in
            Task { @MainActor in completion(Result { try output() }) }
        }
        return start()
    }
}

extension OperationHandle {
    /// Registers the semaphore to be signalled at the end; returns false if the operation has
    /// ended. The semaphore is not signalled through a completion closure, because the caller may
    /// be such a closure and block the others.
    fileprivate func sleep(on semaphore: DispatchSemaphore) -> Bool {
        live.withLock { live in
            guard live.end == nil else { return false }
            live.requireColdState().otherWaiters.threads.append(semaphore)
            return true
        }
    }
}
