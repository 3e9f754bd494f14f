/// One line or event of a stream is larger than allowed.
struct StreamLimitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How many bytes were allowed.
    let limit: Int

    /// What happened.
    var description: String { "one event of the stream is larger than \(limit) bytes" }
}

/// Cuts bytes that arrive in chunks into lines. Every byte is looked at once, however small the
/// chunks are.
struct LineSplitter: Sendable {
    /// What ends a line.
    enum Ends: Sendable {
        /// LF or CRLF.
        case lineFeed
        /// LF, CRLF or CR.
        case any
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let ends: Ends
    /// What has come of the line that is not complete yet.
    private var line: [UInt8] = []
    /// Whether a LF now belongs to the CR before it.
    private var isAfterReturn = false

    init(_ ends: Ends) {
        self.ends = ends
    }

    /// Takes the next line off the beginning of a chunk.
    ///
    /// - Returns: The line without its end; nil if the chunk is used up before.
    /// - Throws: If the line has more than `limit` bytes. It depends on the line, not on how it was
    ///   cut into chunks.
    mutating func next(
        in chunk: inout ArraySlice<UInt8>, limit: Int
    ) throws(StreamLimitError) -> [UInt8]? {
        if isAfterReturn, let first = chunk.first {
            if first == Self.lineFeed { chunk = chunk.dropFirst() }
            isAfterReturn = false
        }
        guard let end = chunk.firstIndex(where: isEnd) else {
            line += chunk
            chunk = []
            // This CR may turn out to be part of the line's end.
            let spare = ends == .lineFeed && line.last == Self.carriageReturn ? 1 : 0
            if line.count - spare > limit { throw StreamLimitError(limit: limit) }
            return nil
        }
        line += chunk[..<end]
        isAfterReturn = chunk[end] == Self.carriageReturn
        chunk = chunk[(end + 1)...]
        return try take(isEnded: true, limit)
    }

    /// The line that the stream ended in; empty if it ended after a line.
    mutating func rest(limit: Int) throws(StreamLimitError) -> [UInt8] {
        try take(isEnded: false, limit)
    }

    private mutating func take(isEnded: Bool, _ limit: Int) throws(StreamLimitError) -> [UInt8] {
        defer { line = [] }
        if isEnded, ends == .lineFeed, line.last == Self.carriageReturn { line.removeLast() }
        guard line.count <= limit else { throw StreamLimitError(limit: limit) }
        return line
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == Self.lineFeed || byte == Self.carriageReturn && ends == .any
    }
}
