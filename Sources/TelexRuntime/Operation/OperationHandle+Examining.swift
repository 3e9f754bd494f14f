import TelexDiagnosis
import TelexInspection
import TelexScheduling

/// Diagnosis of the network before the operation fails.
extension OperationHandle {
    /// Stops the attempt if it has not ended, and informs the engine when the diagnosis is
    /// complete.
    ///
    /// - Parameter failure: How the operation will fail.
    func diagnose(_ failure: EngineFailure) {
        if let error = sharedError { return fail(with: error) }
        guard let diagnostician = engine.diagnostician,
            let diagnosisRequest = diagnosisRequest(failure)
        else {
            engine.send(.attemptDiagnosed(id))
            return
        }
        keepSnapshot()
        stopAsLast()
        Task.detached { [self] in
            let diagnosis = await diagnostician.diagnose(
                diagnosisRequest, within: failure.maximumDelay)
            if let diagnosis {
                live.withLock {
                    $0.record(diagnosis, for: failure, scheduling: attributes.scheduling)
                }
            }
            engine.send(.attemptDiagnosed(id))
        }
    }

    /// The diagnosis to make; nil for none.
    private func diagnosisRequest(_ failure: EngineFailure) -> DiagnosisRequest? {
        guard failure != .attempt else {
            return live.withLock { $0.current }?.contents.diagnosisRequest
        }
        return lastHop.map(DiagnosisRequest.init(timedOut:))
    }

    /// The diagnosis to make for its last attempt, which failed; nil for none.
    var lastDiagnosisRequest: DiagnosisRequest? {
        let (current, record) = live.withLock { ($0.current, $0.record) }
        // An attempt that was stopped has timed out and left no record.
        guard current === record else {
            return current?.contents.hop.map(DiagnosisRequest.init(timedOut:))
        }
        return record?.contents.diagnosisRequest
    }

    /// The error of the shared request, if that has failed already and is being diagnosed. It is
    /// more informative than the time-out of one subscriber.
    private var sharedError: (any Error)? {
        guard let shared = engine.coalescer.request(of: id), engine.hasFailed(shared.id),
            case .failure(let error)? = shared.live.withLock({ $0.result })
        else { return nil }
        return error
    }

    /// The destination of the last request of the live attempt or of the shared request; nil if
    /// none is in flight.
    var lastHop: Hop? {
        let (current, shared) = live.withLock { ($0.current, $0.coldState?.shared) }
        let theirs = shared?.live.withLock { $0.isAtWork ? $0.current : nil }
        return current?.contents.hop ?? theirs?.contents.hop
    }

    /// Stops the live attempt, which remains the current one because no other follows.
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
    /// Records how far the network reached for the last attempt.
    ///
    /// - Parameter failure: How the operation will fail. With `.attempt` it fails with the
    ///   attempt's error, which then includes the diagnosis; otherwise the engine's error will
    ///   include it.
    fileprivate mutating func record(
        _ diagnosis: Diagnosis, for failure: EngineFailure, scheduling: SchedulingRequest
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
        // The call succeeds once the user has logged in to the network.
        if diagnosis.isCaptive == true, mayRepeat { error.isRetryable = true }
        return error
    }
}

extension DiagnosisRequest {
    /// The diagnosis of a request that timed out.
    fileprivate convenience init(timedOut hop: Hop) {
        self.init(.failure(.timedOut), of: hop.address, shown: hop.redactedHost)
    }
}

extension EngineFailure {
    /// How long the failure may be delayed by the diagnosis. With a total time-out, the delay is
    /// limited to a small part of it, because callers rely on that time.
    fileprivate var maximumDelay: Duration {
        if case .timedOut(let total) = self { total / 10 } else { .day }
    }
}
