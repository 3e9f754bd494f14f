/// Operations that wait for the same thing: the more urgent first, and among equally urgent ones
/// each owner in turn, so that nobody's thousand calls keep another's one waiting.
///
/// Within one owner the order is that in which they were made; one that comes back from a retry or a
/// refresh has its old place.
struct WaitingLine: Sendable {
    /// A place in the line. Whoever leaves the line and comes back gets another one, so that the old
    /// one can be left where it is.
    struct Place: Comparable, Sendable {
        let id: OperationID
        let number: UInt64

        static func < (left: Place, right: Place) -> Bool {
            (left.id, left.number) < (right.id, right.number)
        }
    }

    /// An owner with places, and since when it has had no turn.
    private struct OwnerTurn: Comparable, Sendable {
        let owner: OperationOwner?
        let since: UInt64

        static func < (left: OwnerTurn, right: OwnerTurn) -> Bool { left.since < right.since }
        static func == (left: OwnerTurn, right: OwnerTurn) -> Bool { left.since == right.since }
    }

    /// The operations of one priority.
    private struct Rank: Sendable {
        var places: [OperationOwner?: BinaryHeap<Place>] = [:]
        /// The owners of the places. What is said there about time may be outdated: then the owner
        /// has had a turn meanwhile, and is moved back when it is met.
        var owners = BinaryHeap<OwnerTurn>()

        mutating func insert(_ place: Place, _ owner: OperationOwner?, _ turns: OwnerTurns) {
            if places[owner] == nil {
                owners.insert(OwnerTurn(owner: owner, since: turns.since(owner)))
            }
            places[owner, default: BinaryHeap()].insert(place)
        }

        /// The place whose turn it is. What nobody stands at any more is dropped on the way.
        mutating func next(_ turns: OwnerTurns, _ isTaken: (Place) -> Bool) -> Place? {
            while let first = owners.least {
                let since = turns.since(first.owner)
                if let place = firstPlace(of: first.owner, isTaken) {
                    if first.since == since { return place }
                    owners.removeLeast()
                    owners.insert(OwnerTurn(owner: first.owner, since: since))
                } else {
                    places[first.owner] = nil
                    owners.removeLeast()
                }
            }
            return nil
        }

        private mutating func firstPlace(
            of owner: OperationOwner?, _ isTaken: (Place) -> Bool
        ) -> Place? {
            while let place = places[owner]?.least {
                if isTaken(place) { return place }
                places[owner]?.removeLeast()
            }
            return nil
        }

        /// Takes away what `next` returned.
        mutating func removeNext() {
            guard let first = owners.least else { return }
            places[first.owner]?.removeLeast()
        }
    }

    private var ranks: [Rank] = CallPriority.allCases.map { _ in Rank() }
    /// How many operations wait.
    private(set) var count = 0
    /// How many places there are, those included that nobody stands at.
    private var length = 0

    mutating func insert(
        _ place: Place, _ priority: CallPriority, _ owner: OperationOwner?, _ turns: OwnerTurns
    ) {
        count += 1
        length += 1
        ranks[priority.rawValue].insert(place, owner, turns)
    }

    /// Who is next, and how urgent.
    mutating func next(
        _ turns: OwnerTurns, _ isTaken: (Place) -> Bool
    ) -> (place: Place, priority: CallPriority)? {
        for priority in CallPriority.allCases.reversed() {
            if let place = ranks[priority.rawValue].next(turns, isTaken) {
                return (place, priority)
            }
        }
        return nil
    }

    /// Takes away the place that `next` returned.
    mutating func removeNext(_ priority: CallPriority) {
        count -= 1
        length -= 1
        ranks[priority.rawValue].removeNext()
    }

    /// Somebody has left. The place is dropped when it is met, or when there are many such places.
    mutating func leave(_ isTaken: (Place) -> Bool) {
        count -= 1
        guard length > 2 * count + 64 else { return }
        length = count
        for rank in ranks.indices {
            for owner in ranks[rank].places.keys { ranks[rank].places[owner]?.filter(isTaken) }
        }
    }
}

/// Since when each owner has waited for a turn: since its last one, or since it began to wait.
/// Whoever has waited longest goes first, whatever its operations wait for.
struct OwnerTurns: Sendable {
    private var turnsByOwner: [OperationOwner?: (waiting: Int, since: UInt64)] = [:]
    private var turns: UInt64 = 0

    func since(_ owner: OperationOwner?) -> UInt64 { turnsByOwner[owner]?.since ?? turns }

    /// One more of its operations waits.
    mutating func join(_ owner: OperationOwner?) {
        turns += 1
        turnsByOwner[owner, default: (0, turns)].waiting += 1
    }

    /// One of its operations no longer waits.
    mutating func leave(_ owner: OperationOwner?) {
        guard let turn = turnsByOwner[owner] else { return }
        turnsByOwner[owner] = turn.waiting > 1 ? (turn.waiting - 1, turn.since) : nil
    }

    /// One of its operations has its turn.
    mutating func serve(_ owner: OperationOwner?) {
        turns += 1
        guard !turnsByOwner.isEmpty else { return }
        turnsByOwner[owner]?.since = turns
        leave(owner)
    }
}
