import TelexScheduling

/// What suspends an operation: the groups of which it is a step, or all calls that share it. It
/// resumes when none of them suspends it.
struct OperationHolds {
    private var holders: Set<OperationID> = []
    /// The change not yet reported to the engine: whether the operation is suspended.
    private var pendingReport: Bool?
    /// Whether a thread reports changes.
    private var isReporting = false

    /// Records that a holder suspends or resumes it; does nothing if that is recorded already.
    mutating func change(_ isHeld: Bool, by holder: OperationID) {
        if isHeld {
            // Report every suspension, because the operation may have been resumed individually
            // since.
            if holders.insert(holder).inserted { pendingReport = true }
        } else if holders.remove(holder) != nil, holders.isEmpty {
            pendingReport = false
        }
    }

    /// Resumes the operation; does nothing if a holder suspends it.
    mutating func resumeUnlessHeld() {
        if holders.isEmpty { pendingReport = false }
    }

    /// Returns the next change to report to the engine. Only one thread at a time reports, until
    /// there is none left, because concurrent reports could arrive in the wrong order.
    ///
    /// - Parameter isMine: Whether this thread is the one that reports.
    /// - Returns: Nil if there is no change, or if another thread reports.
    mutating func next(isMine: Bool) -> Bool? {
        guard isMine || !isReporting else { return nil }
        defer { pendingReport = nil }
        isReporting = pendingReport != nil
        return pendingReport
    }
}

extension OperationHandle {
    /// Records that `holder` suspends or resumes the operation. `reportHolds` must follow, with no
    /// lock held. The operation resumes unless another holder suspends it or it was suspended
    /// individually.
    func noteHold(_ isHeld: Bool, by holder: OperationID) {
        live.withLock { $0.requireColdState().holds.change(isHeld, by: holder) }
    }

    /// Resumes the operation after `suspend`, unless a holder suspends it.
    func resumeUnlessHeld() {
        live.withLock { live in
            live.isSuspendedItself = false
            live.requireColdState().holds.resumeUnlessHeld()
        }
        reportHolds()
    }

    /// Reports recorded changes to the engine. An operation that has not been started cannot be
    /// suspended, so changes are kept until then.
    func reportHolds() {
        var isMine = false
        while let isHeld = nextHold(isMine: isMine) {
            isMine = true
            if isHeld {
                engine.send(.suspend(id))
            } else if !live.withLock({ $0.isSuspendedItself }) {
                engine.send(.resume(id))
            }
        }
    }

    private func nextHold(isMine: Bool) -> Bool? {
        live.withLock { live in
            live.isRegistered ? live.coldState?.holds.next(isMine: isMine) : nil
        }
    }
}
