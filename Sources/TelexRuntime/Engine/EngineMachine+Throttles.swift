/// What becomes of starts that come too soon after another.
extension EngineMachine {
    /// Starts what is throttled, now or later, or refuses it.
    mutating func start(_ id: OperationID, _ key: SchedulingRequest.ThrottleKey) {
        makeWay(for: id, key)
        guard let moment = throttles.start(id, key, at: now) else { return feed(id, .start) }
        guard key.policy != .refuse else {
            tell(id, 0, .throttled(until: moment))
            return fail(id, .throttled(until: moment))
        }
        entries.update(id) { $0.isDelayed = true }
        tell(id, 0, .queued(reason: "the last start was too short a time ago"))
        feed(id, .delay(until: moment))
    }

    /// Somebody wants what an operation brings. Where the last one counts, whoever has waited for their
    /// start until now waits in vain; also if the operation is already on its way, and another call joins
    /// it: what is sent later would come last.
    mutating func makeWay(for id: OperationID, _ key: SchedulingRequest.ThrottleKey) {
        startDelayed(of: key.name)
        guard key.policy == .latest, let older = throttles.first(of: key.name), older != id else {
            return
        }
        fail(older, .replaced)
    }

    /// Suspends an operation. Where it waits for its start, it lets those behind it pass; unless the
    /// last one counts, for which it makes way in any case.
    mutating func suspend(_ id: OperationID) {
        feed(id, .suspend)
        guard let key = delay(of: id), key.policy == .delay else { return }
        throttles.leave(id, key.name)
    }

    /// Lets an operation go on that was suspended while it waited for its start: behind those who wait
    /// by now.
    mutating func startAgain(_ id: OperationID) {
        guard let key = delay(of: id), entries[id]?.machine.phase == .suspended else { return }
        startDelayed(of: key.name)
        throttles.leave(id, key.name)
        if let moment = throttles.start(id, key, at: now) {
            return feed(id, .delay(until: moment))
        }
        entries.update(id) { $0.isDelayed = false }
        feed(id, .resume)
    }

    /// The throttle that holds up the start of an operation, if one does.
    private func delay(of id: OperationID) -> SchedulingRequest.ThrottleKey? {
        guard let entry = entries[id], entry.isDelayed else { return nil }
        return entry.scheduling?.throttle
    }

    /// An operation ends without having sent anything: it waits no more, and keeps nobody waiting.
    mutating func forgetStart(of id: OperationID) {
        guard let entry = entries[id], let name = entry.scheduling?.throttle?.name else { return }
        if entry.isDelayed {
            throttles.leave(id, name)
        } else {
            throttles.forget(id, name)
        }
    }

    /// A moment has come for which an operation waited.
    mutating func startIsDue(_ id: OperationID) {
        if let key = delay(of: id) { throttles.stir(key.name) }
    }

    /// Starts what has waited long enough: once all that end together have left their lines.
    mutating func startDelayed() {
        while let name = throttles.takeStirred() { startDelayed(of: name) }
    }

    private mutating func startDelayed(of name: String) {
        while let id = throttles.first(of: name), let entry = entries[id],
            let key = entry.scheduling?.throttle, entry.machine.phase != .suspended
        {
            if let moment = throttles.opening(of: name), moment > now {
                return call(id, name, at: moment)
            }
            throttles.leave(id, name)
            throttles.record(id, key, at: now)
            entries.update(id) { $0.isDelayed = false }
            feed(id, .due)
        }
    }

    /// The first of a line starts at this moment, which may be another than it was told: some before it
    /// have left, or were late.
    private mutating func call(_ id: OperationID, _ name: String, at moment: Duration) {
        guard throttles.call(id, name) else { return }
        timers.sweep { entries.contains($0) }
        timers.set(.start(id), at: moment)
        feed(id, .delay(until: moment))
    }
}
