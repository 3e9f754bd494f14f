/// An error: one line or event of a stream is larger than allowed.
package struct StreamLimitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The allowed number of bytes.
    package let limit: Int

    package var description: String { "one event of the stream is larger than \(limit) bytes" }
}

/// Splits bytes that arrive in chunks into lines. Each byte is examined once, however small the
/// chunks are.
package struct LineSplitter: Sendable {
    /// The line ends that are recognised.
    package enum Ends: Sendable {
        /// LF or CRLF.
        case lineFeed
        /// LF, CRLF or CR.
        case any
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let ends: Ends
    /// The received part of an incomplete line.
    private var line: [UInt8] = []
    /// Whether the last byte was a CR, so that an LF now belongs to it.
    private var isAfterReturn = false

    package init(_ ends: Ends) {
        self.ends = ends
    }

    /// Removes the next line from the beginning of a chunk.
    ///
    /// - Returns: The line without its end; nil if the chunk ends before the line does.
    /// - Throws: If the line has more than `limit` bytes, however it was split into chunks.
    package mutating func next(
        in chunk: inout ArraySlice<UInt8>, limit: Int
    ) throws(StreamLimitError) -> [UInt8]? {
        if isAfterReturn, let first = chunk.first {
            if first == Self.lineFeed { chunk = chunk.dropFirst() }
            isAfterReturn = false
        }
        guard let end = chunk.firstIndex(where: isEnd) else {
            line += chunk
            chunk = []
            // A trailing CR may be part of the line end.
            let spare = ends == .lineFeed && line.last == Self.carriageReturn ? 1 : 0
            if line.count - spare > limit { throw StreamLimitError(limit: limit) }
            return nil
        }
        line += chunk[..<end]
        isAfterReturn = chunk[end] == Self.carriageReturn
        chunk = chunk[(end + 1)...]
        return try take(isEnded: true, limit)
    }

    /// Returns the incomplete last line of the stream; empty if the stream ended after a line end.
    package mutating func rest(limit: Int) throws(StreamLimitError) -> [UInt8] {
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
