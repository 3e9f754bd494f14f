/// Handles operations whose token was refused, and those that wait for a new one.
extension EngineMachine {
    /// The reason reported when an operation with a refused token is resent at once.
    package static let newerToken = "there is a newer token"

    /// Handles an attempt whose token was refused.
    ///
    /// - Parameters:
    ///   - isMissing: Whether nothing was sent, because there was no valid token.
    ///   - failure: The failure if it must not wait for a new token.
    mutating func refused(
        _ id: OperationID, _ scheme: SchemeKey, _ reason: String, isMissing: Bool = false,
        else failure: EngineFailure = .attempt
    ) {
        guard let entry = entries[id], entry.mayWait(for: scheme), let gate = gate(of: scheme)
        else { return fail(id, failure) }
        if entry.shared == scheme, sharesFailure(id) { return fail(id, .notRefreshed(scheme)) }
        // A token that the server hands out has not been refused before it was first requested.
        let isFirst = isMissing && scheme != .login && entry.machine.attempt == 1
        if !isFirst { countRefusal(of: id) }
        let answer = gates[gate].refused(
            id, launch: .init(lastEnd: entry.launched, moment: entry.notBefore),
            refusals: Int(entry.refusals) + (isFirst ? 0 : 1), at: now)
        switch answer {
        case .fail: fail(id, failure)
        case .notRefreshed: fail(id, .notRefreshed(scheme))
        case .repeatAtOnce:
            report(
                .retrying(after: .zero, reason: Self.newerToken), of: id,
                attempt: entry.machine.attempt)
            pass(.expire, to: id)
            pass(.refreshed, to: id)
        case .wait(let isFirst):
            share(gate, with: id)
            report(.postponed(reason: reason), of: id, attempt: entry.machine.attempt)
            pass(.expire, to: id)
            if isFirst { startRefresh(gate, for: id) }
        }
    }

    /// Handles a refused token of an attempt that cannot be repeated. The operation fails, but a
    /// refresh starts because later operations need a new token.
    mutating func renew(_ id: OperationID, _ scheme: SchemeKey) {
        guard let entry = entries[id], entry.mayWait(for: scheme), let gate = gate(of: scheme)
        else { return fail(id, .attempt) }
        if gates[gate].isUnavailable(since: entry.launched, at: now) {
            return fail(id, .notRefreshed(scheme))
        }
        if gates[gate].canRefresh, !gates[gate].isRefreshing,
            !gates[gate].hasEnded(since: entry.launched)
        {
            startRefresh(gate, for: id)
        }
        fail(id, .attempt)
    }

    /// Handles the success of an attempt, which proves the tokens that it was launched with.
    mutating func succeeded(_ id: OperationID) {
        for gate in gates.indices where !gates[gate].isProven {
            guard let entry = entries[id], entry.uses(gates[gate].scheme) else { continue }
            gates[gate].accepted(since: entry.launched)
        }
        scheduler.noteServed(id, at: now)
        pass(.succeed, to: id)
    }

    /// The gate of a scheme of the operation that is being refreshed; nil if there is none.
    func closedGate(for entry: Entry) -> Int? {
        gates.firstIndex { $0.isRefreshing && entry.uses($0.scheme) }
    }

    /// Makes an operation wait for the current refresh. The refresh counts as a refusal: if the new
    /// token is refused too, the operation fails. It counts only once, however often the operation
    /// is suspended in between.
    mutating func joinRefresh(_ id: OperationID, _ gate: Int) {
        guard let entry = entries[id],
            entry.shared != gates[gate].scheme || gates[gate].hasEnded(since: entry.launched)
        else { return }
        share(gate, with: id)
        gates[gate].wait(id)
        countRefusal(of: id)
    }

    private mutating func share(_ gate: Int, with id: OperationID) {
        let (scheme, lastEnd) = (gates[gate].scheme, refreshEnds)
        entries.update(id) { entry in
            entry.shared = scheme
            entry.launched = lastEnd
        }
    }

    /// Whether an operation shared a refresh that has just failed, while it was suspended or waited
    /// for its turn. Its next attempt may only use a token other than the one that was to be
    /// refreshed.
    func sharesFailure(_ id: OperationID) -> Bool {
        guard let entry = entries[id], let gate = entry.shared.flatMap({ gate(of: $0) })
        else { return false }
        return gates[gate].hasFailed(since: entry.launched, at: now)
    }

    private mutating func countRefusal(of id: OperationID) {
        entries.update(id) { if $0.refusals < .max { $0.refusals += 1 } }
    }

