import TelexRequests
import TelexScheduling

/// The engine's commands to a running operation. They are called in the order of the decisions,
/// never concurrently for one operation, and never with a lock held.
extension OperationHandle {
    /// Registers the operation; returns true on the first call only. Called inside the engine's
    /// lock, with each event that may be the operation's first.
    func register(at now: Duration) -> Bool {
        live.withLock { live in
            guard !live.isRegistered else { return false }
            live.isRegistered = true
            live.began = now
            return true
        }
    }

    /// Begins an attempt.
    ///
    /// Its task retains the operation until the attempt has ended. The task is detached, because
    /// others may share the call, so the caller's task-local values and priority must not affect
    /// it. A privileged task is the exception: what it starts belongs to it.
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
            } else if live.startsInline {
                history.work = .awaitingCaller
            } else {
                history.work = .task(Task.detached { await self.run(attempt) })
            }
        }
    }

    /// Registers a handler that is called when the first attempt is launched, before it begins.
    /// Launches occur in the order of the engine's decisions, unlike the steps of attempts.
    func atLaunch(_ handler: @escaping @Sendable (OperationHandle, _ attempt: Int) -> Void) {
        live.withLock { $0.requireColdState().onLaunch = handler }
    }

    /// Moves an attempt that was left to this thread to a new task, because the thread has other
    /// actions to carry out.
    func moveToNewTask() {
        live.withLock { live in
            guard let attempt = live.takeLeftAttempt() else { return }
            live.history.work = .task(Task.detached { await self.run(attempt) })
        }
    }

    /// Cancels the current task if its attempt has been stopped. During the first steps of an
    /// attempt its task is not known to others, so they cannot cancel it themselves.
    func cancelTaskIfStopped(attempt: Int) {
        guard live.withLock({ $0.hasStopped(attempt) }) else { return }
        withUnsafeCurrentTask { $0?.cancel() }
    }

    /// Starts the operation for a task that is about to wait for it, if it has not been started. If
    /// its turn comes at once, this thread runs the attempt up to its first suspension, because
    /// waking another thread costs more than these steps.
    func beginHere() {
        let leaves = live.withLock { live in
            // Other kinds do more work before they suspend, or may never suspend.
            live.startsInline = !live.isRegistered && attributes.kind == .data
            return live.startsInline
        }
        begin()
        guard leaves, let attempt = live.withLock({ $0.takeLeftAttempt() }) else { return }
        let task = Task.begun { await self.run(attempt) }
        // If the attempt was stopped before this, the task could not be cancelled then; see
        // `cancelTaskIfStopped`.
        if !live.withLock({ $0.adopt(task, of: attempt) }) { task.cancel() }
    }

    nonisolated(nonsending) private func run(_ attempt: Int) async {
        guard let context = begin(attempt) else { return }
        ended(await context.work(context), context)
    }

    /// - Returns: Nil if the attempt has been stopped.
    @inline(never)
    private func begin(_ attempt: Int) -> AttemptContext? {
        let now = engine.clock.elapsed()
        return live.withLock { live in
            guard let work = live.work, !live.hasStopped(attempt) else { return nil }
            let context = AttemptContext(
                attempt, of: self, work: work, start: now, queued: now - live.lastMoment,
                privilegedTask: live.coldState?.privilegedTask)
            live.history.current = context.kept
            return context
        }
    }

    @inline(never)
    private func ended(_ end: AttemptEnd, _ context: AttemptContext) {
        guard settle(end, of: context) else { return }
        switch end {
        case .success: engine.send(.attemptSucceeded(id, attempt: context.number))
        // An operation that the attempt runs was cancelled, so this one is cancelled too.
        case .failure(is CancellationError, _): engine.send(.cancel(id))
        case .failure(_, let failure):
            engine.send(.attemptFailed(id, attempt: context.number, failure))
        }
    }

    /// - Returns: Whether the attempt is still the current one.
    private func settle(_ end: AttemptEnd, of context: AttemptContext) -> Bool {
        let now = engine.clock.elapsed()
        // The previous result is released outside the lock, because its deinitializer may run any
        // code.
        let (isCurrent, old) = live.withLock { live in
            let old = live.result
            return (live.settle(end, of: context, at: now), old)
        }
        withExtendedLifetime(old) {}
        return isCurrent
    }

    /// Reports the progress of the live attempt, which decides what follows a time-out.
    ///
    /// - Returns: Whether the attempt is still live; otherwise it should end.
    func reportProgress(_ attemptProgress: AttemptProgress, attempt: Int) -> Bool {
        engine.send(.attemptProgressed(id, attempt: attempt, attemptProgress))
        return engine.isCurrent(id, attempt: attempt)
    }

    /// Reports a further request, so that it is counted against the rates.
    func countRequest(attempt: Int) { engine.send(.attemptSends(id, attempt: attempt)) }

    /// Reports that a further request is about to be sent, which waits for a turn. The attempt is
    /// paused immediately, because the engine's own command may be carried out later by another
    /// thread.
    func requestTurn(attempt: Int) {
        let now = engine.clock.elapsed()
        live.withLock { if !$0.hasStopped(attempt) { $0.hold(at: now) } }
        engine.send(.attemptAsks(id, attempt: attempt))
    }

    /// Pauses a host, if it is the operation's own.
    func pauseHost(_ host: String, for time: Duration, attempt: Int) {
        guard host == attributes.scheduling.slot?.host, time > .zero else { return }
        emit(.hostPaused(for: time), attempt: attempt)
        engine.send(.pauseHost(host, time))
    }

    /// Records a pause that the host advises; nil if it revokes the advice.
    func adviseHost(_ host: String, pause time: Duration?, attempt: Int) {
        guard host == attributes.scheduling.slot?.host else { return }
        if let time, time > .zero { emit(.hostPaused(for: time), attempt: attempt) }
        engine.send(.adviseHost(host, time))
    }

    /// The token that the last attempt was refused, if that is why it failed.
    var refusal: TokenRefusal? {
        guard case .failure(let error as APIError)? = live.withLock({ $0.result }) else {
            return nil
        }
        return error.contents.refusal
    }

    /// Stops the live attempt; another one will follow.
    ///
    /// - Parameter failure: The reason; `.attempt` if the attempt has ended by itself, or was
    ///   paused for too long.
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

    /// Pauses the live attempt.
    func pause() {
        let now = engine.clock.elapsed()
        let onHold = live.withLock { live in
            live.hold(at: now)
            return live.coldState?.onHold
        }
        onHold?(true)
    }

    /// Continues the live attempt.
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

    /// Records that an attempt waits for a shared request; does nothing if the attempt has been
    /// stopped.
    func share(_ operation: OperationHandle, attempt: Int) {
        live.withLock { live in
            if !live.hasStopped(attempt) { live.requireColdState().shared = operation }
        }
    }

    /// Whether its attempt waits for this request.
    func shares(_ operation: OperationID) -> Bool {
        live.withLock { $0.coldState?.shared?.id == operation }
    }

    /// Registers a handler that is called when an attempt is paused and when it continues; does
    /// nothing if the attempt has been stopped.
    func onHold(attempt: Int, _ handler: @escaping @Sendable (Bool) -> Void) {
        live.withLock { live in
            if !live.hasStopped(attempt) { live.requireColdState().onHold = handler }
        }
    }

    /// Whether the attempt is paused.
    var isHeld: Bool { live.withLock { $0.isPaused } }

    /// Returns once the attempt is not paused.
    nonisolated(nonsending) func waitWhilePaused() async throws(CancellationError) {
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
    /// Runs on this thread up to the first suspension, where the system supports it.
    @inline(__always)
    fileprivate static func begun(_ work: @escaping @Sendable () async -> Void) -> Self {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return detached(operation: work)
        }
        return immediateDetached(operation: work)
    }
}
