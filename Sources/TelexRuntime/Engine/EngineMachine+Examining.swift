/// What is looked into before an operation fails: how it fails is settled by then, and that time may run
/// out meanwhile changes nothing about it.
extension EngineMachine {
    /// Fails an operation whose time is over. If an attempt is at work, it fails as soon as it is known
    /// how far the network reached for that: what held the call up may be the network. What waits for
    /// a turn or a token, or is held, has nothing on its way. And what is looked into already has no
    /// time left in which to find out more.
    mutating func giveUp(_ id: OperationID, _ failure: EngineFailure) {
        guard canExamine, entries[id]?.machine.phase == .running, !verdicts.contains(id) else {
            return fail(id, failure)
        }
        examine(id, failure)
    }

    /// Fails an operation whose last attempt failed, held or not: as soon as it is known how far the
    /// network reached, if that may be to blame.
    mutating func conclude(_ id: OperationID, _ failure: AttemptFailure) {
        guard failure.isSuspicious else { return fail(id, .attempt) }
        examine(id, .attempt)
    }

    private mutating func examine(_ id: OperationID, _ failure: EngineFailure) {
        verdicts[id] = failure
        actions.append(.examine(id, failure))
    }

    /// Whether it is settled how an operation ends, be it that this is still looked into; nil if there is
    /// no such operation.
    func isSettled(_ id: OperationID) -> Bool? {
        entries[id].map { $0.machine.phase.isTerminal || verdicts.contains(id) }
    }

    /// There is nothing more to find out.
    mutating func examined(_ id: OperationID) {
        if let failure = verdicts[id] { fail(id, failure) }
    }
}
