/// Values by operation, for up to 100,000 waiting operations. The values are stored contiguously in
/// one array; a table with linear probing maps operations to indices.
///
/// A `Dictionary` reserves room for a third to two thirds more values than it holds, and its hash
/// resists deliberate collisions. Numbers that the process itself counts up need no such hash:
/// hashing was a large part of the engine's time per call, and the reserve most of its memory per
/// call.
///
/// Public and inlinable for `Engine`, whose table would otherwise call unspecialised generic code;
/// an SPI, so that no app sees it.
@_spi(Engine) public struct OperationTable<Value: Sendable>: Sendable {
    @usableFromInline var ids: [OperationID] = []
    /// The values of the operations with the same index, in no particular order.
    @usableFromInline var elements: [Value] = []
    /// The index of an operation plus one; zero for a free place. The count is a power of two; at
    /// most three quarters are taken.
    @usableFromInline var places: [UInt32] = []

    /// Creates an empty table.
    @inlinable public init() {}

    /// The values, in no particular order.
    @inlinable public var values: [Value] { elements }
    /// Whether there is no value.
    @inlinable public var isEmpty: Bool { ids.isEmpty }
    /// The number of values.
    @inlinable public var count: Int { ids.count }

    /// The value of an operation; nil if there is none.
    @inlinable public subscript(id: OperationID) -> Value? {
        get { place(of: id).map { elements[index(at: $0)] } }
        set {
            guard let newValue else {
                removeValue(of: id)
                return
            }
            if update(id, { $0 = newValue }) == nil { insert(newValue, for: id) }
        }
    }

    /// Changes a value in place, without a copy; does nothing if there is none. A `_modify`
    /// accessor would allocate a coroutine frame each time.
    ///
    /// - Returns: What `change` returns; nil if there is no value.
    @discardableResult @inlinable
    public mutating func update<Result>(
        _ id: OperationID, _ change: (inout Value) -> Result
    ) -> Result? {
        guard let place = place(of: id) else { return nil }
        return change(&elements[index(at: place)])
    }

    /// Whether an operation has a value.
    @inlinable public func contains(_ id: OperationID) -> Bool { place(of: id) != nil }

    /// Removes a value.
    ///
    /// - Returns: nil if there was none.
    @discardableResult @inlinable
    public mutating func removeValue(of id: OperationID) -> Value? {
        guard let place = place(of: id) else { return nil }
        let index = index(at: place)
        clear(place)
        let last = ids.count - 1
        if index != last {
            if let moved = self.place(of: ids[last]) { places[moved] = UInt32(index + 1) }
            ids.swapAt(index, last)
            elements.swapAt(index, last)
        }
        ids.removeLast()
        let value = elements.removeLast()
        // Free the storage after a burst of operations.
        if ids.isEmpty, places.count > 1024 { self = OperationTable() }
        return value
    }

    // MARK: Places

    @inlinable func index(at place: Int) -> Int { Int(places[place]) - 1 }

    /// Where the search for an operation begins. Consecutive numbers are spread widely (Knuth, The
    /// Art of Computer Programming, 6.4).
    @inlinable func home(of id: OperationID) -> Int {
        let hash = id.number &* UInt64(0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: hash >> 32) & (places.count - 1)
    }

    @inlinable func place(of id: OperationID) -> Int? {
        guard !ids.isEmpty else { return nil }
        var place = home(of: id)
        while places[place] != 0 {
            if ids[index(at: place)] == id { return place }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    @inlinable mutating func insert(_ value: Value, for id: OperationID) {
        if (ids.count + 1) * 4 > places.count * 3 { grow() }
        ids.append(id)
        elements.append(value)
        settle(ids.count - 1)
    }

    @inlinable mutating func grow() {
        places = Array(repeating: 0, count: max(16, places.count * 2))
        for index in ids.indices { settle(index) }
    }

    @inlinable mutating func settle(_ index: Int) {
        var place = home(of: ids[index])
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = UInt32(index + 1)
    }

    /// Clears a place, and moves later entries that a search would otherwise miss.
    @inlinable mutating func clear(_ place: Int) {
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
