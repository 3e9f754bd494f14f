import TelexJSON
import TelexValues

/// Delivers the progress of one operation to its listeners.
final class ProgressTracker: Sendable {
    /// A listener other than a stream.
    private struct Follower {
        /// Whether its reports have a reader.
        let hasReader: @Sendable () -> Bool
        let tell: @Sendable (OperationProgress) -> Void
    }

    private struct State {
        var meter = ProgressMeter()
        /// The value delivered last.
        var last: OperationProgress?
        /// The value to deliver next.
        var next: OperationProgress?
        var isDelivering = false
        var hasEnded = false
        var followers: [Follower] = []
        /// How many followers, from the end, have not received the last value.
        var newFollowers = 0
        /// Waits until an early change is due.
        var timer: Task<Void, Never>?

        /// Whether an early change has to be delivered later and no timer is set.
        var isBehind: Bool { meter.due != nil && timer == nil && !hasEnded }

        /// Takes the next delivery. If there is none, delivering ends.
        mutating func takeTurn() -> Turn {
            defer { (next, newFollowers) = (nil, 0) }
            let isNew = next != nil
            last = next ?? last
            var told = isNew ? followers : Array(followers.suffix(newFollowers))
            isDelivering = isNew || last != nil && !told.isEmpty
            // They may retain the operation. The turn releases them, outside the lock.
            if hasEnded, !isDelivering { swap(&told, &followers) }
            return Turn(
                progress: isDelivering ? last : nil, isNew: isNew, followers: told, isLast: hasEnded
            )
        }
    }

    private struct Turn {
        let progress: OperationProgress?
        /// Whether the value is for all listeners, not only for new ones.
        let isNew: Bool
        let followers: [Follower]
        /// Whether no value follows.
        let isLast: Bool
    }

    private let clock: RuntimeClock
    private let state = Lock(State())
    private let hub = Broadcast<OperationProgress>()

    init(clock: RuntimeClock) {
        self.clock = clock
    }

    /// A stream of the last value and those from now on; a slow reader gets the newest.
    ///
    /// - Parameter first: The first value if there is no last one.
    func stream(startingWith first: OperationProgress?) -> AsyncStream<OperationProgress> {
        // Inside the lock, so that no value is lost between the first and the following ones.
        let stream = state.withLock {
            hub.stream(from: $0.last ?? first, keeping: .bufferingNewest(1))
        }
        scheduleDelivery()
        return stream
    }

    /// Registers a handler for the last value and those from now on.
    ///
    /// - Parameter hasReader: Whether the handler's reports have a reader.
    func forward(
        hasReader: @escaping @Sendable () -> Bool = { true },
        to handler: @escaping @Sendable (OperationProgress) -> Void
    ) {
        let isMine = state.withLock { state in
            state.followers.append(Follower(hasReader: hasReader, tell: handler))
            state.newFollowers += 1
            guard !state.isDelivering, state.last != nil else { return false }
            state.isDelivering = true
            return true
        }
        if isMine { deliverAll() }
    }

    /// Whether the progress has a reader, directly or through a group that this is a step of.
    var hasReader: Bool {
        hub.hasReaders || state.withLock { $0.followers }.contains { $0.hasReader() }
    }

    /// Processes raw counts.
    ///
    /// - Parameter step: The only step that changed; nil if any may have changed.
    func report(_ raw: OperationProgress, step: Int? = nil) {
        let now = clock.elapsed()
        publish { $0.feed(raw, step: step, at: now) }
    }

    /// Records that the operation is suspended or resumed.
    func hold(_ isHeld: Bool) {
        let now = clock.elapsed()
        state.withLock { isHeld ? $0.meter.hold(at: now) : $0.meter.letGo(at: now) }
    }

    /// Delivers the last value and ends all streams.
    func finish() {
        let now = clock.elapsed()
        publish(isLast: true) { $0.finish(at: now) }
        state.withLock { $0.timer }?.cancel()
    }

    /// Delivers the result of `step`. One thread at a time delivers, outside the lock, so that
    /// values arrive in order; other threads leave their values to it.
    private func publish(
        isLast: Bool = false, _ step: (inout ProgressMeter) -> OperationProgress?
    ) {
        let isMine = state.withLock { state in
            state.next = step(&state.meter) ?? state.next
            if isLast { state.hasEnded = true }
            guard !state.isDelivering, isLast || state.next != nil else { return false }
            state.isDelivering = true
            return true
        }
        if isMine { deliverAll() }
        scheduleDelivery()
    }

    private func deliverAll() {
        var turn = state.withLock { $0.takeTurn() }
        while let progress = turn.progress {
            if turn.isNew { hub.yield(progress) }
            for follower in turn.followers { follower.tell(progress) }
            turn = state.withLock { $0.takeTurn() }
        }
        if turn.isLast { hub.finish() }
    }

    /// Sets a timer for an early change, if the progress has a reader.
    private func scheduleDelivery() {
        guard state.withLock({ $0.isBehind }), hasReader else { return }
        state.withLock { state in
            guard state.isBehind, let due = state.meter.due else { return }
            state.timer = Task.detached { [weak self, clock] in
                guard (try? await clock.sleep(due)) != nil else { return }
                self?.deliverNow()
            }
        }
    }

    private func deliverNow() {
        state.withLock { $0.timer = nil }
        let now = clock.elapsed()
        publish { $0.finish(at: now) }
    }
}
