import TelexCredentials
import TelexDiagnosis
import TelexInspection
import TelexRequests
import TelexScheduling

extension OperationHandle {
    /// The states of the operation: the current one first, the terminal one last. Any number of
    /// tasks may read.
    public var states: AsyncStream<OperationState> { listeners.states }

    /// The events of the operation, from now to its end. Any number of tasks may read; a reader
    /// that is more than 256 events behind loses the oldest. The events of a request that the call
    /// shares (`coalesce`) are delivered only by its `APIManager`.
    public var events: AsyncStream<APIEvent> {
        isWatched.set()
        return listeners.events
    }

    /// Calls a closure once when the operation has ended, on a queue of the API. If it has ended
    /// already, the closure is called at once, on this thread, perhaps before other waiters are
    /// resumed.
    ///
    /// - Parameter handler: Receives the terminal state. It delays only closures that wait for
    ///   other operations of the same API.
    public func whenEnded(_ handler: @escaping @Sendable (OperationState) -> Void) {
        listen(handler) { $0.closures.append(handler) }
    }

    /// Calls a closure of the runtime once the operation has ended, before all other waiters.
    package func atEnd(_ handler: @escaping @Sendable (OperationState) -> Void) {
        listen(handler) { $0.dependents.append(handler) }
    }

    /// Calls a closure of the runtime as soon as the operation has ended, before any operation
    /// begins that was started later and may need the same resource. It must not block.
    func atRelease(_ handler: @escaping @Sendable () -> Void) {
        listen({ _ in handler() }) { $0.releases.append(handler) }
    }

    private func listen(
        _ handler: (OperationState) -> Void, _ join: (inout OperationLife.OtherWaiters) -> Void
    ) {
        let end = live.withLock { live in
            if live.end == nil { join(&live.requireColdState().otherWaiters) }
            return live.end
        }
        if let end { handler(end) }
    }

    // MARK: What the engine tells

    /// Emits an event for a decision of the engine.
    func tell(_ decision: EngineDecision, attempt: Int) {
        guard isObserved, decision != .started || isCall else { return }
        emit(APIEvent.Kind(decision, engine), attempt: attempt)
    }

    /// Whether it is the shared request of several operations.
    var isShared: Bool { attributes.isShared }

    /// Whether events have a listener.
    var isObserved: Bool {
        attributes.hub?.isObserved ?? false || isWatched.isSet
    }

    /// How many bytes of bodies the listeners request.
    var bodyLimit: Int { attributes.hub?.bodyLimit ?? 0 }

    /// Emits an event.
    func emit(_ kind: APIEvent.Kind, attempt: Int) {
        guard isObserved else { return }
        let hub = attributes.hub.flatMap { $0.isObserved ? $0 : nil }
        let event = APIEvent(
            date: engine.clock.now(), elapsed: engine.clock.elapsed(), api: attributes.api,
            method: attributes.method, operation: id, attempt: attempt, owner: attributes.owner,
            tags: attributes.tags, queue: attributes.queue, kind: kind,
            isShared: attributes.isShared)
        hub?.emit(event)
        listeners.tell(bodyLimit > 0 ? event.limitingBodies(to: 0) : event)
    }

    /// Whether it is a call of an API method or a named group, rather than a fake or a shared
    /// request.
    private var isCall: Bool { !attributes.method.isEmpty && !attributes.isShared }

    /// Informs the start listeners before the operation is started.
    func announceStart() {
        guard isCall, let hub = attributes.hub, hub.hasStartListeners else { return }
        if live.withLock({ !$0.isRegistered }) { hub.willStart(id, in: OperationGroup.current?.id) }
    }

    func emitEnd() {
        guard isCall else { return }
        let attempt = live.withLock { $0.attempt }
        switch outcome {
        case .success: emit(.succeeded, attempt: attempt)
        case .failure(let error as APIError): emit(.failed(error), attempt: attempt)
        case .failure(is CancellationError): emit(.cancelled, attempt: attempt)
        case .failure(let error): emit(.abandoned(because: error.safeDescription), attempt: attempt)
        }
    }

    /// Fails the operation with an error.
    ///
    /// - Parameter diagnosisRequest: Why the network may be to blame, which is diagnosed first; nil
    ///   if it is not.
    func fail(with error: any Error, because diagnosisRequest: DiagnosisRequest? = nil) {
        let record = live.withLock { live in
            if live.end == nil { live.requireColdState().reason = error }
            return live.current
        }
        if let diagnosisRequest { record?.update { $0.diagnosisRequest = diagnosisRequest } }
        engine.send(diagnosisRequest == nil ? .fail(id) : .diagnoseThenFail(id))
    }
}
