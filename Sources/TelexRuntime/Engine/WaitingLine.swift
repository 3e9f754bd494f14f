/// Operations that wait for the same thing: the more urgent first, and among equally urgent ones
/// each owner in turn, so that nobody's thousand calls keep another's one waiting.
///
/// Within one owner the order is that in which they were made; one that comes back from a retry or a
/// refresh has its old place.
struct WaitingLine: Sendable {
    /// The operations of one priority.
    private struct Rank: Sendable {
        var places: [OperationOwner?: BinaryHeap<OperationID>] = [:]
        /// Whose turn it is, from `first` on.
        var turns: [OperationOwner?] = []
        var first = 0

        mutating func insert(_ id: OperationID, _ owner: OperationOwner?) {
            if places[owner] == nil { turns.append(owner) }
            places[owner, default: BinaryHeap()].insert(id)
        }

        /// The operation whose turn it is. What no longer waits is dropped on the way.
        mutating func next(_ isWaiting: (OperationID) -> Bool) -> OperationID? {
            while first < turns.count {
                let owner = turns[first]
                while let id = places[owner]?.least {
                    if isWaiting(id) { return id }
                    places[owner]?.removeLeast()
                }
                places[owner] = nil
                advance()
            }
            return nil
        }

        /// Takes away what `next` returned, and gives the turn to the next owner.
        mutating func removeNext() {
            let owner = turns[first]
            places[owner]?.removeLeast()
            if places[owner]?.isEmpty ?? true { places[owner] = nil } else { turns.append(owner) }
            advance()
        }

        private mutating func advance() {
            first += 1
            guard first > 32, first > turns.count / 2 else { return }
            turns.removeFirst(first)
            first = 0
        }
    }

    private var ranks: [Rank] = CallPriority.allCases.map { _ in Rank() }
    /// How many operations wait; the owner of the line keeps it.
    var count = 0

    mutating func insert(_ id: OperationID, priority: CallPriority, owner: OperationOwner?) {
        count += 1
        ranks[priority.rawValue].insert(id, owner)
    }

    /// Who is next, and how urgent.
    mutating func next(
        _ isWaiting: (OperationID) -> Bool
    ) -> (id: OperationID, priority: CallPriority)? {
        for priority in CallPriority.allCases.reversed() {
            if let id = ranks[priority.rawValue].next(isWaiting) { return (id, priority) }
        }
        return nil
    }

    /// Takes away the operation that `next` returned.
    mutating func removeNext(_ priority: CallPriority) {
        count -= 1
        ranks[priority.rawValue].removeNext()
    }
}
