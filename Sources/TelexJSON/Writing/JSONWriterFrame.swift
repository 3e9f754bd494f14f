/// One open container of a writer. Nothing in it is counted by reference, so that opening one is
/// cheap.
struct JSONWriterFrame {
    struct Flags: OptionSet {
        let rawValue: UInt8

        /// `place` is that of a key.
        static let hasKey = Flags(rawValue: 1)
        /// The member or element written last is sensitive.
        static let isSensitive = Flags(rawValue: 2)
        /// The value of a sensitive member has not ended.
        static let isInsideSensitive = Flags(rawValue: 4)
        /// Members are written without their keys.
        static let isPositional = Flags(rawValue: 8)
        /// A key that generated code knows was omitted, and none was written since.
        static let omitsLiteral = Flags(rawValue: 16)
        /// A key that is data was omitted, and none was written since.
        static let omitsText = Flags(rawValue: 32)
    }

    /// The offset of the key that was written last, or the index of the element; -1 before the first.
    var place = -1
    /// In a list of members without their keys, how many were omitted last.
    var omitted: Int32 = 0
    var flags: Flags = []
}

/// The frames around the innermost one.
struct JSONWriterFrames: ~Copyable, @unchecked Sendable {  // it owns its memory alone
    private var start: UnsafeMutablePointer<JSONWriterFrame>
    private var capacity = 16
    private(set) var count = 0

    init() {
        start = .allocate(capacity: capacity)
    }

    deinit {
        start.deallocate()
    }

    subscript(place: Int) -> JSONWriterFrame { start[place] }

    @inline(__always)
    mutating func push(_ frame: JSONWriterFrame) {
        if count == capacity { grow() }
        start[count] = frame
        count &+= 1
    }

    @inline(__always)
    mutating func pop() -> JSONWriterFrame? {
        guard count > 0 else { return nil }
        count &-= 1
        return start[count]
    }

    @inline(never)
    private mutating func grow() {
        let memory = UnsafeMutablePointer<JSONWriterFrame>.allocate(capacity: capacity * 2)
        memory.update(from: start, count: count)
        start.deallocate()
        (start, capacity) = (memory, capacity * 2)
    }
}
