import HTTPTypes
import Synchronization

/// A stream through all of its attempts. One attempt at a time may hand out elements; what a stopped
/// one still has is dropped, since the next one gets it again.
final class StreamJob: Sendable {
    struct State: Sendable {
        /// How many elements have been handed out.
        var count = 0
        /// The identifier of the last server-sent event, by which the server knows where to go on.
        var lastEventID = ""
        /// How long the server wants to be left alone before it is asked to go on.
        var pause: Duration?
        fileprivate var attempt = 0

        /// Whether a stream that broke off can go on without repeating anything.
        var canContinue: Bool { count == 0 || StreamJob.canName(lastEventID) }

        /// The stream after an event with this identifier.
        func after(_ id: String, isElement: Bool) -> State {
            var next = self
            next.lastEventID = id
            if isElement { next.count += 1 }
            return next
        }
    }

    let format: StreamFormat
    private let state = Mutex(State())

    init(_ format: StreamFormat) {
        self.format = format
    }

    var now: State { state.withLock { $0 } }

    /// An attempt begins; those before it hand out nothing more.
    ///
    /// - Returns: Where it goes on.
    func begin(_ attempt: Int) -> State {
        state.withLock { state in
            state.attempt = attempt
            return state
        }
    }

    /// Moves on behind an event: an attempt from now on begins there. To be asked before the event is
    /// handed out, because afterwards the attempt may be stopped before it can say so.
    ///
    /// - Returns: Whether the event is this attempt's to hand out.
    func advance(_ attempt: Int, to id: String, isElement: Bool) -> Bool {
        state.withLock { state in
            guard state.attempt == attempt else { return false }
            state = state.after(id, isElement: isElement)
            return true
        }
    }

    /// The server said how long it wants to be left alone; it means that until it says otherwise.
    func heed(_ pause: Duration) { state.withLock { $0.pause = pause } }

    /// Whether a request can tell the server that this was the last event.
    static func canName(_ id: String) -> Bool { !id.isEmpty && HTTPField.isValidValue(id) }
}
