/// The bytes of one file of a spec and where its lines start.
public struct SourceFile: Sendable {
    /// The path as messages show it.
    public let path: String
    /// The content of the file, unchecked.
    public let bytes: [UInt8]
    /// Its identity in its source map.
    public let id: FileID
    private let lines: LineTable

    /// The size up to which spans exist, in bytes, because offsets are 32 bits wide.
    public static let maximumSize = Int(Int32.max)

    init(path: String, bytes: [UInt8], id: FileID) {
        self.path = path
        self.bytes = bytes
        self.id = id
        lines = LineTable(bytes)
    }

    /// The empty span at the start, for diagnostics about the file as a whole.
    public var start: Span { span(0..<0) }

    /// The span of all bytes.
    public var all: Span { span(0..<bytes.count) }

    /// The span of a range of byte offsets, clamped to the file.
    public func span(_ range: Range<Int>) -> Span {
        let size = min(bytes.count, Self.maximumSize)
        let lower = min(max(0, range.lowerBound), size)
        let upper = min(max(lower, range.upperBound), size)
        return Span(file: id, start: Int32(lower), end: Int32(upper))
    }

    /// The text of a span, bad UTF-8 replaced by U+FFFD.
    public func text(of span: Span) -> String {
        let lower = min(max(0, Int(span.start)), bytes.count)
        let upper = min(max(lower, Int(span.end)), bytes.count)
        return String(decoding: bytes[lower..<upper], as: UTF8.self)
    }

    /// The number of lines; an empty file has one.
    public var lineCount: Int { lines.starts.count }

    /// Line and column of a byte offset, clamped to the file.
    public func position(of offset: Int) -> Position {
        let offset = min(max(0, offset), bytes.count)
        let line = line(of: offset)
        let start = line == 1 ? byteOrderMarkSize : lines.starts[line - 1]
        let column =
            lines.scalars(before: max(start, offset), in: bytes)
            - lines.scalars(before: start, in: bytes)
        return Position(line: line, column: column + 1)
    }

    /// The number of the line, from 1, that holds a byte offset.
    func line(of offset: Int) -> Int {
        let starts = lines.starts
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// The bytes of a line, from 1, without its line break and the byte order mark.
    package func lineRange(_ line: Int) -> Range<Int> {
        let starts = lines.starts
        let lower = line == 1 ? byteOrderMarkSize : starts[line - 1]
        var upper = line < starts.count ? starts[line] : bytes.count
        while upper > lower, bytes[upper - 1] == 0x0A || bytes[upper - 1] == 0x0D { upper -= 1 }
        return lower..<max(lower, upper)
    }

    /// 3 if the file begins with the UTF-8 byte order mark, or 0.
    public var byteOrderMarkSize: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }
}
