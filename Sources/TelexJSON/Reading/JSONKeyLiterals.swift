import Synchronization

/// The keys of a model as generated code has them: literals with a space between two keys.
///
/// They are told apart by where they are, not by what they say: a literal never moves and never
/// changes.
struct JSONKeyLiterals: Sendable {
    private let required: StaticString
    private let optional: StaticString
    private let nullable: StaticString
    private let sensitive: StaticString
    /// Where the literals are, and how long: equal for the same literals only, and never zero.
    let identity: SIMD4<UInt64>

    init(
        required: StaticString, optional: StaticString, nullable: StaticString = "",
        sensitive: StaticString = ""
    ) {
        self.required = required
        self.optional = optional
        self.nullable = nullable
        self.sensitive = sensitive
        identity = SIMD4(
            Self.place(required), Self.place(optional), Self.place(nullable),
            Self.place(sensitive))
    }

    /// The address of a literal, which has 48 bits, and its length; a literal that is a single
    /// scalar may have no address, and is itself.
    private static func place(_ literal: StaticString) -> UInt64 {
        guard literal.hasPointerRepresentation else { return UInt64(literal.unicodeScalar.value) }
        let address = UInt64(UInt(bitPattern: literal.utf8Start))
        return address ^ UInt64(truncatingIfNeeded: literal.utf8CodeUnitCount) << 48
    }

    var hash: UInt {
        let word = identity.x &* 31 ^ identity.y
        return UInt(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    func makeTable() -> JSONKeyTable {
        let required = Self.split(required)
        return JSONKeyTable(
            names: required + Self.split(optional), required: required.count,
            nullable: Set(Self.split(nullable)), sensitive: Set(Self.split(sensitive)),
            isClosed: false, identity: identity)
    }

    private static func split(_ keys: StaticString) -> [String] {
        // By bytes: a mark that combines with the space in front of it begins a key all the same.
        keys.description.utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The tables of all literals, each made once in the life of the process.
///
/// A hash table that only grows, by compare and exchange: readers on many threads never wait. A
/// model that finds no room has its table made anew for each document.
enum JSONKeyTables {
    private static let capacity = 4096
    private static let probes = 64

    /// Tables as the bits of retained references; 0 for a free slot. Safe to share: the memory lives
    /// as long as the process, and is only used atomically.
    nonisolated(unsafe) private static let slots: UnsafeMutablePointer<Atomic<UInt>> = {  // atomic
        let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: capacity)
        for slot in 0..<capacity { (slots + slot).initialize(to: Atomic(0)) }
        return slots
    }()

    static func table(_ literals: JSONKeyLiterals) -> JSONKeyTable {
        var made: JSONKeyTable?
        for probe in 0..<UInt(probes) {
            let slot = Int((literals.hash &+ probe) % UInt(capacity))
            if let table = table(at: slot) {
                if table.identity == literals.identity { return table }
                continue
            }
            let new = made ?? literals.makeTable()
            made = new
            if put(new, at: slot) { return new }
            if let table = table(at: slot), table.identity == literals.identity {
                return table
            }
        }
        return made ?? literals.makeTable()
    }

    private static func table(at slot: Int) -> JSONKeyTable? {
        let bits = slots[slot].load(ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
        return Unmanaged<JSONKeyTable>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Puts a table into a free slot; false if it is no longer free.
    private static func put(_ table: JSONKeyTable, at slot: Int) -> Bool {
        let reference = Unmanaged.passRetained(table)
        let bits = UInt(bitPattern: reference.toOpaque())
        let (isDone, _) = slots[slot].compareExchange(
            expected: 0, desired: bits, ordering: .acquiringAndReleasing)
        if !isDone { reference.release() }
        return isDone
    }
}
