@_spi(Engine) import TelexScheduling

extension Engine {
    // MARK: Actions

    /// Carries out actions until there are none.
    ///
    /// - Parameter own: The operation that the current thread may be about to wait for.
    func performAll(for own: OperationHandle?) {
        var batch = Batch()
        var isFirst = true
        state.withLock { swap(&batch, &$0.batch) }
        var ended: [OperationHandle] = []
        while next(&batch, after: ended) {
            // Actions of other operations may take long.
            if !isFirst { own?.moveToNewTask() }
            isFirst = false
            announce(&ended)
            for (action, operation) in zip(batch.actions, batch.operations) {
                perform(action, operation)
                if case .complete = action, let operation { ended.append(operation) }
            }
        }
        // Tasks wait for these ends; when they resume, the engine is idle.
        announce(&ended)
    }

    /// Takes the next actions.
    ///
    /// - Parameter ended: Operations that have completed. They are removed only now that they store
    ///   their own outcome, so that their state is available at any time.
    /// - Returns: Whether there is anything to do, even if only ends to announce that end other
    ///   operations. These ends are announced by the loop, because a long chain of dependent
    ///   operations would otherwise recurse.
    private func next(_ batch: inout Batch, after ended: [OperationHandle]) -> Bool {
        batch.operations.removeAll(keepingCapacity: batch.operations.count <= 1024)
        let endsOthers = ended.contains(where: \.endsOthers)
        return state.withLock { state in
            for operation in ended {
                state.machine.remove(operation.id)
                state.operations[operation.id] = nil
            }
            state.machine.takeActions(into: &batch.actions)
            for action in batch.actions {
                batch.operations.append(action.operation.flatMap { state.operations[$0] })
            }
            state.isPerforming = endsOthers || !batch.actions.isEmpty
            if !state.isPerforming { swap(&batch, &state.batch) }
            return state.isPerforming
        }
    }

    /// Resumes the waiters of ended operations. Completion closures belong to the app and may be
    /// slow, so they run on `closureQueue`, one after another. Closures of many operations share
    /// one list, because waking a thread for each is expensive.
    private func announce(_ ended: inout [OperationHandle]) {
        let closures = ended.compactMap { $0.announceEnd() }
        ended.removeAll(keepingCapacity: true)
        guard !closures.isEmpty else { return }
        let isFirst = state.withLock { state in
            defer { state.isCallingClosures = true }
            state.closures += closures
            return !state.isCallingClosures
        }
        if isFirst { closureQueue.async { self.callClosures() } }
    }

    private func callClosures() {
        while let closures = nextClosures() {
            for call in closures { call() }
        }
    }

    private func nextClosures() -> [@Sendable () -> Void]? {
        state.withLock { state in
            defer { state.closures = [] }
            state.isCallingClosures = !state.closures.isEmpty
            return state.isCallingClosures ? state.closures : nil
        }
    }

    private func perform(_ action: EngineMachine.Action, _ operation: OperationHandle?) {
        switch action {
        case .launch(_, let attempt): operation?.launch(attempt: attempt)
        case .pause: operation?.pause()
        case .unpause: operation?.unpause()
        case .stop(_, let failure): operation?.stop(failure)
        case .waits(_, let moment): operation.map { coalescer.endSubscribers($0, until: moment) }
        case .diagnose(_, let failure): operation?.diagnose(failure)
        case .complete(_, let ending): operation?.complete(ending)
        case .changed(_, let phase, let attempt):
            operation?.listeners.changed(state(phase, attempt: attempt))
        case .tell(_, let attempt, let decision): operation?.tell(decision, attempt: attempt)
        case .refresh(let scheme, let number, _): startRefresh(number, of: scheme, for: operation)
        case .abandonRefresh(let scheme): refreshTimedOut(scheme)
        case .wake(let moment): setAlarm(moment)
        }
    }

    private func setAlarm(_ moment: Duration) {
        let alarm = Task.detached { [weak self, clock] in
            // An early tick does no harm. Clocks trap on times that they cannot represent.
            let next = min(moment, clock.elapsed() + .day)
            guard (try? await clock.sleep(next)) != nil else { return }
            self?.send(.tick)
        }
        let last = state.withLock { state in
            defer { state.alarm = alarm }
            return state.alarm
        }
        last?.cancel()
    }
}

extension EngineMachine.Action {
    /// The operation that the action concerns.
    var operation: OperationID? {
        switch self {
        case .launch(let id, _), .pause(let id), .unpause(let id), .stop(let id, _),
            .waits(let id, _), .diagnose(let id, _), .complete(let id, _), .changed(let id, _, _),
            .tell(let id, _, _), .refresh(_, _, for: let id):
            id
        case .abandonRefresh, .wake: nil
        }
    }
}
