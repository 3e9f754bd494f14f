/// What is found out about the network before the operation fails.
extension OperationHandle {
    /// Stops the attempt if it has not ended, and lets the engine know when there is nothing more to find
    /// out about it.
    ///
    /// - Parameter failure: How the operation will fail.
    func examine(_ failure: EngineFailure) {
        if let error = sharedError { return fail(with: error) }
        guard let diagnostician = engine.diagnostician,
            let diagnosisRequest = diagnosisRequest(failure)
        else {
            engine.send(.attemptExamined(id))
            return
        }
        keepSnapshot()
        stopAsLast()
        Task.detached { [self] in
            let diagnosis = await diagnostician.diagnose(
                diagnosisRequest, within: failure.longestHold)
            if let diagnosis { live.withLock { $0.note(diagnosis, failure, facts.scheduling) } }
            engine.send(.attemptExamined(id))
        }
    }

    /// What there is to look into; nil for nothing.
    private func diagnosisRequest(_ failure: EngineFailure) -> DiagnosisRequest? {
        guard failure != .attempt else {
            return live.withLock { $0.current }?.contents.diagnosisRequest
        }
        return lastHop.map(DiagnosisRequest.init(timedOut:))
    }

    /// What there is to look into of its last attempt, which failed; nil for nothing.
    var lastDiagnosisRequest: DiagnosisRequest? {
        let (current, record) = live.withLock { ($0.current, $0.record) }
        // One that was stopped has left nothing behind: it took too long.
        guard current === record else {
            return current?.contents.hop.map(DiagnosisRequest.init(timedOut:))
        }
        return record?.contents.diagnosisRequest
    }

    /// The error of the request that it waits for with others, if that has failed already and is looked
    /// into: it says more than that the time of one of them is over.
    private var sharedError: (any Error)? {
        guard let shared = engine.coalescer.request(of: id), engine.hasFailed(shared.id),
            case .failure(let error)? = shared.live.withLock({ $0.result })
        else { return nil }
        return error
    }

    /// Where the last request of the live attempt went, or the one that it waits for with others; nil
    /// if nothing is on its way.
    var lastHop: Exchange.Hop? {
        let (current, shared) = live.withLock { ($0.current, $0.coldState?.shared) }
        let theirs = shared?.live.withLock { $0.isAtWork ? $0.current : nil }
        return current?.contents.hop ?? theirs?.contents.hop
    }

    /// Stops the live attempt, which stays the one at work until the end is known: none will follow it.
    private func stopAsLast() {
        let now = engine.clock.elapsed()
        let work = live.withLock { live in
            live.noteStop(at: now)
            return live.history.work
        }
        if case .task(let task) = work { task.cancel() }
    }
}

extension OperationLife {
    /// Remembers how far the network reached for the last attempt.
    ///
    /// - Parameter failure: How the operation will fail: so that the engine will make its error, or with
    ///   that of the attempt.
    fileprivate mutating func note(
        _ diagnosis: Diagnosis, _ failure: EngineFailure, _ scheduling: SchedulingRequest
    ) {
        guard failure == .attempt else {
            requireColdState().diagnosis = diagnosis
            return
        }
        guard end == nil else { return }
        if case .failure(let error as APIError)? = result {
            history.replaceError(with: error.noting(diagnosis, mayRepeat: scheduling.mayRepeat))
        } else if let error = coldState?.reason as? APIError {
            coldState?.reason = error.noting(diagnosis, mayRepeat: scheduling.mayRepeat)
        }
    }
}

extension APIError {
    fileprivate func noting(_ diagnosis: Diagnosis, mayRepeat: Bool) -> APIError {
        var error = self
        error.diagnosis = diagnosis
        // Once the user has logged in, it comes through.
        if diagnosis.isCaptive == true, mayRepeat { error.isRetryable = true }
        return error
    }
}

extension DiagnosisRequest {
    /// Nothing was heard of a request for too long.
    fileprivate convenience init(timedOut hop: Exchange.Hop) {
        self.init(.failure(.timedOut), of: hop.address, shown: hop.shownHost)
    }
}

extension EngineFailure {
    /// How long the failure may be held back at most to find out how far the network reached. Who sets
    /// a time for all of a call counts on it: the little that may be added is a part of that time.
    fileprivate var longestHold: Duration {
        if case .timedOut(let total) = self { total / 10 } else { .day }
    }
}
