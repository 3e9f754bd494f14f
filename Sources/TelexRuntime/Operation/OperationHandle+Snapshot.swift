import TelexScheduling

/// The state of an operation, for the error that it ends with.
extension OperationHandle {
    /// The state of the operation, or of the request that it shares.
    var snapshot: FailureSnapshot {
        let kept = live.withLock { $0.coldState?.snapshot }
        var snapshot = kept ?? (engine.coalescer.request(of: id) ?? self).ownSnapshot
        snapshot.diagnosis = live.withLock { $0.coldState?.diagnosis }
        return snapshot
    }

    /// Stores the state of the shared request, which the operation is about to leave.
    func keepSnapshot() {
        guard let snapshot = engine.coalescer.request(of: id)?.ownSnapshot else { return }
        live.withLock { $0.requireColdState().snapshot = snapshot }
    }

    /// The error of an attempt that the engine stops. It does not include earlier attempts, because
    /// a transfer may have any number, and each would retain all previous ones.
    func attemptError(_ failure: EngineFailure) -> any Error {
        var snapshot = ownSnapshot
        snapshot.attempts = []
        return attributes.error(for: failure, snapshot: snapshot, engine: engine)
    }

    private var ownSnapshot: FailureSnapshot {
        let state = listeners.lastState
        var snapshot = live.withLock { FailureSnapshot($0, in: state) }
        if !snapshot.isAtWork { snapshot.wait = wait(in: snapshot.state) }
        return snapshot
    }

    /// What the operation waits for without a running attempt.
    private func wait(in state: OperationState) -> OperationWait {
        switch state {
        case .postponed: .token
        case .suspended: .resumption
        case .ready, .queued, .running, .waiting, .succeeded, .failed, .cancelled:
            engine.wait(of: id)
        }
    }
}
