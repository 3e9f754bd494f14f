/// The lines of a text.
struct SourceLines {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Where the line of an offset begins, behind a byte order mark.
    func start(of offset: Int) -> Int {
        let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return start == 0 && offset >= 3 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
    }

    /// Where the line of an offset ends, before its line break.
    func end(of offset: Int) -> Int {
        var end = next(after: offset)
        while end > offset, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }

    /// Where the next line begins.
    func next(after offset: Int) -> Int {
        bytes[offset...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    }

    /// The number of spaces before an offset; nil if its line has something else before it.
    func indent(of offset: Int) -> Int? {
        let before = bytes[start(of: offset)..<offset]
        return before.allSatisfy { $0 == 0x20 } ? before.count : nil
    }

    /// The text of a range without spaces at its ends.
    func trimmed(_ range: Range<Int>) -> String {
        let part = bytes[range].drop { $0 <= 0x20 }
        let end = part.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? part.startIndex
        return String(decoding: part[..<end], as: UTF8.self)
    }

    func isBlank(at start: Int) -> Bool {
        start < bytes.count && trimmed(start..<next(after: start)).isEmpty
    }

    /// The start of the line before the one that begins here; nil in the first line.
    func previous(before start: Int) -> Int? {
        start > 0 && bytes[start - 1] == 0x0A ? self.start(of: start - 1) : nil
    }

    /// The indent of a line that is a comment; nil for any other.
    func commentIndent(at start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        let first = bytes[start...].firstIndex { $0 != 0x20 }
        return first.flatMap { bytes[$0] == UInt8(ascii: "#") ? $0 - start : nil }
    }

    /// Where the comments begin that stand right above a key, as deep as it; without them, the
    /// line of the key.
    func startWithComments(of key: Int) -> Int {
        var start = start(of: key)
        let indent = key - start
        while let line = previous(before: start), commentIndent(at: line) == indent { start = line }
        return start
    }

    /// The comments right above a key, without `# `.
    func comments(above key: Int) -> [String] {
        guard indent(of: key) != nil else { return [] }
        var comments: [String] = []
        var line = startWithComments(of: key)
        while line < start(of: key) {
            let text = trimmed(line..<next(after: line)).dropFirst()
            comments.append(String(text.first == " " ? text.dropFirst() : text))
            line = next(after: line)
        }
        return comments
    }
}
