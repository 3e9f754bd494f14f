internal import CScan

/// The keys of a model in generated code: literals with a space between two keys.
///
/// They are identified by address, not by content, because a literal never moves and never changes.
struct JSONKeyLiterals: Sendable {
    private let required: StaticString
    private let optional: StaticString
    private let nullable: StaticString
    private let sensitive: StaticString
    private let unknown: JSONUnknownKeys
    /// The addresses and lengths of the literals: equal for the same literals only, and never zero.
    let identity: SIMD4<UInt64>

    init(
        required: StaticString, optional: StaticString, nullable: StaticString = "",
        sensitive: StaticString = "", unknown: JSONUnknownKeys = .skipped
    ) {
        self.required = required
        self.optional = optional
        self.nullable = nullable
        self.sensitive = sensitive
        self.unknown = unknown
        identity = SIMD4(
            Self.place(required), Self.place(optional), Self.place(nullable),
            Self.place(sensitive) ^ UInt64(unknown.rawValue) << 62)
    }

    /// The address of a literal, which has 48 bits, combined with its length. A literal that is a
    /// single scalar may have no address; then the scalar itself is used.
    private static func place(_ literal: StaticString) -> UInt64 {
        guard literal.hasPointerRepresentation else { return UInt64(literal.unicodeScalar.value) }
        let address = UInt64(UInt(bitPattern: literal.utf8Start))
        return address ^ UInt64(truncatingIfNeeded: literal.utf8CodeUnitCount) << 48
    }

    var hash: UInt {
        let word = identity.x &* 31 ^ identity.y
        return UInt(truncatingIfNeeded: (word &* UInt64(0x9E37_79B9_7F4A_7C15)) >> 40)
    }

    func makeTable() -> JSONKeyTable {
        let required = Self.split(required)
        return JSONKeyTable(
            names: required + Self.split(optional), required: required.count,
            nullable: Set(Self.split(nullable)), sensitive: Set(Self.split(sensitive)),
            unknown: unknown, identity: identity)
    }

    private static func split(_ keys: StaticString) -> [String] {
        // Splits bytes, because a combining mark at the start of a key forms one character with the
        // space before it.
        keys.description.utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The tables of all literals, each made once per process.
///
/// A lock-free hash table that only grows, by compare and exchange, so readers never wait. If there
/// is no free slot for a model, its table is made again for each document.
enum JSONKeyTables {
    private static let capacity = 4096
    private static let probes = 64

    /// The shapes of the tables, as bits of their addresses; 0 for a free slot.
    nonisolated(unsafe) private static let slots = makeSlots()  // atomic access only, never freed

    private static func makeSlots() -> UnsafeMutablePointer<UInt64> {
        let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        slots.initialize(repeating: 0, count: capacity)
        return slots
    }

    /// The shape for these keys; nil if there is no slot for it.
    static func shape(_ literals: JSONKeyLiterals) -> UnsafeMutablePointer<JSONShape>? {
        let slots = slots
        var made: JSONKeyTable?
        for probe in 0..<UInt(probes) {
            let slot = slots + Int((literals.hash &+ probe) % UInt(capacity))
            if let shape = shape(in: slot) {
                if shape.pointee.identity == literals.identity { return shape }
                continue
            }
            let new = made ?? literals.makeTable()
            made = new
            if put(new, in: slot) { return new.shape }
            if let shape = shape(in: slot), shape.pointee.identity == literals.identity {
                return shape
            }
        }
        return nil
    }

    @inline(__always)
    private static func shape(
        in slot: UnsafeMutablePointer<UInt64>
    ) -> UnsafeMutablePointer<JSONShape>? {
        UnsafeMutablePointer(bitPattern: UInt(truncatingIfNeeded: c_atomic_load(slot)))
    }

    /// Puts a table into a slot. Returns false if the slot is not free.
    private static func put(
        _ table: JSONKeyTable, in slot: UnsafeMutablePointer<UInt64>
    ) -> Bool {
        let isDone = c_atomic_fill(slot, UInt64(UInt(bitPattern: table.shape)))
        if isDone { _ = Unmanaged.passRetained(table) }
        return isDone
    }
}
