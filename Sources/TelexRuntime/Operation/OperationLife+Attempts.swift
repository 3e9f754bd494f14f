/// How an attempt ends, and with the last one the operation.
extension OperationLife {
    /// What has been left to the task that asks; from now on nothing is.
    ///
    /// - Returns: The attempt to begin; nil if there is none.
    mutating func takeLeftAttempt() -> Int? {
        leavesAttempt = false
        // Those that wait for their turn have no course.
        guard isAtWork, end == nil, case .left = course.work else { return nil }
        course.work = .beginning
        return course.attempt
    }

    /// Keeps the task of an attempt that has been left to somebody.
    ///
    /// - Returns: Whether the attempt is still at work.
    mutating func adopt(_ task: Task<Void, Never>, of attempt: Int) -> Bool {
        let course = course
        guard case .beginning = course.work, course.attempt == attempt else { return false }
        course.work = .task(task)
        return true
    }

    /// Holds the live attempt. From now on it does not work; one that is looked into has done so.
    mutating func hold(at now: Duration) {
        if !isPaused, isAtWork, !course.hasAttempt { needRare().heldSince = now }
        isPaused = true
    }

    /// Holds the live attempt no longer.
    mutating func letGo(at now: Duration) {
        isPaused = false
        countHeld(until: now)
    }

    /// The attempt goes on, or has ended.
    private mutating func countHeld(until now: Duration) {
        guard let rare, let since = rare.heldSince.take() else { return }
        rare.held += now - since
    }

    /// Remembers what the attempt has shown that is over; nothing before the first.
    mutating func noteCredential() {
        guard let credential = current?.contents.credential else { return }
        let rare = needRare()
        if !rare.earlierCredentials.contains(credential) {
            rare.earlierCredentials.append(credential)
        }
    }

    /// When the operation began to wait for its next attempt.
    var lastMoment: Duration {
        guard let last = attempts.last else { return began }
        return began + last.start + last.duration
    }

    /// Whether an attempt was stopped.
    func hasStopped(_ number: Int) -> Bool {
        end != nil || attempt > number || attempt == number && !isAtWork
    }

    /// - Parameter failure: Why the engine ended it, if it did.
    mutating func end(
        _ ending: EngineMachine.Ending, _ failure: (any Error)?, at now: Duration
    ) {
        let course = course
        switch (ending, course.result) {
        case (.cancelled, _):
            course.end = .cancelled
            course.result = nil
        case (.succeeded, .success): course.end = .succeeded
        case (.failed, .failure(let error)):
            course.end = .failed
            // An error from outside of the attempts says more than theirs.
            course.result = .failure(rare?.reason ?? failure ?? error)
        default:
            course.end = .failed
            course.result = .failure(rare?.reason ?? failure ?? OperationError.unknown)
        }
        course.ended = now
        // Its task goes on until the end is announced.
        noteStop(at: now)
        // Nobody is held any more, nor will be.
        isPaused = false
        rare?.onHold = nil
    }

    /// Notes that the live attempt does not end by itself; nothing if there is none.
    ///
    /// - Parameter error: Why, if that is its own matter.
    mutating func noteStop(at now: Duration, _ error: any Error = OperationError.stopped) {
        let course = course
        guard course.work.isSome, !course.hasAttempt else { return }
        countHeld(until: now)
        course.add(
            OperationAttempt(
                number: course.attempt, start: course.launched - began,
                duration: now - course.launched,
                status: course.current?.contents.head?.status.code,
                error: error))
    }

    /// Keeps what an attempt left behind.
    ///
    /// - Returns: Whether the attempt is still the one that counts.
    mutating func settle(
        _ end: AttemptEnd, of context: AttemptContext, at now: Duration
    ) -> Bool {
        let course = course
        guard course.attempt == context.number, !course.hasAttempt, course.end == nil else {
            return false
        }
        var failure: (any Error)?
        switch end {
        case .success(let value): course.result = .success(value)
        case .failure(let error, _):
            course.result = .failure(error)
            failure = error
        }
        countHeld(until: now)
        course.work = .none
        course.record = context.kept
        course.add(
            OperationAttempt(
                number: context.number, start: context.start - began,
                duration: now - context.start, status: context.record.head?.status.code,
                error: failure))
        return true
    }
}
