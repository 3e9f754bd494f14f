import Synchronization

/// Follows the progress of one operation for those who want to see it.
final class ProgressTracker: Sendable {
    private struct State {
        var meter = ProgressMeter()
        var last: OperationProgress?
        var handlers: [@Sendable (OperationProgress) -> Void] = []
    }

    private let clock: RuntimeClock
    private let state = Mutex(State())
    private let hub = Broadcast<OperationProgress>()

    init(clock: RuntimeClock) {
        self.clock = clock
    }

    /// What has been shown last, and what comes from now on; of what comes too fast, the newest.
    var stream: AsyncStream<OperationProgress> {
        hub.stream(from: state.withLock { $0.last }, keeping: .bufferingNewest(1))
    }

    /// Tells the handler too.
    func forward(to handler: @escaping @Sendable (OperationProgress) -> Void) {
        state.withLock { $0.handlers.append(handler) }
    }

    func report(_ raw: OperationProgress) {
        let now = clock.elapsed()
        publish { $0.feed(raw, at: now) }
    }

    /// Shows what has not been shown, and ends all streams.
    func finish() {
        let now = clock.elapsed()
        publish { $0.finish(at: now) }
        hub.finish()
    }

    private func publish(_ step: (inout ProgressMeter) -> OperationProgress?) {
        let (shown, handlers) = state.withLock { state in
            let shown = step(&state.meter)
            state.last = shown ?? state.last
            return (shown, state.handlers)
        }
        guard let shown else { return }
        hub.yield(shown)
        for handler in handlers { handler(shown) }
    }
}

extension NetworkOperation {
    /// How far the operation is, from now to its end: never back, at most ten times a second. Who
    /// reads slowly gets the newest.
    public var progress: AsyncStream<OperationProgress> {
        tracker.stream
    }

    /// Follows the progress from now on.
    var tracker: ProgressTracker {
        let (tracker, hasEnded) = live.withLock { live in
            let tracker = live.rare?.tracker ?? ProgressTracker(clock: engine.clock)
            if live.end == nil { live.needRare().tracker = tracker }
            return (tracker, live.end != nil)
        }
        // Without the lock: it asks the clock and tells readers, and they may ask the operation.
        if hasEnded { tracker.finish() }
        return tracker
    }

    var isFollowed: Bool { live.withLock { $0.rare?.tracker != nil } }

    func report(_ progress: OperationProgress) {
        live.withLock { $0.rare?.tracker }?.report(progress)
    }
}