    private mutating func startRefresh(_ gate: Int, for id: OperationID) {
        refreshes += 1
        gates[gate].begin(refreshes)
        actions.append(.refresh(gates[gate].scheme, number: refreshes, for: id))
        if let limit = refreshTimeout { timers.set(.refresh(refreshes), at: now.later(by: limit)) }
    }

    private func gate(of scheme: SchemeKey) -> Int? { gates.firstIndex { $0.scheme == scheme } }

    private func gate(refreshedBy number: Int) -> Int? {
        gates.firstIndex { $0.refresh == number }
    }

    /// Whether this refresh is in progress and has not timed out.
    package func isAwaiting(_ number: Int) -> Bool { gate(refreshedBy: number) != nil }

    /// Resumes the waiting operations in order, or fails them all with the same error. Operations
    /// that arrive during `pause` fail with it too.
    mutating func refreshEnded(_ number: Int, succeeded: Bool, pause: Duration? = nil) {
        guard let gate = gate(refreshedBy: number) else { return }
        endWaiting(gate, withNewToken: succeeded, pause: pause)
    }

    /// Resumes the waiting operations; each checks by itself whether the token is for it. No new
    /// token was obtained that could have been refused, so the refusal that each was charged is
    /// taken back.
    mutating func refreshSuperseded(_ number: Int) {
        guard let gate = gate(refreshedBy: number) else { return }
        for id in gates[gate].abandon() where entries[id]?.shared == gates[gate].scheme {
            entries.update(id) { if $0.refusals > 0 { $0.refusals -= 1 } }
            if isReleased(id, gate) { pass(.refreshed, to: id) }
        }
    }

    /// Makes the waiting operations wait for a token of another scheme, without which there is no
    /// new one of this scheme.
    mutating func refreshNeeds(_ other: SchemeKey, _ number: Int) {
        guard let gate = gate(refreshedBy: number) else { return }
        let scheme = gates[gate].scheme
        for id in gates[gate].abandon() where isReleased(id, gate) {
            refused(id, other, "its token requires another one", else: .notRefreshed(scheme))
        }
    }

    private mutating func endWaiting(
        _ gate: Int, withNewToken hasNew: Bool, pause: Duration? = nil
    ) {
        refreshEnds += 1
        let waiting = gates[gate].finish(
            succeeded: hasNew, pause: pause, as: refreshEnds, at: now)
        for id in waiting where isReleased(id, gate, hasFailed: !hasNew) {
            if hasNew {
                pass(.refreshed, to: id)
            } else {
                fail(id, .notRefreshed(gates[gate].scheme))
            }
        }
    }

    /// Ends an operation's share in a refresh that is over. An operation that does not wait for it
    /// now, because it was suspended, keeps its share in a failure; see `sharesFailure`.
    ///
    /// - Returns: Whether the operation waits for the refresh.
    private mutating func isReleased(
        _ id: OperationID, _ gate: Int, hasFailed: Bool = false
    ) -> Bool {
        guard let entry = entries[id], entry.shared == gates[gate].scheme else { return false }
        let isWaiting = entry.machine.phase == .postponed
        if !hasFailed || isWaiting { entries.update(id) { $0.shared = nil } }
        return isWaiting
    }

    /// Treats a refresh that takes too long as failed for the waiting operations. The refresh is
    /// not stopped: a token that arrives later still reaches the store.
    mutating func refreshTimedOut(_ number: Int) {
        guard let gate = gate(refreshedBy: number) else { return }
        actions.append(.abandonRefresh(gates[gate].scheme))
        endWaiting(gate, withNewToken: false)
    }

    /// Ends the wait for a new log-in token after a log-out, because it is of no use to the next
    /// session.
    mutating func loggedOut() {
        guard let gate = gate(of: .login) else { return }
        for id in gates[gate].abandon() where isReleased(id, gate) {
            fail(id, .notRefreshed(.login))
        }
    }

    /// Resumes the operations that wait for a log-in.
    mutating func loggedIn() {
        if let gate = gate(of: .login) { endWaiting(gate, withNewToken: true) }
    }

    /// Records that the store of a scheme holds a newer token.
    mutating func foundNewer(_ scheme: SchemeKey) {
        guard let gate = gate(of: scheme) else { return }
        refreshEnds += 1
        gates[gate].noteNewer(as: refreshEnds, at: now)
    }

    /// The end of the pause that the token server of a scheme asked for; nil if it asked for none.
    package func refreshPauseEnd(of scheme: SchemeKey) -> Duration? {
        gate(of: scheme).flatMap { gates[$0].pauseEnd }
    }

    /// Whether an operation fails with the refresh of this scheme that failed before its next
    /// attempt.
    package func sharesRefresh(_ id: OperationID, of scheme: SchemeKey) -> Bool {
        entries[id]?.shared == scheme
    }
}
