extension Engine {
    // MARK: Actions

    /// Carries out actions until there are none.
    func performAll() {
        var batch = Batch()
        state.withLock { swap(&batch, &$0.batch) }
        var ended: [any OperationRunner] = []
        while next(&batch, after: ended) {
            for runner in ended { runner.announceEnd() }
            ended.removeAll(keepingCapacity: true)
            for (action, runner) in zip(batch.actions, batch.runners) {
                perform(action, runner)
                if case .complete = action, let runner { ended.append(runner) }
            }
        }
        // Tasks wait for these: what they do next finds the engine at rest.
        for runner in ended { runner.announceEnd() }
    }

    /// Gets what is to be done next.
    ///
    /// - Parameter ended: Operations that have completed. They are forgotten only now that they know
    ///   their own end, so that their state can be told at any moment.
    /// - Returns: Whether there is anything, if only to call closures that wait for those ends. What
    ///   such a closure ends must wait until it returns: one that ends the next operation of a long
    ///   chain would otherwise be called inside of all before it.
    private func next(_ batch: inout Batch, after ended: [any OperationRunner]) -> Bool {
        batch.runners.removeAll(keepingCapacity: batch.runners.count <= 1024)
        let callsClosures = ended.contains(where: \.hasEndHandlers)
        return state.withLock { state in
            for runner in ended {
                state.machine.remove(runner.id)
                state.runners[runner.id] = nil
            }
            state.machine.takeActions(into: &batch.actions)
            for action in batch.actions {
                batch.runners.append(action.operation.flatMap { state.runners[$0] })
            }
            state.isPerforming = callsClosures || !batch.actions.isEmpty
            if !state.isPerforming { swap(&batch, &state.batch) }
            return state.isPerforming
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
