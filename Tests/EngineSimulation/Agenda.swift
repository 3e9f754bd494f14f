import TelexScheduling

/// What will happen in a simulated world, and when. Things of the same moment keep their order.
struct Agenda {
    /// Something from outside of the engine. Operations are named by their place in the world.
    enum Happening {
        case start(Int)
        case raise(Int)
        case join(Int)
        case suspend(Int)
        case resume(Int)
        case cancel(Int)
        /// The request has failed that the operation shares, and there is no time for another attempt.
        case giveUp(Int)
        case forget(Int)
        /// A dependency of the operation has ended: as hoped, or not.
        case dependency(Int, succeeded: Bool)
        /// An attempt comes forward, or says what may follow it.
        case progressed(Int, attempt: Int, AttemptProgress)
        /// An attempt sends another request.
        case sends(Int, attempt: Int)
        /// An attempt is about to send another request, and waits for its turn.
        case asks(Int, attempt: Int)
        /// The reply of an attempt, or what came in its place.
        case end(Int, attempt: Int, Outcome)
        /// It is known how far the network reached for the last attempt.
        case examined(Int)
        case refreshEnd(number: Int, succeeded: Bool)
        case pauseHost(Int, Duration)
        case alarm(number: Int)
    }

    private struct Item {
        var moment: Duration
        var happening: Happening
    }

    private var items: [Item] = []
    private(set) var now = Duration.zero

    var isEmpty: Bool { items.isEmpty }

    mutating func add(_ happening: Happening, in delay: Duration) {
        items.append(Item(moment: now + max(.zero, delay), happening: happening))
    }

    /// Goes on to the next moment at which something happens.
    mutating func next() -> Happening? {
        // Few things are open at a time; looking at all of them is quicker than a heap.
        var first = 0
        for index in items.indices.dropFirst() where items[index].moment < items[first].moment {
            first = index
        }
        guard items.indices.contains(first) else { return nil }
        let item = items.remove(at: first)
        now = item.moment
        return item.happening
    }
}

/// How an attempt ends that nobody stops.
enum Outcome: Sendable {
    case value
    case failure(AttemptFailure)
    /// Never.
    case silence
}
