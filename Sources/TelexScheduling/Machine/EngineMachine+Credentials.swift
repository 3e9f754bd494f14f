/// Handles operations whose credential was refused, and those that wait for a new one.
extension EngineMachine {
    /// The reason reported when an operation with a refused credential is resent at once.
    package static let newerToken = "there is a newer token"

    /// Handles an attempt whose credential was refused.
    mutating func refused(_ id: OperationID, _ reason: String) {
        guard let entry = entries[id] else { return }
        if entry.isPrivileged { return fail(id, .attempt) }
        if sharesFailure(id) { return fail(id, .notRefreshed) }
        countRefusal(of: id)
        let answer = credentialGate.refused(
            id, launched: entry.launched, wasNew: entry.hasNewCredential,
            refusals: Int(entry.refusals) + 1, at: now)
        switch answer {
        case .fail: fail(id, .attempt)
        case .notRefreshed: fail(id, .notRefreshed)
        case .repeatAtOnce:
            report(
                .retrying(after: .zero, reason: Self.newerToken), of: id,
                attempt: entry.machine.attempt)
            pass(.expire, to: id)
            pass(.refreshed, to: id)
        case .wait(let isFirst):
            shareRefresh(id)
            report(.postponed(reason: reason), of: id, attempt: entry.machine.attempt)
            pass(.expire, to: id)
            if isFirst { startRefresh(id) }
        }
    }

    /// Handles a refused credential of an attempt that cannot be repeated. The operation fails, but
    /// a refresh starts because later operations need a new credential.
    mutating func renew(_ id: OperationID) {
        guard let entry = entries[id] else { return }
        if entry.isPrivileged { return fail(id, .attempt) }
        if credentialGate.isUnavailable(for: entry.launched, at: now) {
            return fail(id, .notRefreshed)
        }
        if credentialGate.renew(launched: entry.launched) { startRefresh(id) }
        fail(id, .attempt)
    }

    /// Handles the success of an attempt, which proves the credential that it was launched with, if
    /// it uses one.
    mutating func succeeded(_ id: OperationID) {
        if !credentialGate.isProven, let entry = entries[id],
            entry.scheduling?.slot?.usesCredential == true
        {
            credentialGate.accepted(launched: entry.launched)
        }
        scheduler.noteServed(id, at: now)
        pass(.succeed, to: id)
    }

    /// Makes an operation wait for the current refresh. The refresh counts as a refusal: if the new
    /// credential is refused too, the operation fails. It counts only once, however often the
    /// operation is suspended in between.
    mutating func joinRefresh(_ id: OperationID) {
        guard let entry = entries[id],
            !entry.sharesRefresh || entry.launched != credentialGate.count
        else {
            return
        }
        shareRefresh(id)
        credentialGate.wait(id)
        countRefusal(of: id)
    }

    private mutating func shareRefresh(_ id: OperationID) {
        let count = credentialGate.count
        entries.update(id) { entry in
            entry.sharesRefresh = true
            entry.launched = count
        }
    }

    /// Whether an operation shared a refresh that has just failed, while it was suspended or waited
    /// for its turn. Its next attempt may only use a token other than the one that was to be
    /// refreshed.
    func sharesFailure(_ id: OperationID) -> Bool {
        guard let entry = entries[id], entry.sharesRefresh else { return false }
        return credentialGate.hasFailed(since: entry.launched, at: now)
    }

    private mutating func countRefusal(of id: OperationID) {
        entries.update(id) { if $0.refusals < .max { $0.refusals += 1 } }
    }

    private mutating func startRefresh(_ id: OperationID) {
        refreshes += 1
        actions.append(.refresh(number: refreshes, for: id))
        if let limit = refreshTimeout { timers.set(.refresh(refreshes), at: now.later(by: limit)) }
    }

    /// Whether this refresh is in progress and has not timed out.
    package func isAwaiting(_ number: Int) -> Bool {
        credentialGate.isRefreshing && number == refreshes
    }

    /// Resumes the waiting operations in order, or fails them all with the same error. Operations
    /// that arrive during `pause` fail with it too.
    mutating func refreshEnded(_ number: Int, succeeded: Bool, pause: Duration? = nil) {
        guard isAwaiting(number) else { return }
        endWaiting(withNewCredential: succeeded, pause: pause)
    }

    /// Resumes the waiting operations; each checks by itself whether the credential is for it. No
    /// new credential was obtained that could have been refused, so the refusal that each was
    /// charged is taken back.
    mutating func refreshSuperseded(_ number: Int) {
        guard isAwaiting(number) else { return }
        for id in credentialGate.abandon() {
            entries.update(id) { if $0.refusals > 0 { $0.refusals -= 1 } }
            if isReleased(id) { pass(.refreshed, to: id) }
        }
    }

    mutating func endWaiting(withNewCredential hasNew: Bool, pause: Duration? = nil) {
        for id in credentialGate.finish(succeeded: hasNew, pause: pause, at: now)
        where isReleased(id, hasFailed: !hasNew) {
            if hasNew { pass(.refreshed, to: id) } else { fail(id, .notRefreshed) }
        }
    }

    /// Ends an operation's share in a refresh that is over. An operation that does not wait for it
    /// now, because it was suspended, keeps its share in a failure; see `sharesFailure`.
    ///
    /// - Returns: Whether the operation waits for the refresh.
    private mutating func isReleased(_ id: OperationID, hasFailed: Bool = false) -> Bool {
        let isWaiting = entries[id]?.machine.phase == .postponed
        entries.update(id) { $0.sharesRefresh = hasFailed && !isWaiting }
        return isWaiting
    }

    /// Treats a refresh that takes too long as failed for the waiting operations. The refresh is
    /// not stopped: a credential that arrives later still reaches the store.
    mutating func refreshTimedOut(_ number: Int) {
        guard isAwaiting(number) else { return }
        actions.append(.abandonRefresh)
        refreshEnded(number, succeeded: false)
    }

    /// Ends the wait for a refresh after a log-out, because its result is of no use to the next
    /// session.
    mutating func loggedOut() {
        for id in credentialGate.abandon() where isReleased(id) { fail(id, .notRefreshed) }
    }

    /// The end of the pause that the token server asked for; nil if it asked for none.
    package var refreshPauseEnd: Duration? { credentialGate.pauseEnd }

    /// Whether an operation fails with the refresh that failed before its next attempt.
    package func sharesRefresh(_ id: OperationID) -> Bool { entries[id]?.sharesRefresh == true }
}
