import Synchronization

/// Ends exchanges on which nothing has been sent or received for as long as they allow.
///
/// One task looks after all of them, whenever the first may be over time. A task for each would wake a
/// thread twice per request, and a sleep that is cancelled keeps its memory until it would have ended.
final class SilenceWatch: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: SessionExchange] = [:]
        /// When somebody looks; nil if nobody will.
        var nextLook: ContinuousClock.Instant?
        var sleeper: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Watches an exchange until it is removed.
    func add(_ exchange: SessionExchange) {
        state.withLock { state in
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            planLook(in: exchange.timeLeft, &state)
        }
    }

    /// An exchange has ended. Whoever sleeps for it sleeps on, and finds that out.
    func remove(_ exchange: SessionExchange) {
        state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Has somebody look after so much time, unless somebody will before.
    private func planLook(in time: Duration, _ state: inout State) {
        // The clock traps on an instant that it cannot represent, and a look too early does no harm.
        let moment = ContinuousClock.now + min(time, .seconds(86_400))
        if let next = state.nextLook, next <= moment { return }
        state.nextLook = moment
        state.sleeper?.cancel()
        state.sleeper = Task.detached { [weak self] in
            guard (try? await ContinuousClock().sleep(until: moment)) != nil else { return }
            self?.look()
        }
    }

    private func look() {
        let silent = state.withLock { state in
            state.nextLook = nil
            let all = state.exchanges.values.map { (exchange: $0, timeLeft: $0.timeLeft) }
            let next = all.lazy.map(\.timeLeft).filter { $0 > .zero }.min()
            // Not at once: of thousands, one after the other may be over time.
            if let next { planLook(in: max(next, .milliseconds(5)), &state) }
            return all.filter { $0.timeLeft <= .zero }.map(\.exchange)
        }
        for exchange in silent { exchange.endInSilence() }
    }
}
