/// Splits a stream of JSON Lines into its JSON texts, one per line. Lines end with LF or CRLF,
/// which the last line may lack. Blank lines are skipped.
package struct JSONLines: Sendable {
    /// The error that every later call throws; nil as long as no line was too long.
    package private(set) var error: StreamLimitError?

    private let limit: Int
    private var lines = LineSplitter(.lineFeed)

    /// Creates a splitter for lines of at most `limit` bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Returns the texts that a chunk completes.
    ///
    /// - Throws: If a line is too long. The error is thrown in the call after the one that returns
    ///   the lines before it, so that none is lost, and in every later call.
    package mutating func feed(_ chunk: [UInt8]) throws(StreamLimitError) -> [[UInt8]] {
        if let error { throw error }
        var texts: [[UInt8]] = []
        var rest = chunk[...]
        do throws(StreamLimitError) {
            while let line = try lines.next(in: &rest, limit: limit) {
                if !Self.isBlank(line) { texts.append(line) }
            }
        } catch {
            self.error = error
            if texts.isEmpty { throw error }
        }
        return texts
    }

    /// Ends the stream.
    ///
    /// - Returns: The text of a last line without a line end; nil if there is none.
    /// - Throws: If a line was too long.
    package mutating func finish() throws(StreamLimitError) -> [UInt8]? {
        if let error { throw error }
        let line = try lines.rest(limit: limit)
        return Self.isBlank(line) ? nil : line
    }

    /// Whether the line contains only JSON white space (RFC 8259, section 2).
    private static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
