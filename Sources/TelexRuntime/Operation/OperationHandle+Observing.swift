import Synchronization

extension OperationHandle {
    /// The states that it goes through: the present one first, its last one at the end. Any number of
    /// tasks may read.
    public var states: AsyncStream<OperationState> {
        live.withLock { live in
            // Who comes late gets a stream of their own: others may still have to be told the end.
            if let end = live.end { return .ended(with: end) }
            let hub = live.coldState?.states ?? Broadcast()
            live.requireColdState().states = hub
            // Under the lock: no state comes between the first and those that follow.
            return hub.stream(from: live.shown, keeping: .unbounded)
        }
    }

    /// What happens to the operation, from now to its end. Any number of tasks may read; one that falls
    /// behind by more than 256 events loses the oldest of them. Of a call that shares its request
    /// (`coalesce`), what happens to that request is among the events of its `APIManager` only.
    public var events: AsyncStream<APIEvent> {
        isWatched.store(true, ordering: .releasing)
        let hub = live.withLock { live -> Broadcast<APIEvent>? in
            guard live.end == nil else { return nil }
            let hub = live.coldState?.events ?? Broadcast()
            live.requireColdState().events = hub
            return hub
        }
        return hub?.stream(from: nil, keeping: .bufferingNewest(256)) ?? .ended()
    }

    /// Calls a closure once when the operation has ended, on a queue of the API's; at once, on this
    /// thread, if it has, perhaps before those that waited for the end.
    ///
    /// - Parameter handler: Is given the state in which it ended. Closures that wait for other
    ///   operations of the same API are called after it, but nothing else waits for it.
    public func whenEnded(_ handler: @escaping @Sendable (OperationState) -> Void) {
        listen(handler) { $0.closures.append(handler) }
    }

    /// Calls a closure of the runtime's own once the operation has ended, before anybody else is told.
    package func atEnd(_ handler: @escaping @Sendable (OperationState) -> Void) {
        listen(handler) { $0.dependents.append(handler) }
    }

    /// Calls a closure of the runtime's own as soon as the operation has ended, and before anything
    /// begins that was started later: that may want what this one has. It must not wait.
    func atRelease(_ handler: @escaping @Sendable () -> Void) {
        listen({ _ in handler() }) { $0.releases.append(handler) }
    }

    private func listen(
        _ handler: (OperationState) -> Void, _ join: (inout OperationLife.Audience) -> Void
    ) {
        let end = live.withLock { live in
            if live.end == nil { join(&live.requireColdState().audience) }
            return live.end
        }
        if let end { handler(end) }
    }

    // MARK: What the engine tells

    /// The state is another one now, and not the last.
    func changed(_ state: OperationState) {
        // Who begins to read from now on begins with this state.
        let (old, streams, tracker) = live.withLock { live in
            defer { live.shown = state }
            return (live.shown, live.coldState?.states?.streams, live.coldState?.tracker)
        }
        for stream in streams ?? [] { stream.yield(state) }
        if let tracker, (old == .suspended) != (state == .suspended) {
            tracker.hold(state == .suspended)
        }
    }

    /// The engine decided something.
    func tell(_ decision: EngineDecision, attempt: Int) {
        guard isObserved, decision != .started || isCall else { return }
        emit(APIEvent.Kind(decision, engine), attempt: attempt)
    }

    /// Whether it belongs to several operations, and to no caller.
    var isShared: Bool { facts.isShared }

    /// Whether anybody wants to know what happens.
    var isObserved: Bool {
        facts.hub?.isObserved ?? false || isWatched.load(ordering: .acquiring)
    }

    /// How many bytes of bodies somebody wants to see.
    var bodyLimit: Int { facts.hub?.bodyLimit ?? 0 }

    /// Tells what happens.
    func emit(_ kind: APIEvent.Kind, attempt: Int) {
        guard isObserved else { return }
        let own = live.withLock { $0.coldState?.events }
        let hub = facts.hub.flatMap { $0.isObserved ? $0 : nil }
        let event = APIEvent(
            date: engine.clock.now(), elapsed: engine.clock.elapsed(), api: facts.api,
            method: facts.method, operation: id, attempt: attempt, owner: facts.owner,
            tags: facts.tags, kind: kind, isShared: facts.isShared)
        hub?.emit(event)
        own?.yield(bodyLimit > 0 ? event.limitingBodies(to: 0) : event)
    }

    /// Whether somebody made it who knows it by its name: no fake, and not what several calls share.
    private var isCall: Bool { !facts.method.isEmpty && !facts.isShared }

    /// Tells those who have to know who starts the operation.
    func tellStart() {
        guard isCall, let hub = facts.hub, hub.hasStartListeners else { return }
        if live.withLock({ !$0.isKnown }) { hub.willStart(id, in: OperationGroup.current?.id) }
    }

    func emitEnd() {
        guard isCall else { return }
        let attempt = live.withLock { $0.attempt }
        switch outcome {
        case .success: emit(.succeeded, attempt: attempt)
        case .failure(let error as APIError): emit(.failed(error), attempt: attempt)
        case .failure(is CancellationError): emit(.cancelled, attempt: attempt)
        case .failure(let error): emit(.abandoned(because: error.tellableWords), attempt: attempt)
        }
    }

    func finishStreams() {
        let (end, states, events, tracker) = live.withLock { live in
            (live.end, live.coldState?.states, live.coldState?.events, live.coldState?.tracker)
        }
        if let end { states?.yield(end) }
        states?.finish()
        events?.finish()
        tracker?.finish()
    }

    /// Ends the operation with an error.
    ///
    /// - Parameter suspicion: Why the network may be to blame, which is looked into first; nil if it is
    ///   not.
    func fail(with error: any Error, because diagnosisRequest: DiagnosisRequest? = nil) {
        let record = live.withLock { live in
            if live.end == nil { live.requireColdState().reason = error }
            return live.current
        }
        if let diagnosisRequest { record?.update { $0.diagnosisRequest = diagnosisRequest } }
        engine.send(diagnosisRequest == nil ? .fail(id) : .giveUp(id))
    }
}

extension AsyncStream where Element: Sendable {
    /// A stream to which nothing comes any more.
    fileprivate static func ended(with last: Element? = nil) -> Self {
        let (stream, continuation) = makeStream(of: Element.self)
        if let last { continuation.yield(last) }
        continuation.finish()
        return stream
    }
}
