import TelexJSON

/// Writes each reported violation as a line of JSON, which `telex drift` reads.
///
/// ```swift
/// let manager = APIManager(…) { $0.drift = DriftLog { file.append($0) } }
/// ```
public struct DriftLog: DriftListener {
    private let write: @Sendable (String) -> Void

    /// Creates a listener.
    ///
    /// - Parameter write: Gets one line, which ends in a line feed and has no sensitive value. It is
    ///   called on the tasks of calls, also at the same time.
    public init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Writes the violations of a reply.
    public func replyDrifted(of method: String, violations: [Violation]) {
        for violation in violations { write(Self.line(of: violation, in: method)) }
    }

    private static func line(of violation: Violation, in method: String) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.field("method", method)
        json.field("path", violation.path)
        json.field("rule", violation.rule)
        json.field("expected", violation.expected)
        json.field("found", violation.found)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}
