import TelexScheduling

/// The engine's commands to an operation at its end.
extension OperationHandle {
    /// Stores the outcome. Called once; `announceEnd` then stops the live attempt.
    func complete(_ ending: EngineMachine.Ending) {
        let now = engine.clock.elapsed()
        let failure: (any Error)? =
            if case .failed(let why) = ending, why != .attempt {
                attributes.error(for: why, snapshot: snapshot, engine: engine)
            } else { nil }
        // Released outside the lock, because deinitializers may run any code. A closure that is
        // returned through the generic lock would be wrapped.
        var old: (result: Result<AnyProduct, any Error>?, work: Work?)
        var releases: [@Sendable () -> Void] = []
        live.withLock { live in
            old = (live.result, live.takeWork())
            live.end(ending, failure: failure, at: now)
            if let cold = live.coldState { swap(&releases, &cold.otherWaiters.releases) }
        }
        withExtendedLifetime(old) {}
        for release in releases { release() }
        if let error = self.failure { attributes.hub?.faults.report(error, api: attributes.api) }
        if isObserved { emitEnd() }
        if let end = live.withLock({ $0.end }) { listeners.finish(end) }
    }

    /// Why the operation ended without a value; nil if it has a value or has not ended.
    var failure: (any Error)? {
        live.withLock { live in
            guard live.end != nil, case .failure(let error)? = live.result else { return nil }
            return error
        }
    }

    /// Whether announcing the end may end other operations: dependents, or those that its attempt
    /// runs.
    var endsOthers: Bool {
        live.withLock { $0.isAtWork || $0.coldState?.otherWaiters.dependents.isEmpty == false }
    }

    /// Stops the live attempt, and resumes the tasks, threads and operations that wait for the end.
    /// Called once, after the engine has removed the operation and all that ended with it are
    /// complete; never nested in another such call.
    ///
    /// - Returns: A closure that calls the completion closures; nil if there are none.
    func announceEnd() -> (@Sendable () -> Void)? {
        let (task, waiters, rest, end) = live.withLock { live in
            defer { live.waiters = [] }
            return (live.takeTask(), live.waiters, live.coldState?.takeRest(), live.end)
        }
        guard let end else { return nil }
        let otherWaiters = rest?.otherWaiters
        // Dependents first, so that waiters find the operation's files closed, and so that the
        // members of a group are cancelled together rather than one after another by the body's
        // task.
        for dependent in otherWaiters?.dependents ?? [] { dependent(end) }
        task?.cancel()
        for held in rest?.held ?? [] { held.resume(throwing: CancellationError()) }
        for waiter in waiters { waiter.continuation.resume() }
        for thread in otherWaiters?.threads ?? [] { thread.signal() }
        guard let closures = otherWaiters?.closures, !closures.isEmpty else { return nil }
        return { for closure in closures { closure(end) } }
    }
}
