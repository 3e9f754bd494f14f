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
    /// Whether it is a list whose elements are the fields of a model.
    var isPositional = false
    /// The current key in the shape of an object; nil in other containers and behind its end.
    var entry: JSONShape.EntryPointer?
    /// The current field of an object or element of a list; -1 before the first.
    var index = -1
    /// The number of members or elements that were begun.
    var count = 0
    /// The number of elements of the last list in this frame.
    var lastCount = 4
    /// The start of the current member's value.
    var valueStart: UnsafePointer<UInt8>
    /// The raw text between the quotes of the current key, of a map or kept by an open model.
    var key: UnsafeBufferPointer<UInt8>
    /// The shape of the object; in other containers, that of the last object in this frame. The next
    /// one often has the same.
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

    /// Makes the frame that of another container, and keeps what that one sets itself.
    @inline(__always)
    mutating func reuse(_ kind: Kind, at start: UnsafePointer<UInt8>, objectLevel: Int) {
        self.kind = kind
        hasFailed = false
        isClosed = false
        isAbsent = false
        isPositional = false
        entry = nil
        index = -1
        count = 0
        valueStart = start
        self.objectLevel = objectLevel
        seen = 0
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
