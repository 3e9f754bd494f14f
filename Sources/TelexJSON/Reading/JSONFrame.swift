/// One open container of a reader. Frames are stored in memory that the reader owns.
@usableFromInline
struct JSONFrame {
    enum Kind: UInt8 {
        case root, object, list, map
    }

    var kind: Kind
    /// Whether a required part could not be read.
    var hasFailed = false
    /// Whether the closing bracket was consumed.
    var isClosed = false
    /// Whether the frame stands for a missing object, which a model entered.
    var isAbsent = false
    /// The current field of an object or element of a list; -1 before the first.
    var index = -1
    /// The number of members or elements that were begun.
    var count = 0
    /// The start of the current member's value.
    var valueStart: UnsafePointer<UInt8>
    /// The raw text between the quotes of the current key, of a map or kept by an open model.
    var key: UnsafeBufferPointer<UInt8>
    /// The shape of the object.
    var shape: UnsafeMutablePointer<JSONShape>?
    /// The number of enclosing frames that are objects or maps.
    var objectLevel: Int
    /// The fields 0...63 that were seen.
    var seen: UInt64 = 0
    /// The fields from 64 on that were seen. The memory is released with the frame's object.
    var seenMore: UnsafeMutableBufferPointer<UInt64>?

    init(_ kind: Kind, at start: UnsafePointer<UInt8>, objectLevel: Int) {
        self.kind = kind
        valueStart = start
        key = UnsafeBufferPointer(start: start, count: 0)
        self.objectLevel = objectLevel
    }

    /// Marks a field as seen; false if it was already.
    mutating func see(_ field: Int) -> Bool {
        if field < 64 {
            let bit = UInt64(1) << UInt64(field)
            defer { seen |= bit }
            return seen & bit == 0
        }
        guard let seenMore else { return true }
        let word = field / 64 - 1
        let bit = UInt64(1) << UInt64(field % 64)
        defer { seenMore[word] |= bit }
        return seenMore[word] & bit == 0
    }

    func hasSeen(_ field: Int) -> Bool {
        if field < 64 { return seen & (UInt64(1) << UInt64(field)) != 0 }
        guard let seenMore else { return false }
        return seenMore[field / 64 - 1] & (UInt64(1) << UInt64(field % 64)) != 0
    }

    /// Makes room for the fields from 64 on.
    mutating func reserve(fields: Int) {
        guard fields > 64 else { return }
        let words = (fields - 1) / 64
        let memory = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: words)
        memory.initialize(repeating: 0)
        seenMore = memory
    }

    mutating func release() {
        seenMore?.deallocate()
        seenMore = nil
    }
}

/// The keys of one object model and the text of each key in the previous object of that model. The
/// next object usually has the same text.
struct JSONShape {
    /// A member of an earlier object: the text from the opening quote to its value.
    struct Guess {
        var start: UnsafePointer<UInt8>
        var length: Int
        /// The field, or -1 for a key that the model does not have.
        var field: Int32
        var isNullable: Bool
    }

    /// The maximum number of remembered members per object.
    private static let capacity = 64

    /// Retained; released with the reader.
    let table: Unmanaged<JSONKeyTable>
    /// The identity of the literals behind the table; zero if the table was not made from literals.
    let identity: SIMD4<UInt64>
    let index: JSONKeyIndex
    /// The number of fields.
    let fields: Int
    /// The number of required fields, which come first.
    let required: Int
    /// The bits of the required fields below 64.
    let requiredBits: UInt64
    let unknown: JSONUnknownKeys
    /// The previously created shape.
    let previous: UnsafeMutablePointer<JSONShape>?
    private let capacity: Int
    let guesses: UnsafeMutablePointer<Guess>
    var learned = 0

    init(_ table: JSONKeyTable, previous: UnsafeMutablePointer<JSONShape>?) {
        self.table = .passRetained(table)
        self.previous = previous
        identity = table.identity
        index = table.index
        fields = table.names.count
        required = table.required
        requiredBits = required >= 64 ? .max : (1 << UInt64(required)) - 1
        unknown = table.unknown
        capacity = min(table.names.count + 8, Self.capacity)
        guesses = .allocate(capacity: capacity)
    }

    mutating func learn(_ guess: Guess, at position: Int) {
        guard position < capacity, position <= learned else { return }
        guesses[position] = guess
        learned = max(learned, position + 1)
    }

    func release() {
        guesses.deallocate()
        table.release()
    }
}
