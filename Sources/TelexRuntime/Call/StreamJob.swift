import Synchronization

/// A stream through all of its attempts.
final class StreamJob: Sendable {
    struct State: Sendable {
        /// How many elements have been handed out.
        var count = 0
        /// The identifier of the last server-sent event, by which the server knows where to go on.
        var lastEventID = ""
        /// How long the server wants to be left alone before it is asked to go on.
        var pause: Duration?
    }

    let format: StreamFormat
    private let state = Mutex(State())

    init(_ format: StreamFormat) {
        self.format = format
    }

    var now: State { state.withLock { $0 } }

    func update(_ change: @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// Whether a stream that broke off can go on without repeating anything.
    var canContinue: Bool {
        let now = now
        return now.count == 0 || !now.lastEventID.isEmpty
    }
}
