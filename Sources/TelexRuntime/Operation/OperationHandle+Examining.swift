/// What is found out about the network once the engine has given up an attempt.
extension OperationHandle {
    /// Stops the attempt, and lets the engine know when there is nothing more to find out.
    ///
    /// - Parameter failure: How the operation will fail.
    func examine(attempt: Int, _ failure: EngineFailure) {
        guard let diagnostician = engine.diagnostician, let hop = lastHop else {
            engine.send(.attemptExamined(id, attempt: attempt, failure))
            return
        }
        stopAsLast()
        Task.detached { [self] in
            var diagnosis = await diagnostician.diagnose(
                .failure(.timedOut), of: hop.address, within: failure.longestHold)
            if let shown = hop.shownHost { diagnosis?.host = shown }
            if let diagnosis { live.withLock { $0.needRare().diagnosis = diagnosis } }
            engine.send(.attemptExamined(id, attempt: attempt, failure))
        }
    }

    /// Where the last request of the live attempt went, or the one that it waits for with others; nil
    /// if nothing has been sent.
    var lastHop: Exchange.Hop? {
        let (current, shared) = live.withLock { ($0.current, $0.rare?.shared) }
        return current?.contents.hop ?? shared?.live.withLock { $0.current }?.contents.hop
    }

    /// Stops the live attempt, which stays the one at work until the end is known: none will follow it.
    private func stopAsLast() {
        let now = engine.clock.elapsed()
        let work = live.withLock { live in
            live.noteStop(at: now)
            return live.course.work
        }
        if case .task(let task) = work { task.cancel() }
    }
}

extension EngineFailure {
    /// How long the failure may be held back at most to find out how far the network reached. Who sets
    /// a time for all of a call counts on it: the little that may be added is a part of that time.
    fileprivate var longestHold: Duration {
        if case .timedOut(let total) = self { total / 10 } else { .day }
    }
}
