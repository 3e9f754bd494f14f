/// The sizes of stored replies in the order of their last use.
struct CacheIndex: Sendable {
    private struct Item: Sendable {
        var size: Int
        var use: UInt64
    }

    /// The largest total size in bytes.
    let limit: Int
    private(set) var size = 0
    private var items: [CacheKey: Item] = [:]
    private var uses: UInt64 = 0

    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    var keys: some Sequence<CacheKey> { items.keys }

    func contains(_ key: CacheKey) -> Bool { items[key] != nil }

    /// Adds an item, or replaces it.
    ///
    /// - Returns: The items that have to make room. If the item itself is too large, it is one of
    ///   them.
    mutating func add(_ key: CacheKey, size: Int) -> [CacheKey] {
        remove(key)
        guard size <= limit else { return [key] }
        uses += 1
        items[key] = Item(size: size, use: uses)
        self.size += size
        guard self.size > limit else { return [] }
        return makeRoom()
    }

    /// Records a use of an item.
    mutating func use(_ key: CacheKey) {
        uses += 1
        items[key]?.use = uses
    }

    mutating func remove(_ key: CacheKey) {
        if let old = items.removeValue(forKey: key) { size -= old.size }
    }

    /// Removes the items that have not been used for the longest time. It frees an eighth of the
    /// space, because sorting for each new item would be slow.
    private mutating func makeRoom() -> [CacheKey] {
        var removed: [CacheKey] = []
        for (key, _) in items.sorted(by: { $0.value.use < $1.value.use }).dropLast() {
            if size <= limit - limit / 8 { break }
            remove(key)
            removed.append(key)
        }
        return removed
    }
}
