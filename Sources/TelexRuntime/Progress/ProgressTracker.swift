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

extension OperationProgress {
    /// The progress of an operation that has not been started.
    fileprivate static var notStarted: Self {
        var progress = OperationProgress()
        progress.hasStarted = false
        return progress
    }
}

extension OperationHandle {
    /// The progress from now to the end of the operation. The current value comes first, if there
    /// is one; for an operation that has not been started it is one without
    /// ``OperationProgress/hasStarted``, because reading the progress starts nothing. Then come at
    /// most ten values per second, and one whenever the operation is done or a step of a group
    /// begins or ends. The numbers of bytes never decrease. A slow reader gets the newest value; a
    /// stream created after an end without listeners is empty. For a reply that is read into
    /// memory, the bytes received are updated only when more arrive.
    public var progress: AsyncStream<OperationProgress> {
        let isReady = live.withLock { !$0.isRegistered && $0.end == nil }
        return followed.stream(startingWith: isReady ? .notStarted : nil)
    }

    /// Calls a closure with the progress from now on, as ``progress`` delivers it, but with nothing
    /// before the start.
    ///
    /// ```swift
    /// let upload = gallery.pictures.add(file: file).onProgress { bar.show($0.fraction) }.start()
    /// ```
    ///
    /// - Parameter handler: Is called on the task or thread of the transfer, one value at a time. It
    ///   must be quick and must not block. It is released when the operation ends.
    /// - Returns: The operation.
    @discardableResult
    public func onProgress(
        _ handler: @escaping @Sendable (OperationProgress) -> Void
    ) -> Self {
        followed.forward(to: handler)
        return self
    }

    /// Calls a closure with the progress on the main actor, where it may change views; otherwise
    /// like ``onProgress(_:)``. If the main actor is busy, it gets the newest value.
    @discardableResult
    public func onProgress(
        on actor: MainActor, _ handler: @escaping @MainActor (OperationProgress) -> Void
    ) -> Self {
        let values = followed.stream(startingWith: nil)
        Task { @MainActor in for await value in values { handler(value) } }
        return self
    }

    /// The tracker, which also has the progress made so far.
    var followed: ProgressTracker {
        let tracker = tracker
        // The tracker receives later changes by itself; report the earlier ones here.
        let missed = live.withLock { $0.end == nil ? $0.coldState?.takeEarlierProgress() : nil }
        if let progress = missed?() { tracker.report(progress) }
        return tracker
    }

    /// The tracker, for the progress from now on.
    var tracker: ProgressTracker {
        let (tracker, hasEnded) = live.withLock { live in
            let tracker = live.coldState?.tracker ?? ProgressTracker(clock: engine.clock)
            if live.end == nil { live.requireColdState().tracker = tracker }
            return (tracker, live.end != nil)
        }
        // Outside the lock, because it calls the clock and the readers, which may access the
        // operation.
        if hasEnded { tracker.finish() }
        return tracker
    }

    var hasListener: Bool { live.withLock { $0.coldState?.tracker != nil } }

    /// Whether its progress has a reader; a tracker alone does not imply one. False after the end:
    /// an operation that it has run may run it in turn, and they would query each other endlessly.
    var hasReader: Bool {
        live.withLock { $0.end == nil ? $0.coldState?.tracker : nil }?.hasReader ?? false
    }

    /// Reports progress, unless the operation has ended, for the same reason.
    func report(_ progress: OperationProgress, step: Int? = nil) {
        let tracker = live.withLock { live -> ProgressTracker? in
            guard live.end == nil else { return nil }
            let coldState = live.requireColdState()
            // Store it, because the first listener may arrive after the last report.
            if coldState.tracker == nil { coldState.earlierProgress = progress }
            return coldState.tracker
        }
        tracker?.report(progress, step: step)
    }
}
