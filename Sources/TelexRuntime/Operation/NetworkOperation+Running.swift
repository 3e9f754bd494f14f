import Synchronization

extension NetworkOperation: OperationRunner {
    func register(at now: Duration) -> Bool {
        live.withLock { live in
            guard !live.isKnown else { return false }
            live.isKnown = true
            live.began = now
            return true
        }
    }

    /// The task holds the operation, so it lives until it has ended. It is a detached one: what the
    /// caller's task has set for itself is no business of a call that others may wait for; except that
    /// what serves a refresh starts nothing that does not.
    func launch(attempt: Int, serving refresh: ObjectIdentifier?) {
        let now = engine.clock.elapsed()
        live.withLock { live in
            let course = live.course
            live.isPaused = false
            course.attempt = attempt
            course.launched = now
            // Here, and not when thousands are stopped at once.
            course.attempts.reserveCapacity(attempt)
            guard let refresh else {
                course.task = Task.detached { await self.run(attempt) }
                return
            }
            course.task = Task.detached {
                await Engine.$refreshing.withValue(refresh) { await self.run(attempt) }
            }
        }
    }

    private func run(_ attempt: Int) async {
        let context = begin(attempt)
        ended(await work(context), context)
    }

    @inline(never)
    private func begin(_ attempt: Int) -> AttemptContext {
        let now = engine.clock.elapsed()
        return AttemptContext(attempt, self, start: now, queued: now - lastMoment)
    }

    @inline(never)
    private func ended(_ end: AttemptEnd, _ context: AttemptContext) {
        guard !Task.isCancelled, keep(end, of: context) else { return }
        switch end {
        case .success: engine.send(.attemptSucceeded(id, attempt: context.number))
        // What an operation runs was cancelled, and so is this one.
        case .failure(is CancellationError, _): engine.send(.cancel(id))
        case .failure(_, let failure):
            engine.send(.attemptFailed(id, attempt: context.number, failure))
        }
    }

    /// When the operation began to wait for the attempt.
    private var lastMoment: Duration {
        live.withLock { live in
            guard let last = live.attempts.last else { return live.began }
            return live.began + last.start + last.duration
        }
    }

    /// - Returns: Whether the attempt is still the one that counts.
    private func keep(_ end: AttemptEnd, of context: AttemptContext) -> Bool {
        let now = engine.clock.elapsed()
        // What it takes the place of is let go without the lock: it may be anything.
        let (isCurrent, old) = live.withLock { live in
            let old = live.result
            return (live.keep(end, of: context, at: now), old)
        }
        withExtendedLifetime(old) {}
        return isCurrent
    }

    func keep(_ standing: AttemptStanding, attempt: Int) -> Bool {
        engine.send(.attemptStands(id, attempt: attempt, standing))
        return engine.isCurrent(id, attempt: attempt)
    }

    func pauseHost(_ host: String, _ time: Duration) {
        if host == facts.ticket.seat?.host { engine.send(.pauseHost(host, time)) }
    }

    var refusedCredential: Credential? {
        live.withLock { $0.record }?.contents.refused
    }

    func stop() {
        let now = engine.clock.elapsed()
        let task = live.withLock { live in
            live.noteStop(at: now)
            return live.takeTask()
        }
        task?.cancel()
    }

    // MARK: The gate

    func pause() {
        let onHold = live.withLock { live in
            live.isPaused = true
            return live.rare?.onHold
        }
        onHold?(true)
    }

    func unpause() {
        let (waiting, onHold) = live.withLock { live in
            live.isPaused = false
            let gate = live.rare?.gate ?? [:]
            live.rare?.gate = [:]
            return (Array(gate.values), live.rare?.onHold)
        }
        onHold?(false)
        for continuation in waiting { continuation.resume() }
    }

    func onHold(_ handler: @escaping @Sendable (Bool) -> Void) {
        live.withLock { $0.needRare().onHold = handler }
    }

    var isHeld: Bool { live.withLock { $0.isPaused } }

    func passGate() async throws(CancellationError) {
        let number = OperationID.next().number
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { hold($0, number) }
            } onCancel: {
                live.withLock { $0.rare?.gate.removeValue(forKey: number) }?
                    .resume(throwing: CancellationError())
            }
        } catch { throw CancellationError() }
    }

    private func hold(_ continuation: CheckedContinuation<Void, any Error>, _ number: UInt64) {
        let isHeld = live.withLock { live in
            guard live.isPaused, !Task.isCancelled else { return false }
            live.needRare().gate[number] = continuation
            return true
        }
        guard !isHeld else { return }
        if Task.isCancelled {
            continuation.resume(throwing: CancellationError())
        } else {
            continuation.resume()
        }
    }

    // MARK: The end

    func complete(_ ending: EngineMachine.Ending) {
        let now = engine.clock.elapsed()
        var failure: (any Error)?
        if case .failed(let why) = ending, why != .attempt {
            live.withLock { $0.noteStop(at: now) }
            failure = facts.error(why, after: attempts, engine)
        }
        let old = live.withLock { live in
            let old = live.result
            live.end(ending, failure, at: now)
            return old
        }
        withExtendedLifetime(old) {}
        if isObserved { emitEnd() }
        finishStreams()
    }

    var failure: (any Error)? {
        live.withLock { live in
            guard live.end != nil, case .failure(let error)? = live.result else { return nil }
            return error
        }
    }

    var endsOthers: Bool {
        live.withLock { $0.hasTask || $0.rare?.audience.dependents.isEmpty == false }
    }

    func announceEnd() -> (@Sendable () -> Void)? {
        let (task, waiters, audience, end) = live.withLock { live in
            defer {
                live.waiters = []
                live.rare?.audience = .init()
            }
            return (live.takeTask(), live.waiters, live.rare?.audience, live.end)
        }
        guard let end else { return nil }
        task?.cancel()
        // First what belongs to operations: who awaits one finds its files closed.
        for dependent in audience?.dependents ?? [] { dependent(end) }
        for waiter in waiters { waiter.continuation.resume() }
        for thread in audience?.threads ?? [] { thread.signal() }
        guard let closures = audience?.closures, !closures.isEmpty else { return nil }
        return { for closure in closures { closure(end) } }
    }
}
