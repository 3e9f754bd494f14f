/// Values by operation, for the hundred thousand that may wait: the values stand side by side in one
/// array, and a table of their places, with linear probing, finds them.
///
/// A `Dictionary` keeps room for a third to two thirds more values than it has, and its hash resists
/// keys that are made to collide. Numbers that this process counts up need no such hash: it was a
/// large part of what the engine took for a call, and the room most of what a call held in it.
struct OperationTable<Value: Sendable>: Sendable {
    private(set) var ids: [OperationID] = []
    /// The values of the operations with the same index: in no order that means anything.
    private(set) var values: [Value] = []
    /// One more than the index of an operation; zero where there is none. A power of two of them, at
    /// most three quarters of which are taken.
    private var places: [UInt32] = []

    var isEmpty: Bool { ids.isEmpty }
    var count: Int { ids.count }

    subscript(id: OperationID) -> Value? {
        get { place(of: id).map { values[index(at: $0)] } }
        set {
            guard let newValue else {
                removeValue(of: id)
                return
            }
            if update(id, { $0 = newValue }) == nil { insert(newValue, for: id) }
        }
    }

    /// Changes a value in its place, without a copy; nothing if there is none. A subscript that lends it
    /// out would allocate its frame each time.
    ///
    /// - Returns: What `change` returns; nil if there is no value.
    @discardableResult
    mutating func update<Result>(
        _ id: OperationID, _ change: (inout Value) -> Result
    ) -> Result? {
        guard let place = place(of: id) else { return nil }
        return change(&values[index(at: place)])
    }

    func contains(_ id: OperationID) -> Bool { place(of: id) != nil }

    /// Takes a value out.
    ///
    /// - Returns: nil if there was none.
    @discardableResult
    mutating func removeValue(of id: OperationID) -> Value? {
        guard let place = place(of: id) else { return nil }
        let index = index(at: place)
        clear(place)
        let last = ids.count - 1
        if index != last {
            if let moved = self.place(of: ids[last]) { places[moved] = UInt32(index + 1) }
            ids.swapAt(index, last)
            values.swapAt(index, last)
        }
        ids.removeLast()
        let value = values.removeLast()
        // A crowd has been here: its room is given back.
        if ids.isEmpty, places.count > 1024 { self = OperationTable() }
        return value
    }

    // MARK: Places

    private func index(at place: Int) -> Int { Int(places[place]) - 1 }

    /// Where the search for an operation begins: neighbouring numbers far apart (Knuth, The Art of
    /// Computer Programming, 6.4).
    private func home(of id: OperationID) -> Int {
        let hash = id.number &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: hash >> 32) & (places.count - 1)
    }

    private func place(of id: OperationID) -> Int? {
        guard !ids.isEmpty else { return nil }
        var place = home(of: id)
        while places[place] != 0 {
            if ids[index(at: place)] == id { return place }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private mutating func insert(_ value: Value, for id: OperationID) {
        if (ids.count + 1) * 4 > places.count * 3 { grow() }
        ids.append(id)
        values.append(value)
        settle(ids.count - 1)
    }

    private mutating func grow() {
        places = Array(repeating: 0, count: max(16, places.count * 2))
        for index in ids.indices { settle(index) }
    }

    private mutating func settle(_ index: Int) {
        var place = home(of: ids[index])
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = UInt32(index + 1)
    }

    /// Empties a place, and moves up what is behind it and would no longer be found.
    private mutating func clear(_ place: Int) {
        let mask = places.count - 1
        var hole = place
        var next = (place + 1) & mask
        while places[next] != 0 {
            let home = home(of: ids[index(at: next)])
            if (next &- home) & mask >= (next &- hole) & mask {
                places[hole] = places[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        places[hole] = 0
    }
}
