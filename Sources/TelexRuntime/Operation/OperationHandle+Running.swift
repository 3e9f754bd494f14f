import Synchronization

/// What the engine asks of an operation. What follows from a decision is called in the order of the
/// decisions, never at the same time for one operation, and never with a lock held.
extension OperationHandle {
    /// Whether the engine hears of the operation for the first time: true once in its life. Called
    /// with the lock of the engine held, whenever somebody wants something of the operation.
    func register(at now: Duration) -> Bool {
        live.withLock { live in
            guard !live.isKnown else { return false }
            live.isKnown = true
            live.began = now
            return true
        }
    }

    /// Begins an attempt.
    ///
    /// Its task holds the operation, so it lives until it has ended. It is a detached one: what the
    /// caller's task has set for itself is no business of a call that others may wait for; except that
    /// what an errand starts is a part of it, too.
    func launch(attempt: Int) {
        let now = engine.clock.elapsed()
        live.withLock { $0.coldState?.onLaunch.take() }?(self, attempt)
        live.withLock { live in
            let history = live.history
            live.isPaused = false
            history.attempt = attempt
            live.noteCredential()
            history.current = nil
            history.launched = now
            history.makeRoom()
            if let privilegedTask = live.coldState?.privilegedTask {
                history.work = .task(
                    Task.detached {
                        await PrivilegedTask.$current.withValue(privilegedTask) {
                            await self.run(attempt)
                        }
                    })
            } else if live.leavesAttempt {
                history.work = .left
            } else {
                history.work = .task(Task.detached { await self.run(attempt) })
            }
        }
    }

    /// Has a handler told when the first attempt is launched, before it begins. Launches come in the
    /// order of the engine's decisions; what attempts do comes in any order.
    func atLaunch(_ handler: @escaping @Sendable (OperationHandle, _ attempt: Int) -> Void) {
        live.withLock { $0.requireColdState().onLaunch = handler }
    }

    /// Has the attempt begun elsewhere that this thread was to begin: it has other things to do.
    func handOver() {
        live.withLock { live in
            guard let attempt = live.takeLeftAttempt() else { return }
            live.history.work = .task(Task.detached { await self.run(attempt) })
        }
    }

    /// Cancels this task if the attempt that it makes has been stopped. Others could not as long as
    /// its first steps were made: they do not know it yet.
    func heedStop(attempt: Int) {
        guard live.withLock({ $0.hasStopped(attempt) }) else { return }
        withUnsafeCurrentTask { $0?.cancel() }
    }

    /// Starts the operation if nobody has, for a task that is about to wait for it. If its turn comes
    /// at once, this thread makes the first steps of the attempt, up to where it waits for the
    /// transport: to wake another one for them costs more than they do.
    func beginHere() {
        let leaves = live.withLock { live in
            // What others do first may take long, and may never wait.
            live.leavesAttempt = !live.isKnown && facts.kind == .data
            return live.leavesAttempt
        }
        begin()
        guard leaves, let attempt = live.withLock({ $0.takeLeftAttempt() }) else { return }
        let task = Task.begun { await self.run(attempt) }
        // Stopped in the meantime? Then nobody could tell the task; see `heedStop`.
        if !live.withLock({ $0.adopt(task, of: attempt) }) { task.cancel() }
    }

    nonisolated(nonsending) private func run(_ attempt: Int) async {
        guard let context = begin(attempt) else { return }
        ended(await context.work(context), context)
    }

    /// - Returns: Nil if the attempt has been stopped meanwhile.
    @inline(never)
    private func begin(_ attempt: Int) -> AttemptContext? {
        let now = engine.clock.elapsed()
        return live.withLock { live in
            guard let work = live.work, !live.hasStopped(attempt) else { return nil }
            let context = AttemptContext(
                attempt, self, work, start: now, queued: now - live.lastMoment)
            live.history.current = context.kept
            return context
        }
    }

    @inline(never)
    private func ended(_ end: AttemptEnd, _ context: AttemptContext) {
        guard settle(end, of: context) else { return }
        switch end {
        case .success: engine.send(.attemptSucceeded(id, attempt: context.number))
        // What an operation runs was cancelled, and so is this one.
        case .failure(is CancellationError, _): engine.send(.cancel(id))
        case .failure(_, let failure):
            engine.send(.attemptFailed(id, attempt: context.number, failure))
        }
    }

    /// - Returns: Whether the attempt is still the one that counts.
    private func settle(_ end: AttemptEnd, of context: AttemptContext) -> Bool {
        let now = engine.clock.elapsed()
        // What it takes the place of is let go without the lock: it may be anything.
        let (isCurrent, old) = live.withLock { live in
            let old = live.result
            return (live.settle(end, of: context, at: now), old)
        }
        withExtendedLifetime(old) {}
        return isCurrent
    }

