/// Cuts a stream of JSON Lines into its JSON texts: one a line, with LF or CRLF at the end, which
/// the last line may lack. Blank lines are skipped.
struct JSONLines: Sendable {
    /// What every call from now on throws; nil as long as no line was too long.
    private(set) var error: StreamLimitError?

    private let limit: Int
    private var lines = LineSplitter(.lineFeed)

    /// A stream whose lines have at most so many bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// The texts that a chunk completes.
    ///
    /// - Throws: If a line is too long, in the call after the one that returns the lines before it,
    ///   so that none is lost, and in every call from then on.
    mutating func feed(_ chunk: [UInt8]) throws(StreamLimitError) -> [[UInt8]] {
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

    /// The stream has ended.
    ///
    /// - Returns: The text of a last line without an end; nil if there is none.
    /// - Throws: If a line was too long.
    mutating func finish() throws(StreamLimitError) -> [UInt8]? {
        if let error { throw error }
        let line = try lines.rest(limit: limit)
        return Self.isBlank(line) ? nil : line
    }

    /// Whether there is only white space as JSON has it (RFC 8259, section 2).
    private static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
