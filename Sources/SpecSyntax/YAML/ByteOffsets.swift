/// Converts libyaml's marks, which count Unicode scalars, to byte offsets.
///
/// Marks arrive nearly in order, so a cursor advances with them. It takes eight bytes at a time,
/// because plugins run the tool as a debug build.
struct ByteOffsets {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let isASCII: Bool
    private var scalars = 0
    private var offset = 0

    /// `bytes` must be valid UTF-8 up to the last requested mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        isASCII = Self.isASCII(bytes)
    }

    /// The byte offset of a scalar's index; the size of the input for an index past the end.
    mutating func offset(of index: Int) -> Int {
        if isASCII { return min(index, bytes.count) }
        while scalars > index { stepBack() }
        while index - scalars >= 8, offset + 8 <= bytes.count {
            scalars += 8 - continuations(in: offset)
            offset += 8
        }
        while scalars < index, offset < bytes.count { step() }
        finishScalar()
        return offset
    }

    private mutating func step() {
        if !isContinuation(offset) { scalars += 1 }
        offset += 1
    }

    private mutating func stepBack() {
        offset -= 1
        if !isContinuation(offset) { scalars -= 1 }
    }

    private mutating func finishScalar() {
        while offset < bytes.count, isContinuation(offset) { offset += 1 }
    }

    private func isContinuation(_ offset: Int) -> Bool { bytes[offset] & 0xC0 == 0x80 }

    /// The number of UTF-8 continuation bytes among the eight bytes at `offset`.
    private func continuations(in offset: Int) -> Int {
        let word = UnsafeRawBufferPointer(bytes)
            .loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return (word & ~(word << 1) & Self.highBits).nonzeroBitCount
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        let high = highBits
        var found: UInt64 = 0
        var index = 0
        while index + 8 <= raw.count {
            found |= raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & high
            index += 8
        }
        while index < raw.count {
            found |= UInt64(raw[index] & 0x80)
            index += 1
        }
        return found == 0
    }
}
