import Synchronization

/// Follows the progress of one operation for those who want to see it.
final class ProgressTracker: Sendable {
    /// Who is told besides the readers of streams.
    private struct Follower {
        /// Whether anybody sees what it is told.
        let isSeen: @Sendable () -> Bool
        let tell: @Sendable (OperationProgress) -> Void
    }

    private struct State {
        var meter = ProgressMeter()
        /// What has been shown last.
        var last: OperationProgress?
        /// What is to be shown next.
        var next: OperationProgress?
        var isShowing = false
        var hasEnded = false
        var followers: [Follower] = []
        /// How many of them, from the end, have not been told what was shown before they came.
        var newcomers = 0
        /// Waits until what came too soon is due.
        var timer: Task<Void, Never>?

        /// Whether something has come too soon, and nobody waits to show it.
        var isBehind: Bool { meter.due != nil && timer == nil && !hasEnded }

        /// Takes what is to be shown now. If that is nothing, nobody shows any more.
        mutating func takeTurn() -> Turn {
            defer { (next, newcomers) = (nil, 0) }
            let isNew = next != nil
            last = next ?? last
            let told = isNew ? followers : Array(followers.suffix(newcomers))
            isShowing = isNew || last != nil && !told.isEmpty
            return Turn(
                progress: isShowing ? last : nil, isNew: isNew, followers: told, isLast: hasEnded)
        }
    }

    private struct Turn {
        let progress: OperationProgress?
        /// Whether it is for everybody, and not just for those who have missed it.
        let isNew: Bool
        let followers: [Follower]
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
        // Under the lock: nothing comes between the first and those that follow.
        let stream = state.withLock { hub.stream(from: $0.last, keeping: .bufferingNewest(1)) }
        showWhenDue()
        return stream
    }

    /// Tells the handler too: what has been shown last, and what comes.
    ///
    /// - Parameter isSeen: Whether anybody sees what the handler is told.
    func forward(
        isSeen: @escaping @Sendable () -> Bool = { true },
        to handler: @escaping @Sendable (OperationProgress) -> Void
    ) {
        let isMine = state.withLock { state in
            state.followers.append(Follower(isSeen: isSeen, tell: handler))
            state.newcomers += 1
            guard !state.isShowing, state.last != nil else { return false }
            state.isShowing = true
            return true
        }
        if isMine { showAll() }
    }

    /// Whether anybody sees what is shown: a reader, or one of a group that this is a step of.
    var isSeen: Bool {
        hub.hasReaders || state.withLock { $0.followers }.contains { $0.isSeen() }
    }

    /// Takes raw counts.
    ///
    /// - Parameter step: The only step that is different from before; nil if any may be.
    func report(_ raw: OperationProgress, step: Int? = nil) {
        let now = clock.elapsed()
        publish { $0.feed(raw, step: step, at: now) }
    }

    /// The operation is suspended, or goes on.
    func hold(_ isHeld: Bool) {
        let now = clock.elapsed()
        state.withLock { isHeld ? $0.meter.hold(at: now) : $0.meter.letGo(at: now) }
    }

    /// Shows what has not been shown, and ends all streams.
    func finish() {
        let now = clock.elapsed()
        publish(isLast: true) { $0.finish(at: now) }
        state.withLock { $0.timer }?.cancel()
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
        showWhenDue()
    }

    private func showAll() {
        var turn = state.withLock { $0.takeTurn() }
        while let progress = turn.progress {
            if turn.isNew { hub.yield(progress) }
            for follower in turn.followers { follower.tell(progress) }
            turn = state.withLock { $0.takeTurn() }
        }
        if turn.isLast { hub.finish() }
    }

    /// Sees to it that what came too soon is shown when it is due, even if nothing else comes; if
    /// nobody sees it, nobody waits for that.
    private func showWhenDue() {
        guard state.withLock({ $0.isBehind }), isSeen else { return }
        state.withLock { state in
            guard state.isBehind, let due = state.meter.due else { return }
            state.timer = Task.detached { [weak self, clock] in
                guard (try? await clock.sleep(due)) != nil else { return }
                self?.showNow()
            }
        }
    }

    private func showNow() {
        state.withLock { $0.timer = nil }
        let now = clock.elapsed()
        publish { $0.finish(at: now) }
    }
}

extension OperationHandle {
    /// How far the operation is, from now to its end: what is known at once, if anything is, then at most
    /// ten times a second, and whenever it is done, or a step of a group begins or ends. The numbers of
    /// bytes never go back. Who reads slowly gets the newest; who comes after an end that nobody followed
    /// gets nothing. How much has come of a reply that is read into memory is known only when more comes.
    public var progress: AsyncStream<OperationProgress> {
        followed.stream
    }

    /// Follows the progress, beginning with what there is.
    var followed: ProgressTracker {
        let tracker = tracker
        // It tells of what comes by now; nobody does of what came before.
        let missed = live.withLock { $0.end == nil ? $0.coldState?.takeMissed() : nil }
        if let progress = missed?() { tracker.report(progress) }
        return tracker
    }

    /// Follows the progress from now on.
    var tracker: ProgressTracker {
        let (tracker, hasEnded) = live.withLock { live in
            let tracker = live.coldState?.tracker ?? ProgressTracker(clock: engine.clock)
            if live.end == nil { live.requireColdState().tracker = tracker }
            return (tracker, live.end != nil)
        }
        // Without the lock: it asks the clock and tells readers, and they may ask the operation.
        if hasEnded { tracker.finish() }
        return tracker
    }

    var isFollowed: Bool { live.withLock { $0.coldState?.tracker != nil } }

    /// Whether anybody sees its progress. A step of a group is followed without that. Nobody does after
    /// its end: what it has run may run it then, and they would ask each other without end.
    var isSeen: Bool {
        live.withLock { $0.end == nil ? $0.coldState?.tracker : nil }?.isSeen ?? false
    }

    /// Tells how far it is, unless it has ended, for the same reason.
    func report(_ progress: OperationProgress, step: Int? = nil) {
        let tracker = live.withLock { live -> ProgressTracker? in
            guard live.end == nil else { return nil }
            let coldState = live.requireColdState()
            // Somebody may follow only when nothing comes any more.
            if coldState.tracker == nil { coldState.unseen = progress }
            return coldState.tracker
        }
        tracker?.report(progress, step: step)
    }
}
