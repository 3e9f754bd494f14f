/// Handles starts that the throttle delays or refuses.
extension EngineMachine {
    /// Starts a throttled operation now, delays its start, or refuses it.
    mutating func start(_ id: OperationID, _ key: SchedulingRequest.ThrottleKey) {
        replaceDelayed(for: id, key)
        guard let moment = throttles.start(id, key: key, at: now) else {
            return pass(.start, to: id)
        }
        guard key.policy != .refuse else {
            report(.throttled(until: moment), of: id, attempt: 0)
            return fail(id, .throttled(until: moment))
        }
        entries.update(id) { $0.isDelayed = true }
        report(
            .queued(reason: "the throttle's interval since the last start is not over"), of: id,
            attempt: 0)
        pass(.delay(until: moment), to: id)
    }

    /// Replaces the operation that waits for its start, if the policy is `latest`. This applies
    /// even if the new call joins an operation that is already in flight, because the delayed one
    /// would be sent last.
    mutating func replaceDelayed(for id: OperationID, _ key: SchedulingRequest.ThrottleKey) {
        startDelayed(of: key.name)
        guard key.policy == .latest, let older = throttles.first(of: key.name), older != id else {
            return
        }
        fail(older, .replaced)
    }

    /// Suspends an operation. One that waits for its start lets those behind it pass. With the
    /// policy `latest` there is nothing to do, because a later start replaces it anyway.
    mutating func suspend(_ id: OperationID) {
        pass(.suspend, to: id)
        guard let key = delay(of: id), key.policy == .delay else { return }
        throttles.leave(id, key.name)
    }

    /// Resumes an operation that was suspended while it waited for its start. It goes to the end of
    /// the line.
    mutating func resumeDelayed(_ id: OperationID) {
        guard let key = delay(of: id), entries[id]?.machine.phase == .suspended else { return }
        startDelayed(of: key.name)
        throttles.leave(id, key.name)
        if let moment = throttles.start(id, key: key, at: now) {
            return pass(.delay(until: moment), to: id)
        }
        entries.update(id) { $0.isDelayed = false }
        pass(.resume, to: id)
    }

    /// The throttle that delays the start of an operation, if any.
    private func delay(of id: OperationID) -> SchedulingRequest.ThrottleKey? {
        guard let entry = entries[id], entry.isDelayed else { return nil }
        return entry.scheduling?.throttle
    }

    /// Ends the start of an operation. If the operation sent nothing, it leaves the line and does
    /// not delay later starts.
    mutating func endStart(of id: OperationID) {
        guard let entry = entries[id], let name = entry.scheduling?.throttle?.name else { return }
        if entry.hasSent {
            throttles.end(id, name, at: now)
        } else if entry.isDelayed {
            throttles.leave(id, name)
        } else {
            throttles.forget(id, name)
        }
    }

    /// When an operation with this throttle may start, at the earliest; nil if it may start now.
    package func startDelay(
        _ key: SchedulingRequest.ThrottleKey, at now: Duration
    ) -> Duration? {
        throttles.delay(of: key, at: now)
    }

    /// Handles the timer of a delayed start.
    mutating func handleStartTimer(_ id: OperationID) {
        if let key = delay(of: id) { throttles.markChanged(key.name) }
    }

    /// Starts the operations whose delay is over, after all operations that end together have left
    /// their lines.
    mutating func startDelayed() {
        while let name = throttles.takeChanged() { startDelayed(of: name) }
    }

    private mutating func startDelayed(of name: String) {
        while let id = throttles.first(of: name), let entry = entries[id],
            let key = entry.scheduling?.throttle, entry.machine.phase != .suspended
        {
            if let moment = throttles.opening(of: name, at: now), moment > now {
                return setStartTimer(for: id, name: name, at: moment)
            }
            throttles.leave(id, name)
            throttles.record(id, key: key, at: now)
            entries.update(id) { $0.isDelayed = false }
            pass(.due, to: id)
        }
    }

    /// Sets the timer for the first operation of a line. Its start may differ from the time
    /// reported before, because earlier ones have left or were late.
    private mutating func setStartTimer(for id: OperationID, name: String, at moment: Duration) {
        guard throttles.needsTimer(id, name: name) else { return }
        timers.sweep { entries.contains($0) }
        timers.set(.start(id), at: moment)
        pass(.delay(until: moment), to: id)
    }
}
