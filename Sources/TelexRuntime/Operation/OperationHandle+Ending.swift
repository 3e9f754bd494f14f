/// What the engine asks of an operation at its end.
extension OperationHandle {
    /// The operation knows its end from now on. Called once; an attempt that is live ends with
    /// `announceEnd`.
    func complete(_ ending: EngineMachine.Ending) {
        let now = engine.clock.elapsed()
        var failure: (any Error)?
        if case .failed(let why) = ending, why != .attempt {
            failure = facts.error(why, snapshot, engine)
        }
        // What is let go of may be anything, so it is let go without the lock.
        let (old, releases) = live.withLock { live in
            let old = (live.result, live.takeWork())
            live.end(ending, failure, at: now)
            defer { live.coldState?.audience.releases = [] }
            return (old, live.coldState?.audience.releases)
        }
        withExtendedLifetime(old) {}
        for release in releases ?? [] { release() }
        if isObserved { emitEnd() }
        finishStreams()
    }

    /// Why it ended without a value; nil if it did not, or has not ended.
    var failure: (any Error)? {
        live.withLock { live in
            guard live.end != nil, case .failure(let error)? = live.result else { return nil }
            return error
        }
    }

    /// Whether to announce the end ends others: those that wait for it, what its attempt runs.
    var endsOthers: Bool {
        live.withLock { $0.isAtWork || $0.coldState?.audience.dependents.isEmpty == false }
    }

    /// Stops the attempt that was live, and tells the tasks, threads and operations that wait for the
    /// end. Called once, when the engine is rid of the operation and all that ended with it know so,
    /// and never inside of another such call.
    ///
    /// - Returns: What calls the closures that wait for it; nil if there are none.
    func announceEnd() -> (@Sendable () -> Void)? {
        let (task, waiters, rest, end) = live.withLock { live in
            defer { live.waiters = [] }
            return (live.takeTask(), live.waiters, live.coldState?.takeRest(), live.end)
        }
        guard let end else { return nil }
        let audience = rest?.audience
        // First what belongs to operations: who awaits one finds its files closed. And what a group runs
        // is cancelled together; its body's task would cancel one after the other.
        for dependent in audience?.dependents ?? [] { dependent(end) }
        task?.cancel()
        for held in rest?.held ?? [] { held.resume(throwing: CancellationError()) }
        for waiter in waiters { waiter.continuation.resume() }
        for thread in audience?.threads ?? [] { thread.signal() }
        guard let closures = audience?.closures, !closures.isEmpty else { return nil }
        return { for closure in closures { closure(end) } }
    }
}
