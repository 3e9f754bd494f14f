/// A cursor over the bytes of a file, for positions that libyaml's marks do not give.
struct YAMLSource {
    private let bytes: [UInt8]
    var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The byte here, or nil at the end.
    var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Whether a line, or the file after its byte order mark, starts here.
    var isAtLineStart: Bool {
        offset == 0 || isBreak(bytes[offset - 1]) || (offset == 3 && bytes[0] == 0xEF)
    }

    /// Skips spaces, line breaks and comments.
    mutating func skipBlanksAndComments() {
        while let byte {
            if byte == UInt8(ascii: "#") {
                skipLine()
            } else if byte == 0x20 || byte == 0x09 || isBreak(byte) {
                offset += 1
            } else {
                return
            }
        }
    }

    /// Skips the rest of the line, but not its line break.
    mutating func skipLine() {
        while let byte, !isBreak(byte) { offset += 1 }
    }

    /// Skips to the next space, line break or, inside brackets, their punctuation.
    mutating func skipWord() {
        while let byte, byte > 0x20, byte != UInt8(ascii: ","), byte != UInt8(ascii: "]"),
            byte != UInt8(ascii: "}")
        {
            offset += 1
        }
    }

    /// The offset after the last byte of `range` that is no space and no line break.
    func trimmedEnd(of range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound, bytes[end - 1] == 0x20 || isBreak(bytes[end - 1]) { end -= 1 }
        return end
    }

    /// The offset after the character at `offset`.
    func characterEnd(at offset: Int) -> Int {
        var end = min(offset + 1, bytes.count)
        while end < bytes.count, bytes[end] & 0xC0 == 0x80, end - offset < 4 { end += 1 }
        return end
    }

    /// The first tab among the spaces that the line of `offset` begins with, and those after it.
    func indentationTabs(at offset: Int) -> Range<Int>? {
        var start = min(offset, bytes.count)
        while start > 0, !isBreak(bytes[start - 1]) { start -= 1 }
        while start < bytes.count, bytes[start] == 0x20 { start += 1 }
        var end = start
        while end < bytes.count, bytes[end] == 0x09 { end += 1 }
        return start < end ? start..<end : nil
    }

    /// The line of an offset, without its break.
    func line(at offset: Int) -> Range<Int> {
        var start = min(offset, bytes.count)
        while start > 0, !isBreak(bytes[start - 1]) { start -= 1 }
        var end = start
        while end < bytes.count, !isBreak(bytes[end]) { end += 1 }
        return start..<end
    }

    /// The nearest line before that of an offset that is not blank.
    func lineBefore(_ offset: Int) -> Range<Int>? {
        var end = line(at: offset).lowerBound
        while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 || isBreak(bytes[end - 1]) {
            end -= 1
        }
        return end > 0 ? line(at: end) : nil
    }

    private func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
