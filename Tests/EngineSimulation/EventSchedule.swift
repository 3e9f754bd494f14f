import TelexScheduling

/// The future events of a simulated world. Events of the same moment keep their order.
struct EventSchedule {
    /// An event from outside of the engine. Operations are identified by their index in the world.
    enum Event {
        case start(Int)
        case raise(Int)
        case join(Int)
        case suspend(Int)
        case resume(Int)
        case cancel(Int)
        /// The request that the operation shares has failed, and there is no time for another
        /// attempt.
        case diagnoseThenFail(Int)
        case forget(Int)
        /// A prerequisite of the operation has ended.
        case dependency(Int, succeeded: Bool)
        /// An attempt makes progress, or reports what may follow it.
        case progressed(Int, attempt: Int, AttemptProgress)
        /// An attempt sends another request.
        case sends(Int, attempt: Int)
        /// An attempt is about to send another request, and waits for its turn.
        case asks(Int, attempt: Int)
        /// The end of an attempt.
        case end(Int, attempt: Int, AttemptOutcome)
        /// The diagnosis of the last attempt has ended.
        case examined(Int)
        case refreshEnd(number: Int, succeeded: Bool)
        case pauseHost(Int, Duration)
        case alarm(number: Int)
    }

    private struct Item {
        var moment: Duration
        var event: Event
    }

    private var items: [Item] = []
    private(set) var now = Duration.zero

    var isEmpty: Bool { items.isEmpty }

    mutating func add(_ event: Event, in delay: Duration) {
        items.append(Item(moment: now + max(.zero, delay), event: event))
    }

    /// Advances to the next moment with an event.
    mutating func next() -> Event? {
        // Few events are pending at a time, so a linear search is faster than a heap.
        var first = 0
        for index in items.indices.dropFirst() where items[index].moment < items[first].moment {
            first = index
        }
        guard items.indices.contains(first) else { return nil }
        let item = items.remove(at: first)
        now = item.moment
        return item.event
    }
}

/// The end of an attempt that is not stopped.
enum AttemptOutcome: Sendable {
    case value
    case failure(AttemptFailure)
    /// The attempt never ends.
    case silence
}
