extension Engine {
    // MARK: Actions

    /// Carries out actions until there are none.
    func performAll() {
        var batch = Batch()
        state.withLock { swap(&batch, &$0.batch) }
        var ended: [any OperationRunner] = []
        var hasHandlers = false
        while next(&batch, after: ended) {
            hasHandlers = announce(&ended) || hasHandlers
            for (action, runner) in zip(batch.actions, batch.runners) {
                perform(action, runner)
                if case .complete = action, let runner { ended.append(runner) }
            }
        }
        // What those who waited do next finds the engine at rest.
        if announce(&ended) || hasHandlers { callEndHandlers() }
    }

    /// Gets what is to be done next.
    ///
    /// - Parameter ended: Operations that have completed. They are forgotten only now that they know
    ///   their own end, so that their state can be told at any moment.
    /// - Returns: Whether there is anything.
    private func next(_ batch: inout Batch, after ended: [any OperationRunner]) -> Bool {
        batch.runners.removeAll(keepingCapacity: batch.runners.count <= 1024)
        return state.withLock { state in
            for runner in ended {
                state.machine.remove(runner.id)
                state.runners[runner.id] = nil
            }
            state.machine.takeActions(into: &batch.actions)
            for action in batch.actions {
                batch.runners.append(action.operation.flatMap { state.runners[$0] })
            }
            state.isPerforming = !batch.actions.isEmpty
            if !state.isPerforming { swap(&batch, &state.batch) }
            return state.isPerforming
        }
    }

    // MARK: Ends

    /// Wakes the tasks that wait for operations that have ended, and lines up the closures.
    ///
    /// - Returns: Whether there are any.
    private func announce(_ ended: inout [any OperationRunner]) -> Bool {
        for runner in ended { runner.wakeWaiters() }
        let heard = ended.filter(\.hasEndHandlers)
        ended.removeAll(keepingCapacity: true)
        guard !heard.isEmpty else { return false }
        state.withLock { $0.unannounced += heard }
        return true
    }

    /// Calls the closures that wait for ends, while whoever comes may carry out actions: such a
    /// closure may be anybody's, and slow. One that ends another operation does not call the closures
    /// of that one in itself, or a long chain of operations would fill the stack.
    private func callEndHandlers() {
        guard !isRefreshing else {
            // The closures are nobody's who serves the refresh.
            return Self.$refreshing.withValue(nil) { callEndHandlers() }
        }
        while let runners = nextUnannounced() {
            for runner in runners { runner.callEndHandlers() }
            state.withLock { $0.isAnnouncing = false }
        }
    }

    /// Operations whose closures are to be called now, by whoever asks; nil if there are none, or if
    /// somebody calls others at the moment, who will ask again.
    private func nextUnannounced() -> [any OperationRunner]? {
        state.withLock { state in
            guard !state.isAnnouncing, !state.unannounced.isEmpty else { return nil }
            state.isAnnouncing = true
            defer { state.unannounced = [] }
            return state.unannounced
        }
    }

    private func perform(_ action: EngineMachine.Action, _ runner: (any OperationRunner)?) {
        switch action {
        case .launch(_, let attempt): runner?.launch(attempt: attempt)
        case .pause: runner?.pause()
        case .unpause: runner?.unpause()
        case .stop: runner?.stop()
        case .complete(_, let ending): runner?.complete(ending)
        case .changed(_, let phase, let attempt): runner?.changed(state(phase, attempt: attempt))
        case .tell(_, let attempt, let decision): runner?.tell(decision, attempt: attempt)
        case .refresh(let number, _): startRefresh(number, runner?.refusedCredential)
        case .abandonRefresh: keepRefreshError(RefreshTimedOut())
        case .wake(let moment): setAlarm(moment)
        }
    }

    private func setAlarm(_ moment: Duration) {
        let alarm = Task.detached { [weak self, clock] in
            guard (try? await clock.sleep(moment)) != nil else { return }
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
    /// The operation that it is about.
    var operation: OperationID? {
        switch self {
        case .launch(let id, _), .pause(let id), .unpause(let id), .stop(let id),
            .complete(let id, _), .changed(let id, _, _), .tell(let id, _, _),
            .refresh(_, for: let id):
            id
        case .abandonRefresh, .wake: nil
        }
    }
}
