/// The keys of an object model. Fields are numbered: the required ones first, then the optional.
///
/// Any number of fields is fine. Create it once (a `static let`): a reader also learns the order in
/// which a document has the keys.
public struct JSONKeys: Sendable {
    let table: JSONKeyTable

    /// Creates the keys of a model.
    ///
    /// - Parameters:
    ///   - required: keys that an object must have.
    ///   - optional: keys that it may have.
    ///   - nullable: those whose value may be null; null is then consumed by the reader.
    ///   - sensitive: those whose values never appear in violations.
    ///   - closed: whether any other key is a violation.
    public init(
        required: [String], optional: [String] = [], nullable: [String] = [],
        sensitive: [String] = [], closed: Bool = false
    ) {
        table = JSONKeyTable(
            names: required + optional, required: required.count, nullable: Set(nullable),
            sensitive: Set(sensitive), isClosed: closed)
    }
}

/// The immutable table behind `JSONKeys`: names, flags and a hash index of the names' bytes.
final class JSONKeyTable: Sendable {
    let names: [String]
    let required: Int
    let isNullable: [Bool]
    let isSensitive: [Bool]
    let isClosed: Bool
    private let spellings: [[UInt8]]
    /// Open addressing: a field, or -1 for an empty bucket.
    private let buckets: [Int32]

    init(
        names: [String], required: Int, nullable: Set<String>, sensitive: Set<String>,
        isClosed: Bool
    ) {
        self.names = names
        self.required = required
        self.isClosed = isClosed
        isNullable = names.map(nullable.contains)
        isSensitive = names.map(sensitive.contains)
        spellings = names.map { Array($0.utf8) }
        buckets = Self.index(spellings)
    }

    /// The field of a key without escapes, or -1.
    func field(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        var slot = Self.hash(key) & (buckets.count - 1)
        while true {
            let field = Int(buckets[slot])
            if field < 0 || isEqual(spellings[field], key) { return field }
            slot = (slot + 1) & (buckets.count - 1)
        }
    }

    private static func index(_ spellings: [[UInt8]]) -> [Int32] {
        var size = 8
        while size < spellings.count * 2 { size *= 2 }
        var buckets = [Int32](repeating: -1, count: size)
        for (field, spelling) in spellings.enumerated() {
            var slot = spelling.withUnsafeBufferPointer(hash) & (size - 1)
            while buckets[slot] >= 0 { slot = (slot + 1) & (size - 1) }
            buckets[slot] = Int32(field)
        }
        return buckets
    }

    private func isEqual(_ spelling: [UInt8], _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard spelling.count == key.count else { return false }
        return spelling.withUnsafeBufferPointer { $0.elementsEqual(key) }
    }

    /// A hash (FNV-1a) over a few bytes; the buckets are sparse and comparison is exact.
    private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt32 = 0x811C_9DC5 ^ UInt32(truncatingIfNeeded: key.count)
        for byte in key.prefix(24) { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Int(hash >> 8 ^ hash) & 0xFF_FFFF
    }
}
