internal import CScan

/// The keys of an object model as readers use them: how each is written, and which one followed it
/// last. Most objects of a model have the same members in the same order, so that a comparison
/// with the expected key takes the place of scanning it.
///
/// A `JSONKeyTable` owns the memory. All readers of a process share it; what they learn is only a
/// guess, which each of them checks.
struct JSONShape {
    /// A key: one of the model's, or another one that documents have. In memory, its text follows:
    /// the key in quotes, a colon, and 16 more bytes.
    struct Entry: ~Copyable {
        /// The bits of the address of the entry that followed this one last; 0 for none. It comes
        /// first, where pointers to an entry find it.
        var successor: UInt64 = 0
        /// The length of the key with both quotes.
        let length: Int32
        /// The field; -1 for a key that the model does not have.
        let field: Int32
        /// The bit of a field below 64 in what objects have seen; 0 for other keys.
        let bit: UInt64
        let isNullable: Bool
        /// Whether JSON can contain the key without escapes.
        let isPlain: Bool
    }

    typealias EntryPointer = UnsafeMutablePointer<Entry>

    /// The most further keys that are learned, and their longest.
    private static let mostUnknown = 24
    private static let longestUnknown = 64
    private static let growth = Lock(())

    /// The identity of the literals behind the table; zero if it was not made from literals.
    let identity: SIMD4<UInt64>
    /// The table, which owns the shape.
    let table: Unmanaged<JSONKeyTable>
    /// The number of fields.
    let fields: Int
    /// The number of required fields, which come first.
    let required: Int
    /// The bits of the required fields below 64.
    let requiredBits: UInt64
    let unknown: JSONUnknownKeys
    /// Whether the model is open, and keeps other keys.
    let keepsUnknown: Bool
    let hasSensitive: Bool
    let index: JSONKeyIndex
    /// What stands before the first member.
    let first: EntryPointer
    /// Unknown keys that are not learned: nothing is expected behind them.
    let unlearned: EntryPointer
    /// The entries of the fields, and of the unknown keys.
    private let entries: UnsafeMutablePointer<EntryPointer>
    /// The number of entries, which grows while the lock is held. Those that it counts are complete
    /// and never change.
    private let count: UnsafeMutablePointer<UInt64>

    init(_ table: JSONKeyTable, nullable: Set<String>) {
        self.table = .passUnretained(table)
        identity = table.identity
        fields = table.names.count
        required = table.required
        requiredBits = required >= 64 ? .max : (1 << UInt64(required)) - 1
        unknown = table.unknown
        keepsUnknown = unknown == .kept || unknown == .keptSensitive
        hasSensitive = !table.sensitive.isEmpty
        first = Self.entry("", -1)
        unlearned = Self.entry("", -1)
        entries = .allocate(capacity: fields + Self.mostUnknown)
        count = .allocate(capacity: 1)
        count.initialize(to: UInt64(fields))
        var last = first
        for (field, name) in table.names.enumerated() {
            let entry = Self.entry(name, Int32(field), isNullable: nullable.contains(name))
            (entries + field).initialize(to: entry)
            if entry.pointee.isPlain { last.expect(entry) }
            last = entry
        }
        index = JSONKeyIndex(entries, count: fields)
    }

    func deallocate() {
        for place in 0..<known { entries[place].deallocate() }
        first.deallocate()
        unlearned.deallocate()
        entries.deallocate()
        count.deallocate()
        index.deallocate()
    }

    private static func entry(
        _ key: String, _ field: Int32, isNullable: Bool = false
    ) -> EntryPointer {
        let size = MemoryLayout<Entry>.size
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size + key.utf8.count + 19, alignment: MemoryLayout<Entry>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size + key.utf8.count + 19)
        let entry = memory.bindMemory(to: Entry.self, capacity: 1)
        entry.initialize(
            to: Entry(
                length: Int32(key.utf8.count + 2), field: field,
                bit: 0..<64 ~= field ? 1 << UInt64(field) : 0, isNullable: isNullable,
                isPlain: !key.utf8.contains(where: JSONEscape.isNeeded)))
        for (place, byte) in (Array("\"".utf8) + Array(key.utf8) + Array("\":".utf8)).enumerated() {
            memory.storeBytes(of: byte, toByteOffset: size + place, as: UInt8.self)
        }
        return entry
    }

    /// The entry of a field.
    func entry(_ field: Int) -> EntryPointer { entries[field] }

    /// The entry of a key without escapes that the model does not have; `unlearned` if it is too
    /// long, or there are too many.
    func learn(_ key: UnsafeBufferPointer<UInt8>) -> EntryPointer {
        guard key.count <= Self.longestUnknown else { return unlearned }
        if let entry = known(key) { return entry }
        guard hasRoom else { return unlearned }
        let entry = Self.growth.withLock { _ in UInt(bitPattern: known(key) ?? add(key)) }
        return EntryPointer(bitPattern: entry) ?? unlearned
    }

    /// The number of complete entries.
    private var known: Int { Int(c_atomic_load(count)) }

    private var hasRoom: Bool { known < fields + Self.mostUnknown }

    private func known(_ key: UnsafeBufferPointer<UInt8>) -> EntryPointer? {
        guard let start = key.baseAddress else { return nil }
        let places = fields..<known
        return places.first { entries[$0].hasKey(start, key.count) }.map { entries[$0] }
    }

    /// Adds an entry, while the lock is held.
    private func add(_ key: UnsafeBufferPointer<UInt8>) -> EntryPointer? {
        guard hasRoom else { return nil }
        let place = known
        let entry = Self.entry(String(decoding: key, as: UTF8.self), -1)
        (entries + place).initialize(to: entry)
        c_atomic_store(count, UInt64(place + 1))
        return entry
    }
}

extension UnsafeMutablePointer where Pointee == JSONShape.Entry {
    /// The quote before the key.
    @inline(__always)
    var text: UnsafePointer<UInt8> {
        UnsafePointer(
            (UnsafeMutableRawPointer(self) + MemoryLayout<JSONShape.Entry>.size)
                .assumingMemoryBound(to: UInt8.self))
    }

    /// The memory of `JSONShape.Entry.successor`.
    @inline(__always)
    private var link: UnsafeMutablePointer<UInt64> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: UInt64.self)
    }

    /// The entry that followed this one last; nil for none.
    @inline(__always)
    var successor: Self? { Self(bitPattern: UInt(truncatingIfNeeded: c_atomic_load(link))) }

    /// Expects a key that JSON contains without escapes behind this one.
    func expect(_ entry: Self) {
        c_atomic_store(link, UInt64(UInt(bitPattern: entry)))
    }

    @inline(__always)
    func hasKey(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        Int(pointee.length) == count &+ 2 && JSONBytes.isEqual(text + 1, start, length: count)
    }
}
