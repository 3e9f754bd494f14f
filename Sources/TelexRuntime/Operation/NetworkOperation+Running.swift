import Synchronization

extension NetworkOperation: OperationRunner {
    /// The task holds the operation, so it lives until it has ended. It is a detached one: what the
    /// caller's task has set for itself is no business of a call that others may wait for.
    func launch(attempt: Int) {
        let now = engine.clock.elapsed()
        live.withLock { live in
            let course = live.course
            live.isPaused = false
            course.attempt = attempt
            course.launched = now
            // Here, and not when thousands are stopped at once.
            course.attempts.reserveCapacity(attempt)
            course.task = Task.detached { await self.run(attempt) }
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
    private func ended(_ end: AttemptEnd<Output>, _ context: AttemptContext) {
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
    private func keep(_ end: AttemptEnd<Output>, of context: AttemptContext) -> Bool {
        var failure: (any Error)?
        if case .failure(let error, _) = end { failure = error }
        let outcome = Outcome(end.result)
        let now = engine.clock.elapsed()
        return live.withLock { live in
            guard live.keep(failure, of: context, at: now) else { return false }
            self.outcome.withLock { $0 = outcome }
            return true
        }
    }

    func pauseHost(_ time: Duration) {
        if let host = facts.ticket.seat?.host { engine.send(.pauseHost(host, time)) }
    }

    var refusedCredential: Credential? {
        live.withLock { $0.record }?.contents.refused.first
    }

    func stop() {
        let now = engine.clock.elapsed()
        let task = live.withLock { live in
            let course = live.course
            if !course.hasAttempt {
                course.attempts.append(
                    OperationAttempt(
                        number: course.attempt, start: course.launched - live.began,
                        duration: now - course.launched, status: nil,
                        error: OperationError.stopped))
            }
            return course.task
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

    func passGate() async throws(CancellationError) {
        guard live.withLock({ $0.isPaused }) else { return }
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
        let outcome = outcome(ending)
        let now = engine.clock.elapsed()
        live.withLock { live in
            self.outcome.withLock { $0 = outcome }
            live.end(ending.state, at: now)
        }
        if isObserved { emitEnd() }
        finishStreams()
    }

    func announceEnd() {
        let (waiters, handlers, end) = live.withLock { live in
            defer {
                live.waiters = []
                live.rare?.handlers = []
            }
            return (live.waiters, live.rare?.handlers ?? [], live.end)
        }
        guard let end else { return }
        for waiter in waiters { waiter.continuation.resume() }
        for handler in handlers { handler(end) }
    }

    /// - Returns: nil for an operation that was cancelled.
    private func outcome(_ ending: EngineMachine.Ending) -> Outcome? {
        if ending == .cancelled { return nil }
        let attempt = outcome.withLock { $0 }
        switch (ending, attempt?.result) {
        case (.succeeded, .success): return attempt
        case (.failed(.attempt), .failure(let error)): return failure(error)
        case (.failed(let failure), _): return self.failure(facts.error(failure, engine))
        default: return failure(OperationError(.attempt))
        }
    }

    /// An error from outside of the attempts says more than theirs.
    private func failure(_ error: any Error) -> Outcome {
        Outcome(.failure(live.withLock { $0.rare?.reason } ?? error))
    }
}

extension OperationLife {
    fileprivate mutating func end(_ state: OperationState, at now: Duration) {
        let course = course
        course.end = state
        course.ended = now
        course.task = nil
        rare?.onHold = nil
    }

    /// Keeps what an attempt left behind.
    ///
    /// - Returns: Whether the attempt is still the one that counts.
    fileprivate mutating func keep(
        _ failure: (any Error)?, of context: AttemptContext, at now: Duration
    ) -> Bool {
        let course = course
        guard course.attempt == context.number, !course.hasAttempt, end == nil else { return false }
        course.record = context.kept
        course.attempts.append(
            OperationAttempt(
                number: context.number, start: context.start - began,
                duration: now - context.start, status: context.record.head?.status.code,
                error: failure))
        return true
    }
}

extension AttemptEnd {
    fileprivate var result: Result<Output, any Error> {
        switch self {
        case .success(let value): .success(value)
        case .failure(let error, _): .failure(error)
        }
    }
}

extension EngineMachine.Ending {
    fileprivate var state: OperationState {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}
