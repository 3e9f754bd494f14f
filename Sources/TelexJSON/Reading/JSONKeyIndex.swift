/// A hash index that finds fields by the bytes of their keys. It is a view of memory that a
/// `JSONKeyTable` owns, so that readers need not retain and release for each key.
struct JSONKeyIndex {
    struct Entry {
        var start: UnsafePointer<UInt8>
        var length: Int
        var isNullable: Bool
        /// Whether JSON can contain the key without escapes.
        var isPlain: Bool
    }

    private let entries: UnsafeMutableBufferPointer<Entry>
    /// All keys, each with its quotes. Eight more bytes after the last are readable.
    private let text: UnsafeMutableBufferPointer<UInt8>
    /// The buckets of the open addressing: a field, or -1 if empty.
    private let buckets: UnsafeMutableBufferPointer<Int32>

    init(_ names: [String], nullable: Set<String>) {
        var size = 8
        while size < names.count * 2 { size *= 2 }
        let spellings = names.map { Array("\"\($0)\"".utf8) }
        let bytes = Array(spellings.joined()) + [UInt8](repeating: 0, count: 8)
        text = .allocate(capacity: bytes.count)
        _ = text.initialize(from: bytes)
        entries = .allocate(capacity: names.count)
        buckets = .allocate(capacity: size)
        buckets.initialize(repeating: -1)
        guard let base = UnsafePointer(text.baseAddress) else { return }
        var place = 0
        for (field, spelling) in spellings.enumerated() {
            let isPlain = !spelling.dropFirst().dropLast().contains(where: JSONEscape.isNeeded)
            let entry = Entry(
                start: base + place, length: spelling.count,
                isNullable: nullable.contains(names[field]), isPlain: isPlain)
            entries.initializeElement(at: field, to: entry)
            insert(field)
            place += spelling.count
        }
    }

    func deallocate() {
        entries.deallocate()
        text.deallocate()
        buckets.deallocate()
    }

    /// The key of a field, or nil if there is no such field.
    @inline(__always)
    func entry(_ field: Int) -> Entry? {
        field >= 0 && field < entries.count ? entries[field] : nil
    }

    /// The field of a key without escapes, or -1.
    func field(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        guard let start = key.baseAddress else { return -1 }
        var bucket = Self.hash(start, key.count) & (buckets.count &- 1)
        while true {
            let field = Int(buckets[bucket])
            if field < 0 { return -1 }
            let entry = entries[field]
            if entry.length == key.count &+ 2,
                JSONBytes.isEqual(entry.start + 1, start, length: key.count)
            {
                return field
            }
            bucket = (bucket &+ 1) & (buckets.count &- 1)
        }
    }

    private func insert(_ field: Int) {
        let entry = entries[field]
        var bucket = Self.hash(entry.start + 1, entry.length - 2) & (buckets.count - 1)
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
        return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}
