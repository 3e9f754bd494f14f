import TelexScheduling

/// The groups that suspend an operation. The operation may be a step of several groups, and resumes
/// when none of them suspends it.
struct OperationHolds {
    private var holders: Set<OperationID> = []
    /// The change not yet reported to the engine: whether the operation is suspended.
    private var pendingReport: Bool?
    /// Whether a thread reports changes.
    private var isReporting = false

    /// Records that a group suspends or resumes it; does nothing if that is recorded already.
    mutating func change(_ isHeld: Bool, by holder: OperationID) {
        if isHeld {
            // Report every suspension, because the operation may have been resumed individually
            // since.
            if holders.insert(holder).inserted { pendingReport = true }
        } else if holders.remove(holder) != nil, holders.isEmpty {
            pendingReport = false
        }
    }

    /// Resumes the operation; does nothing if a group suspends it.
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
    /// Suspends the operation until `holder` resumes it. It then resumes, unless another group
    /// suspends it or it was suspended individually.
    func hold(_ isHeld: Bool, by holder: OperationID) {
        live.withLock { $0.requireColdState().holds.change(isHeld, by: holder) }
        reportHolds()
    }

    /// Resumes the operation after `suspend`, unless a group suspends it.
    func resumeUnlessHeld() {
        live.withLock { live in
            live.isSuspendedItself = false
            live.requireColdState().holds.resumeUnlessHeld()
        }
        reportHolds()
    }

    private func reportHolds() {
        var isMine = false
        while let isHeld = live.withLock({ $0.requireColdState().holds.next(isMine: isMine) }) {
            isMine = true
            if isHeld {
                engine.send(.suspend(id))
            } else if !live.withLock({ $0.isSuspendedItself }) {
                engine.send(.resume(id))
            }
        }
    }
}
