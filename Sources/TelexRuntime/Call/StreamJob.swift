import HTTPTypes
import TelexJSON
import TelexTransport

/// A stream across all of its attempts. Only one attempt at a time may deliver elements. Elements
/// that a stopped attempt still has are dropped, because the next attempt receives them again.
final class StreamJob: Sendable {
    struct State: Sendable {
        /// The number of delivered elements.
        var count = 0
        /// The last event ID, which tells the server where to continue.
        var lastEventID = ""
        /// The reconnection time that the server asked for.
        var pause: Duration?

        /// Whether an interrupted stream can continue without repeating elements.
        var canContinue: Bool { count == 0 || StreamJob.canSendEventID(lastEventID) }

        /// Returns the state after an event with this identifier.
        func after(_ id: String, isElement: Bool) -> State {
            var next = self
            next.lastEventID = id
            if isElement { next.count += 1 }
            return next
        }
    }

    private struct Delivery {
        var state = State()
        /// The attempt that may deliver elements.
        var attempt = 0
        /// Whether an element is being delivered to the reader.
        var isDelivering = false
        /// Attempts that wait for the end of that delivery.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let format: StreamFormat
    private let delivery = Lock(Delivery())

    init(_ format: StreamFormat) {
        self.format = format
    }

    var now: State { delivery.withLock { $0.state } }

    /// Begins an attempt; earlier attempts deliver nothing more. Waits for an element that the
    /// previous attempt is delivering. That attempt has been stopped, so the wait is short.
    ///
    /// - Returns: The state from which the attempt continues; nil if a later attempt has begun,
    ///   because this one was stopped and runs late.
    func begin(_ attempt: Int) async -> State? {
        let isLate = delivery.withLock { delivery in
            delivery.attempt = max(delivery.attempt, attempt)
            return delivery.attempt > attempt
        }
        if isLate { return nil }
        await withCheckedContinuation { continuation in
            let isFree = delivery.withLock { delivery in
                if delivery.isDelivering { delivery.waiters.append(continuation) }
                return !delivery.isDelivering
            }
            if isFree { continuation.resume() }
        }
        return now
    }

    /// Advances the stream past an event, so that later attempts begin after it. Call it before the
    /// event is delivered, because the attempt may be stopped during the delivery. If the event has
    /// an element, `didDeliver` must follow.
    ///
    /// - Returns: Whether this attempt may deliver the event.
    func advance(_ attempt: Int, to id: String, isElement: Bool) -> Bool {
        delivery.withLock { delivery in
            guard delivery.attempt == attempt else { return false }
            delivery.state = delivery.state.after(id, isElement: isElement)
            delivery.isDelivering = isElement
            return true
        }
    }

    /// Records that the element has been delivered.
    func didDeliver() {
        let waiters = delivery.withLock { delivery in
            delivery.isDelivering = false
            defer { delivery.waiters = [] }
            return delivery.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Records the reconnection time, which is valid until the server sends another one.
    func heed(_ pause: Duration) { delivery.withLock { $0.state.pause = pause } }

    /// Whether this event ID can be sent in a request's header field.
    static func canSendEventID(_ id: String) -> Bool { !id.isEmpty && HTTPField.isValidValue(id) }
}
