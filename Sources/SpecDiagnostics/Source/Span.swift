/// The identity of a source file within one ``SourceMap``; ordered as the files were added.
public struct FileID: Hashable, Comparable, Sendable {
    let index: Int32

    /// Compares files by the order in which they were added.
    public static func < (left: FileID, right: FileID) -> Bool { left.index < right.index }
}

/// A piece of a source file: the UTF-8 offsets `start ..< end`. An empty span marks a place
/// between two characters.
public struct Span: Hashable, Comparable, Sendable {
    /// The file that the offsets refer to.
    public var file: FileID
    /// Offset of the first byte, from 0.
    public var start: Int32
    /// Offset after the last byte; never before ``start``.
    public var end: Int32

    /// A span of `file`; an `end` before `start` is raised to it.
    public init(file: FileID, start: Int32, end: Int32) {
        self.file = file
        self.start = start
        self.end = max(start, end)
    }

    /// The smallest span that covers both. Of two files, `self`'s wins.
    public func joined(with other: Span) -> Span {
        guard file == other.file else { return self }
        return Span(file: file, start: min(start, other.start), end: max(end, other.end))
    }

    /// A part of this span, cut out by byte offsets from its start and clamped to it. The source
    /// text must equal the value (a plain scalar on one line).
    public func part(_ range: Range<Int>) -> Span {
        let length = Int(end - start)
        let lower = min(max(0, range.lowerBound), length)
        let upper = min(max(lower, range.upperBound), length)
        return Span(file: file, start: start + Int32(lower), end: start + Int32(upper))
    }

    /// Compares by file, then start, then end.
    public static func < (left: Span, right: Span) -> Bool {
        (left.file, left.start, left.end) < (right.file, right.start, right.end)
    }
}

/// A line and column, both from 1.
public struct Position: Hashable, Sendable {
    /// The line; `\n`, `\r\n` and a lone `\r` end one.
    public var line: Int
    /// The column in Unicode scalars; a byte order mark takes none.
    public var column: Int
}
