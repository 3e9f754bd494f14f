/// A hash index that finds fields by the bytes of their keys.
struct JSONKeyIndex {
    private let entries: UnsafeMutablePointer<JSONShape.EntryPointer>
    /// The buckets of the open addressing: a field, or -1 if empty.
    private let buckets: UnsafeMutableBufferPointer<Int32>

    /// Creates an index of the first entries of a shape, which outlives it.
    init(_ entries: UnsafeMutablePointer<JSONShape.EntryPointer>, count: Int) {
        var size = 8
        while size < count * 2 { size *= 2 }
        self.entries = entries
        buckets = .allocate(capacity: size)
        buckets.initialize(repeating: -1)
        for field in 0..<count { insert(field) }
    }

    func deallocate() {
        buckets.deallocate()
    }

    /// The field of a key without escapes, or -1.
    func field(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        guard let start = key.baseAddress else { return -1 }
        var bucket = Self.hash(start, key.count) & (buckets.count &- 1)
        while true {
            let field = Int(buckets[bucket])
            if field < 0 { return -1 }
            if entries[field].hasKey(start, key.count) { return field }
            bucket = (bucket &+ 1) & (buckets.count &- 1)
        }
    }

    private func insert(_ field: Int) {
        let entry = entries[field]
        var bucket = Self.hash(entry.text + 1, Int(entry.pointee.length) - 2) & (buckets.count - 1)
        while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        buckets[bucket] = Int32(field)
    }

    /// A hash of the first and last bytes and the length. Keys are compared exactly afterwards.
    @inline(__always)
    private static func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var word = UInt64(truncatingIfNeeded: count)
        if count >= 8 {
            word ^= JSONBytes.word(start) &* 31
            word ^= JSONBytes.word(start + (count - 8))
        } else {
            var offset = 0
            while offset < count {
                word = word << 8 ^ UInt64(start[offset])
                offset &+= 1
            }
        }
        return Int(truncatingIfNeeded: (word &* UInt64(0x9E37_79B9_7F4A_7C15)) >> 40)
    }
}
