/// The lines of a text.
package struct SourceLines {
    /// The text.
    package let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Where the line of an offset begins, behind a byte order mark.
    package func start(of offset: Int) -> Int {
        let start = bytes[..<offset].indices.last(where: isBreak).map { $0 + 1 } ?? 0
        return start == 0 && offset >= 3 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : start
    }

    /// Where the line of an offset ends, before its line break.
    package func end(of offset: Int) -> Int {
        bytes[offset...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    }

    /// Where the next line begins.
    func next(after offset: Int) -> Int {
        bytes[offset...].indices.first(where: isBreak).map { $0 + 1 } ?? bytes.count
    }

    /// Whether a line break ends here: `\n`, `\r\n` or a lone `\r`.
    private func isBreak(_ index: Int) -> Bool {
        bytes[index] == 0x0A || bytes[index] == 0x0D && bytes[index...].prefix(2).last != 0x0A
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
        start > 0 && isBreak(start - 1) ? self.start(of: start - 1) : nil
    }

    /// The indent of a line that is a comment; nil for any other.
    func commentIndent(at start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        let first = bytes[start...].firstIndex { $0 != 0x20 }
        return first.flatMap { bytes[$0] == UInt8(ascii: "#") ? $0 - start : nil }
    }

    /// Where the comments begin that stand right above a key, as deep as it; without them, the
    /// line of the key. Those that begin a file are about all of it.
    func startWithComments(of key: Int) -> Int {
        let line = start(of: key)
        var start = line
        while let above = previous(before: start), commentIndent(at: above) == key - line {
            start = above
        }
        return previous(before: start) == nil ? line : start
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
