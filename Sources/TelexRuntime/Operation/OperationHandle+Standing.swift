/// Where an operation is, for the error that it ends with.
extension OperationHandle {
    /// Where it is. What shares a request is where that is.
    var standing: OperationStanding {
        let kept = live.withLock { $0.rare?.standing }
        var standing = kept ?? (engine.flights.request(of: id) ?? self).ownStanding
        standing.diagnosis = live.withLock { $0.rare?.diagnosis }
        return standing
    }

    /// Remembers where the request is that it shares, which it is about to leave.
    func keepStanding() {
        guard let standing = engine.flights.request(of: id)?.ownStanding else { return }
        live.withLock { $0.needRare().standing = standing }
    }

    /// Why an attempt of it failed that the engine stops. What was before that, others tell: a transfer
    /// may have any number of attempts, none of which may hold those before it.
    func attemptError(_ failure: EngineFailure) -> any Error {
        var standing = ownStanding
        standing.attempts = []
        return facts.error(failure, standing, engine)
    }

    private var ownStanding: OperationStanding {
        var standing = live.withLock { OperationStanding($0) }
        if !standing.isAtWork { standing.wait = wait(in: standing.state) }
        return standing
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
