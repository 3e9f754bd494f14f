/// Diagnosis of the network before an operation fails. Its failure is decided before the diagnosis,
/// so a time-out during it changes nothing.
extension EngineMachine {
    /// Fails an operation whose time is over. If an attempt is in flight, the operation fails once
    /// it is known how far the network reached, because the network may be the cause. An operation
    /// that is paused, or waits for a turn or a token, has no request in flight and fails at once.
    /// So does one that is being diagnosed already: it has no time left for that.
    mutating func diagnoseThenFail(_ id: OperationID, _ failure: EngineFailure) {
        guard canDiagnose, entries[id]?.machine.phase == .running, !pendingFailures.contains(id)
        else {
            return fail(id, failure)
        }
        diagnose(id, failure)
    }

    /// Fails an operation whose last attempt failed, paused or not. If the network may be to blame,
    /// it fails once it is known how far the network reached.
    mutating func failOrDiagnose(_ id: OperationID, _ failure: AttemptFailure) {
        guard failure.isSuspicious else { return fail(id, .attempt) }
        diagnose(id, .attempt)
    }

    private mutating func diagnose(_ id: OperationID, _ failure: EngineFailure) {
        pendingFailures[id] = failure
        actions.append(.diagnose(id, failure))
    }

    /// Whether the operation's end is decided, even if it is still being diagnosed; nil if there is
    /// no such operation.
    package func isSettled(_ id: OperationID) -> Bool? {
        entries[id].map { $0.machine.phase.isTerminal || pendingFailures.contains(id) }
    }

    /// Ends the diagnosis and fails the operation.
    mutating func diagnosisEnded(_ id: OperationID) {
        if let failure = pendingFailures[id] { fail(id, failure) }
    }

    /// Whether the last attempt of an operation has failed and is being diagnosed.
    package func hasFailed(_ id: OperationID) -> Bool { pendingFailures[id] == .attempt }
}
