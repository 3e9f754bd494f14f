import TelexJSON
import TelexRequests

/// The readers of an operation's states, events and progress. They have a lock of their own, because
/// no decision about the operation depends on them.
struct OperationListeners: ~Copyable, Sendable {
    // Not private: Swift 6.3 cannot emit a class that stores a non-copyable value of a private type.
    struct State {
        /// The last state that was delivered.
        var last = OperationState.ready
        /// Whether there are no further values.
        var isFinished = false
        /// Made with the first listener or the first progress.
        private(set) var channels: Channels?

        mutating func requireChannels() -> Channels {
            if let channels { return channels }
            let new = Channels()
            channels = new
            return new
        }
    }

    /// A class, because few operations have listeners.
    final class Channels {
        var states: Broadcast<OperationState>?
        var events: Broadcast<APIEvent>?
        var tracker: ProgressTracker?
        /// The latest progress of a transfer before the first listener.
        var earlierProgress: OperationProgress?
        /// Computes the progress of a group before the first listener; nil if its listeners are up
        /// to date.
        var unreported: (@Sendable () -> OperationProgress?)?
    }

    private let state = Lock(State())

    // MARK: States

    /// The last state that was delivered.
    var lastState: OperationState { state.withLock { $0.last } }

    /// A stream that begins with the last state and ends with the terminal one.
    var states: AsyncStream<OperationState> {
        state.withLock { state in
            // Late readers get a separate stream.
            if state.isFinished { return .ended(with: state.last) }
            let channels = state.requireChannels()
            let states = channels.states ?? Broadcast()
            channels.states = states
            // Inside the lock, so that no state is lost between the first and the following ones.
            return states.stream(from: state.last, keeping: .unbounded)
        }
    }

    /// Delivers a state that is not terminal.
    func changed(_ new: OperationState) {
        // Readers that arrive after this begin with this state.
        let (old, streams, tracker) = state.withLock { state in
            defer { state.last = new }
            return (state.last, state.channels?.states?.streams, state.channels?.tracker)
        }
        for stream in streams ?? [] { stream.yield(new) }
        if let tracker, (old == .suspended) != (new == .suspended) {
            tracker.hold(new == .suspended)
        }
    }

    // MARK: Events

    /// A stream of the events from now on.
    var events: AsyncStream<APIEvent> {
        let events = state.withLock { state -> Broadcast<APIEvent>? in
            guard !state.isFinished else { return nil }
            let channels = state.requireChannels()
            let events = channels.events ?? Broadcast()
            channels.events = events
            return events
        }
        return events?.stream(from: nil, keeping: .bufferingNewest(256)) ?? .ended()
    }

    /// Delivers an event.
    func tell(_ event: APIEvent) { state.withLock { $0.channels?.events }?.yield(event) }

    // MARK: Progress

    /// The tracker, if the progress has been requested.
    private var existingTracker: ProgressTracker? { state.withLock { $0.channels?.tracker } }

    /// Whether the progress has been requested.
    var hasTracker: Bool { existingTracker != nil }

    /// Whether the progress has a reader; a tracker alone does not imply one. False after the end:
    /// an operation that it has run may run it in turn, and they would query each other endlessly.
    var hasReader: Bool {
        state.withLock { $0.isFinished ? nil : $0.channels?.tracker }?.hasReader ?? false
    }

    /// Returns the tracker, for the progress from now on.
    func tracker(clock: RuntimeClock) -> ProgressTracker {
        let (tracker, isFinished) = state.withLock { state in
            let tracker = state.channels?.tracker ?? ProgressTracker(clock: clock)
            if !state.isFinished { state.requireChannels().tracker = tracker }
            return (tracker, state.isFinished)
        }
        // Outside the lock, because it calls the clock and the readers, which may access the
        // operation.
        if isFinished { tracker.finish() }
        return tracker
    }

    /// Takes the progress that was made before the first listener.
    func takeEarlierProgress() -> OperationProgress? {
        let earlier = state.withLock { state -> (@Sendable () -> OperationProgress?)? in
            guard !state.isFinished, let channels = state.channels else { return nil }
            guard let progress = channels.earlierProgress.take() else { return channels.unreported }
            return { progress }
        }
        return earlier?()
    }

    /// Registers a closure that returns the progress of a group when the first listener arrives; it
    /// returns nil if the progress has been reported.
    func setUnreported(_ unreported: @escaping @Sendable () -> OperationProgress?) {
        state.withLock { $0.requireChannels().unreported = unreported }
    }

    /// Delivers progress, unless the operation has ended.
    ///
    /// - Parameter step: The only step of a group that changed; nil if any may have changed.
    func report(_ progress: OperationProgress, step: Int?) {
        let tracker = state.withLock { state -> ProgressTracker? in
            guard !state.isFinished else { return nil }
            let channels = state.requireChannels()
            // Stored, because the first listener may arrive after the last report.
            if channels.tracker == nil { channels.earlierProgress = progress }
            return channels.tracker
        }
        tracker?.report(progress, step: step)
    }

    // MARK: The end

    /// Delivers the terminal state and ends all streams.
    func finish(_ end: OperationState) {
        let channels = state.withLock { state in
            state.last = end
            state.isFinished = true
            let channels = state.channels
            return (channels?.states, channels?.events, channels?.tracker)
        }
        channels.0?.yield(end)
        channels.0?.finish()
        channels.1?.finish()
        channels.2?.finish()
    }
}

extension AsyncStream where Element: Sendable {
    /// A stream that is finished.
    fileprivate static func ended(with last: Element? = nil) -> Self {
        let (stream, continuation) = makeStream(of: Element.self)
        if let last { continuation.yield(last) }
        continuation.finish()
        return stream
    }
}