    /// Tells the engine what may follow the live attempt if its time runs out.
    ///
    /// - Returns: Whether the attempt is still live; from one that has been given up nothing more is
    ///   wanted.
    func reportProgress(_ attemptProgress: AttemptProgress, attempt: Int) -> Bool {
        engine.send(.attemptProgressed(id, attempt: attempt, attemptProgress))
        return engine.isCurrent(id, attempt: attempt)
    }

    /// Another request is sent, which counts for the rates as well.
    func sends(attempt: Int) { engine.send(.attemptSends(id, attempt: attempt)) }

    /// Another request is about to be sent, and waits for its turn. It is held at once, and not only
    /// when the engine says so, which another thread may have to carry out.
    func asks(attempt: Int) {
        let now = engine.clock.elapsed()
        live.withLock { if !$0.hasStopped(attempt) { $0.hold(at: now) } }
        engine.send(.attemptAsks(id, attempt: attempt))
    }

    /// Nobody calls this host for so long, if it is the operation's.
    func pauseHost(_ host: String, _ time: Duration, attempt: Int) {
        guard host == facts.scheduling.slot?.host, time > .zero else { return }
        emit(.hostPaused(for: time), attempt: attempt)
        engine.send(.pauseHost(host, time))
    }

    /// The same as a mere advice; nil if the host has none any more.
    func adviseHost(_ host: String, _ time: Duration?, attempt: Int) {
        guard host == facts.scheduling.slot?.host else { return }
        if let time, time > .zero { emit(.hostPaused(for: time), attempt: attempt) }
        engine.send(.adviseHost(host, time))
    }

    /// The credential that the last attempt was refused, if that is why it failed.
    var refusedCredential: Credential? {
        guard let record = live.withLock({ $0.record })?.contents, record.isRefused else {
            return nil
        }
        return record.credential
    }

    /// Stops the attempt that was live: another will follow it.
    ///
    /// - Parameter failure: Why, unless it has ended by itself, or was held for too long.
    func stop(_ failure: EngineFailure) {
        let now = engine.clock.elapsed()
        let error = failure == .attempt ? OperationError.stopped : attemptError(failure)
        let task = live.withLock { live in
            live.noteStop(at: now, error)
            return live.takeTask()
        }
        task?.cancel()
    }

    // MARK: The gate

    /// Holds the live attempt.
    func pause() {
        let now = engine.clock.elapsed()
        let onHold = live.withLock { live in
            live.hold(at: now)
            return live.coldState?.onHold
        }
        onHold?(true)
    }

    /// Lets the live attempt go on.
    func unpause() {
        let now = engine.clock.elapsed()
        let (waiting, onHold) = live.withLock { live in
            live.letGo(at: now)
            let heldAttempts = live.coldState?.heldAttempts ?? [:]
            live.coldState?.heldAttempts = [:]
            return (Array(heldAttempts.values), live.coldState?.onHold)
        }
        onHold?(false)
        for continuation in waiting { continuation.resume() }
    }

    /// An attempt waits for a request with others; no matter, if it has been stopped.
    func share(_ operation: OperationHandle, attempt: Int) {
        live.withLock { live in
            if !live.hasStopped(attempt) { live.requireColdState().shared = operation }
        }
    }

    /// Whether its attempt waits for this request.
    func shares(_ operation: OperationID) -> Bool {
        live.withLock { $0.coldState?.shared?.id == operation }
    }

    /// Has a handler told when an attempt is held, and when it goes on; not one that has been stopped,
    /// and asks late.
    func onHold(attempt: Int, _ handler: @escaping @Sendable (Bool) -> Void) {
        live.withLock { live in
            if !live.hasStopped(attempt) { live.requireColdState().onHold = handler }
        }
    }

    /// Whether the attempt is held.
    var isHeld: Bool { live.withLock { $0.isPaused } }

    /// Returns once the attempt is not held.
    nonisolated(nonsending) func waitWhileHeld() async throws(CancellationError) {
        let number = OperationID.next().number
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { waitAtGate($0, number) }
            } onCancel: {
                live.withLock { $0.coldState?.heldAttempts.removeValue(forKey: number) }?
                    .resume(throwing: CancellationError())
            }
        } catch { throw CancellationError() }
    }

    private func waitAtGate(_ continuation: CheckedContinuation<Void, any Error>, _ number: UInt64)
    {
        let isHeld = live.withLock { live in
            guard live.isPaused, !Task.isCancelled else { return false }
            live.requireColdState().heldAttempts[number] = continuation
            return true
        }
        guard !isHeld else { return }
        if Task.isCancelled {
            continuation.resume(throwing: CancellationError())
        } else {
            continuation.resume()
        }
    }
}

extension Task<Void, Never> {
    /// Begins on this thread, where the system can, and goes on elsewhere once it waits.
    @inline(__always)
    fileprivate static func begun(_ work: @escaping @Sendable () async -> Void) -> Self {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return detached(operation: work)
        }
        return immediateDetached(operation: work)
    }
}
