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

    private struct Delivery {
        var state = State()
        /// The attempt that may hand out elements.
        var attempt = 0
        /// Whether an element is on its way to the reader.
        var isHandingOut = false
        /// Attempts that begin once it is not.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let format: StreamFormat
    private let delivery = Mutex(Delivery())

    init(_ format: StreamFormat) {
        self.format = format
    }

    var now: State { delivery.withLock { $0.state } }

    /// An attempt begins; those before it hand out nothing more. What the last of them was about to
    /// hand out comes first: it has been stopped, so that takes no time.
    ///
    /// - Returns: Where it goes on; nil if another attempt has begun after it: it has been stopped, and
    ///   wakes late.
    func begin(_ attempt: Int) async -> State? {
        let isLate = delivery.withLock { delivery in
            delivery.attempt = max(delivery.attempt, attempt)
            return delivery.attempt > attempt
        }
        if isLate { return nil }
        await withCheckedContinuation { continuation in
            let isFree = delivery.withLock { delivery in
                if delivery.isHandingOut { delivery.waiters.append(continuation) }
                return !delivery.isHandingOut
            }
            if isFree { continuation.resume() }
        }
        return now
    }

    /// Moves on behind an event: an attempt from now on begins there. To be asked before the event is
    /// handed out, because afterwards the attempt may be stopped before it can say so; if it has an
    /// element, `handedOut` has to follow.
    ///
    /// - Returns: Whether the event is this attempt's to hand out.
    func advance(_ attempt: Int, to id: String, isElement: Bool) -> Bool {
        delivery.withLock { delivery in
            guard delivery.attempt == attempt else { return false }
            delivery.state = delivery.state.after(id, isElement: isElement)
            delivery.isHandingOut = isElement
            return true
        }
    }

    /// The element is where its reader finds it.
    func handedOut() {
        let waiters = delivery.withLock { delivery in
            delivery.isHandingOut = false
            defer { delivery.waiters = [] }
            return delivery.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The server said how long it wants to be left alone; it means that until it says otherwise.
    func heed(_ pause: Duration) { delivery.withLock { $0.state.pause = pause } }

    /// Whether a request can tell the server that this was the last event.
    static func canName(_ id: String) -> Bool { !id.isEmpty && HTTPField.isValidValue(id) }
}
