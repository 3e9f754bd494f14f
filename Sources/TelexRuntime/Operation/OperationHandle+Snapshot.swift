/// Where an operation is, for the error that it ends with.
extension OperationHandle {
    /// Where it is. What shares a request is where that is.
    var snapshot: FailureSnapshot {
        let kept = live.withLock { $0.coldState?.snapshot }
        var snapshot = kept ?? (engine.coalescer.request(of: id) ?? self).ownSnapshot
        snapshot.diagnosis = live.withLock { $0.coldState?.diagnosis }
        return snapshot
    }

    /// Remembers where the request is that it shares, which it is about to leave.
    func keepSnapshot() {
        guard let snapshot = engine.coalescer.request(of: id)?.ownSnapshot else { return }
        live.withLock { $0.requireColdState().snapshot = snapshot }
    }

    /// Why an attempt of it failed that the engine stops. What was before that, others tell: a transfer
    /// may have any number of attempts, none of which may hold those before it.
    func attemptError(_ failure: EngineFailure) -> any Error {
        var snapshot = ownSnapshot
        snapshot.attempts = []
        return facts.error(failure, snapshot, engine)
    }

    private var ownSnapshot: FailureSnapshot {
        var snapshot = live.withLock { FailureSnapshot($0) }
        if !snapshot.isAtWork { snapshot.wait = wait(in: snapshot.state) }
        return snapshot
    }

    /// What it waits for, which has no attempt at work.
    private func wait(in state: OperationState) -> OperationWait {
        switch state {
        case .postponed: .token
        case .suspended: .resumption
        case .ready, .queued, .running, .waiting, .succeeded, .failed, .cancelled:
            engine.wait(of: id)
        }
    }
}
