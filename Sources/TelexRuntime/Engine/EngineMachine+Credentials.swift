/// What becomes of operations whose credential was refused, and of those that wait for a new one.
extension EngineMachine {
    /// Why an operation whose credential was refused is sent again at once.
    package static let newerToken = "there is a newer token"

    /// The credential of an attempt was refused.
    mutating func refused(_ id: OperationID, _ reason: String) {
        guard let entry = entries[id] else { return }
        if entry.isErrand { return fail(id, .attempt) }
        if sharesFailure(id) { return fail(id, .notRefreshed) }
        countRefusal(of: id)
        let answer = credentialGate.refused(
            id, launched: entry.launched, wasNew: entry.hasNewCredential,
            refusals: Int(entry.refusals) + 1, at: now)
        switch answer {
        case .fail: fail(id, .attempt)
        case .notRefreshed: fail(id, .notRefreshed)
        case .goOn:
            tell(id, entry.machine.attempt, .retrying(after: .zero, reason: Self.newerToken))
            feed(id, .expire)
            feed(id, .refreshed)
        case .wait(let isFirst):
            shareRefresh(id)
            tell(id, entry.machine.attempt, .postponed(reason: reason))
            feed(id, .expire)
            if isFirst { startRefresh(id) }
        }
    }

    /// The credential was refused of an attempt that cannot be repeated. It fails, but those that
    /// come later need a new one.
    mutating func renew(_ id: OperationID) {
        guard let entry = entries[id] else { return }
        if entry.isErrand { return fail(id, .attempt) }
        if credentialGate.hasNone(for: entry.launched, at: now) { return fail(id, .notRefreshed) }
        if credentialGate.renew(launched: entry.launched) { startRefresh(id) }
        fail(id, .attempt)
    }

    /// An attempt has succeeded, with the credential that it was launched with if it needs one.
    mutating func succeeded(_ id: OperationID) {
        if !credentialGate.isProven, let entry = entries[id],
            entry.scheduling?.slot?.usesCredential == true
        {
            credentialGate.accepted(launched: entry.launched)
        }
        feed(id, .succeed)
    }

    /// Lets an operation wait for the refresh under way. It has its share of that: if the new credential
    /// is refused too, it fails. But only once, however often it is suspended meanwhile.
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

    /// Whether an operation had its share of a refresh that failed a moment ago, while it was suspended
    /// or waited for its turn. Its next attempt shows only another token than that was for.
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

    /// Whether this refresh is under way and has not taken too long.
    func isAwaiting(_ number: Int) -> Bool { credentialGate.isRefreshing && number == refreshes }

    /// Those that waited go on in their order, or fail with the same error, as do those that come while
    /// nobody may ask again.
    mutating func refreshEnded(_ number: Int, _ succeeded: Bool, pause: Duration? = nil) {
        guard isAwaiting(number) else { return }
        endWaiting(withNewCredential: succeeded, pause: pause)
    }

    /// Those that waited go on: each finds out by itself whether the credential is for it. There was no
    /// new one that could have been refused, so that nobody has had a share in it.
    mutating func refreshSuperseded(_ number: Int) {
        guard isAwaiting(number) else { return }
        for id in credentialGate.abandon() {
            entries.update(id) { if $0.refusals > 0 { $0.refusals -= 1 } }
            if isReleased(id) { feed(id, .refreshed) }
        }
    }

    mutating func endWaiting(withNewCredential hasNew: Bool, pause: Duration? = nil) {
        for id in credentialGate.finish(succeeded: hasNew, pause: pause, at: now)
        where isReleased(id, hasFailed: !hasNew) {
            if hasNew { feed(id, .refreshed) } else { fail(id, .notRefreshed) }
        }
    }

    /// Ends an operation's share of a refresh that is over. One that does not wait for it at this moment,
    /// because it was suspended meanwhile, keeps its share of a failure; see `sharesFailure`.
    ///
    /// - Returns: Whether it waits for it.
    private mutating func isReleased(_ id: OperationID, hasFailed: Bool = false) -> Bool {
        let isWaiting = entries[id]?.machine.phase == .postponed
        entries.update(id) { $0.sharesRefresh = hasFailed && !isWaiting }
        return isWaiting
    }

    /// A refresh that takes too long has failed for those who wait. It is not stopped: what it brings
    /// later finds its way into the store.
    mutating func refreshTimedOut(_ number: Int) {
        guard isAwaiting(number) else { return }
        actions.append(.abandonRefresh)
        refreshEnded(number, false)
    }

    /// Nobody waits any more for a refresh that is of no use to whoever logs in next.
    mutating func loggedOut() {
        for id in credentialGate.abandon() where isReleased(id) { fail(id, .notRefreshed) }
    }
}
