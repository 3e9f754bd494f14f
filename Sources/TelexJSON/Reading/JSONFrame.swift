/// One open container of a reader. Frames live in memory that the reader owns.
@usableFromInline
struct JSONFrame {
    enum Kind: UInt8 {
        case root, object, list, map
    }

    var kind: Kind
    /// A required part could not be read.
    var hasFailed = false
    /// The closing bracket was consumed.
    var isClosed = false
    /// There is no object at all, although a model went into one.
    var isAbsent = false
    /// The field of an object, the element of a list; -1 before the first.
    var index = -1
    /// How many members or elements were begun.
    var count = 0
    /// Where the value of the current member starts.
    var valueStart: UnsafePointer<UInt8>
    /// The raw text between the quotes of a map's current key.
    var key: UnsafeBufferPointer<UInt8>
    /// What is known of the object's keys.
    var shape: UnsafeMutablePointer<JSONShape>?
    /// How many enclosing frames are objects or maps.
    var objectLevel: Int
    /// Fields 0...63 that were there.
    var seen: UInt64 = 0
    /// Fields from 64 on that were there; memory that is released with the frame's object.
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

/// What a reader knows of one kind of object: its keys, and the text of each key in the object read
/// before, which most often is the text of the next one, too.
struct JSONShape {
    /// A member as it stood in an earlier object: from the opening quote up to its value.
    struct Guess {
        var start: UnsafePointer<UInt8>
        var length: Int
        /// -1 for a key that the model does not have.
        var field: Int32
        var isNullable: Bool
    }

    /// How many members of an object are remembered.
    private static let capacity = 64

    /// Owned: released with the reader.
    let table: Unmanaged<JSONKeyTable>
    /// That of the literals behind the table; zero if it was made from none.
    let identity: SIMD4<UInt64>
    let index: JSONKeyIndex
    /// How many fields there are.
    let fields: Int
    /// A field below is required.
    let required: Int
    /// The bits of the required fields below 64.
    let requiredBits: UInt64
    let isClosed: Bool
    /// The shape that was met before this one.
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
        isClosed = table.isClosed
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
