/// Operations that wait for the same resources. Higher priorities go first; within a priority,
/// owners take turns, so that an owner with a thousand calls does not delay the single call of
/// another.
///
/// The operations of one owner go in order of creation; an operation that returns after a retry or
/// a refresh gets its old position.
struct WaitingLine: Sendable {
    /// A place in the line. An operation that leaves and returns gets a new place, so that the old
    /// one need not be removed at once.
    struct Place: Comparable, Sendable {
        let id: OperationID
        let number: UInt64

        static func < (left: Place, right: Place) -> Bool {
            (left.id, left.number) < (right.id, right.number)
        }
    }

    /// An owner with places, and the time of its last turn.
    private struct OwnerTurn: Comparable, Sendable {
        let owner: OperationOwner?
        let since: UInt64

        static func < (left: OwnerTurn, right: OwnerTurn) -> Bool { left.since < right.since }
        static func == (left: OwnerTurn, right: OwnerTurn) -> Bool { left.since == right.since }
    }

    /// The operations of one priority.
    private struct Rank: Sendable {
        var places: [OperationOwner?: BinaryHeap<Place>] = [:]
        /// The owners of the places. Their `since` may be outdated, if the owner has had a turn
        /// since; `next` then moves the owner back.
        var owners = BinaryHeap<OwnerTurn>()

        mutating func insert(_ place: Place, owner: OperationOwner?, turns: OwnerTurns) {
            if places[owner] == nil {
                owners.insert(OwnerTurn(owner: owner, since: turns.since(owner)))
            }
            places[owner, default: BinaryHeap()].insert(place)
        }

        /// The place whose turn it is. Stale places are dropped on the way.
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

        /// Removes the place that `next` returned.
        mutating func removeNext() {
            guard let first = owners.least else { return }
            places[first.owner]?.removeLeast()
        }
    }

    private var ranks: [Rank] = CallPriority.allCases.map { _ in Rank() }
    /// The number of waiting operations.
    private(set) var count = 0
    /// The number of places, including stale ones.
    private var length = 0

    mutating func insert(
        _ place: Place, priority: CallPriority, owner: OperationOwner?, turns: OwnerTurns
    ) {
        count += 1
        length += 1
        ranks[priority.rawValue].insert(place, owner: owner, turns: turns)
    }

    /// The next place and its priority.
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

    /// Removes the place that `next` returned.
    mutating func removeNext(_ priority: CallPriority) {
        count -= 1
        length -= 1
        ranks[priority.rawValue].removeNext()
    }

    /// Records that an operation has left. Its stale place is dropped when `next` reaches it, or
    /// when there are many.
    mutating func leave(_ isTaken: (Place) -> Bool) {
        count -= 1
        guard length > 2 * count + 64 else { return }
        length = count
        for rank in ranks.indices {
            for owner in ranks[rank].places.keys { ranks[rank].places[owner]?.filter(isTaken) }
        }
    }
}

/// Since when each owner has waited for a turn: since its last turn, or since it began to wait. The
/// owner that has waited longest goes first, across all lines.
struct OwnerTurns: Sendable {
    private var turnsByOwner: [OperationOwner?: (waiting: Int, since: UInt64)] = [:]
    private var turns: UInt64 = 0

    func since(_ owner: OperationOwner?) -> UInt64 { turnsByOwner[owner]?.since ?? turns }

    /// Records that another of the owner's operations waits.
    mutating func join(_ owner: OperationOwner?) {
        turns += 1
        turnsByOwner[owner, default: (0, turns)].waiting += 1
    }

    /// Records that one of the owner's operations has stopped waiting.
    mutating func leave(_ owner: OperationOwner?) {
        guard let turn = turnsByOwner[owner] else { return }
        turnsByOwner[owner] = turn.waiting > 1 ? (turn.waiting - 1, turn.since) : nil
    }

    /// Records that one of the owner's operations has its turn.
    mutating func serve(_ owner: OperationOwner?) {
        turns += 1
        guard !turnsByOwner.isEmpty else { return }
        turnsByOwner[owner]?.since = turns
        leave(owner)
    }
}
