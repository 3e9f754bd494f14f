import Synchronization

/// Follows the progress of one operation for those who want to see it.
final class ProgressTracker: Sendable {
    private struct State {
        var meter = ProgressMeter()
        /// What has been shown last.
        var last: OperationProgress?
        /// What is to be shown next.
        var next: OperationProgress?
        var isShowing = false
        var hasEnded = false
        var handlers: [@Sendable (OperationProgress) -> Void] = []

        /// Takes what is to be shown now. If that is nothing, nobody shows any more.
        mutating func takeTurn() -> Turn {
            defer { next = nil }
            last = next ?? last
            isShowing = next != nil
            return Turn(progress: next, handlers: handlers, isLast: hasEnded)
        }
    }

    private struct Turn {
        let progress: OperationProgress?
        let handlers: [@Sendable (OperationProgress) -> Void]
        /// Whether nothing comes after it.
        let isLast: Bool
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
        publish(isLast: true) { $0.finish(at: now) }
    }

    /// Shows what comes of a step. One at a time shows, without the lock, so that nobody sees what is
    /// older after what is newer; whoever comes meanwhile leaves it to that one.
    private func publish(
        isLast: Bool = false, _ step: (inout ProgressMeter) -> OperationProgress?
    ) {
        let isMine = state.withLock { state in
            state.next = step(&state.meter) ?? state.next
            if isLast { state.hasEnded = true }
            guard !state.isShowing, isLast || state.next != nil else { return false }
            state.isShowing = true
            return true
        }
        if isMine { showAll() }
    }

    private func showAll() {
        var turn = state.withLock { $0.takeTurn() }
        while let progress = turn.progress {
            hub.yield(progress)
            for handler in turn.handlers { handler(progress) }
            turn = state.withLock { $0.takeTurn() }
        }
        if turn.isLast { hub.finish() }
    }
}

extension OperationHandle {
    /// How far the operation is, from now to its end, at most ten times a second. The numbers of bytes
    /// never go back. Who reads slowly gets the newest.
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
