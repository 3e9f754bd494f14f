import TelexJSON

/// Ends exchanges whose idle time-out has passed.
///
/// One task checks all of them at the earliest deadline. A task for each would wake a thread twice
/// per request, and a cancelled sleep keeps its memory until its deadline.
final class IdleTimeoutMonitor: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: SessionExchange] = [:]
        /// The time of the next check; nil if none is scheduled.
        var nextCheck: ContinuousClock.Instant?
        var checkTask: Task<Void, Never>?
    }

    private let state = Lock(State())

    /// Watches an exchange until it is removed.
    func add(_ exchange: SessionExchange) {
        state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            scheduleCheck(in: exchange.timeLeft, &state)
        }
    }

    /// Stops watching an exchange. A check that was scheduled for it still takes place.
    func remove(_ exchange: SessionExchange) {
        state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Schedules a check after `time`, unless there is an earlier one.
    private func scheduleCheck(in time: Duration, _ state: inout State) {
        // The clock traps on an instant that it cannot represent, and an early check is harmless.
        let moment = ContinuousClock.now + min(time, .seconds(86_400))
        if let next = state.nextCheck, next <= moment { return }
        state.nextCheck = moment
        state.checkTask?.cancel()
        state.checkTask = Task.detached { [weak self] in
            guard (try? await ContinuousClock().sleep(until: moment)) != nil else { return }
            self?.checkTimeouts()
        }
    }

    private func checkTimeouts() {
        let silent = state.withLock { state in
            state.nextCheck = nil
            let all = state.exchanges.values.map { (exchange: $0, timeLeft: $0.timeLeft) }
            let next = all.lazy.map(\.timeLeft).filter { $0 > .zero }.min()
            // Not at once, because thousands of time-outs may pass one shortly after another.
            if let next { scheduleCheck(in: max(next, .milliseconds(5)), &state) }
            return all.filter { $0.timeLeft <= .zero }.map(\.exchange)
        }
        for exchange in silent { exchange.failForIdleTimeout() }
    }
}
