import TelexJSON

/// A violation that an app has reported: a line of JSON with `method`, `path`, `rule`, `expected` and
/// `found`.
public struct ReportedViolation: Sendable {
    /// The API's name of the method.
    public let method: String
    /// The violation.
    public let violation: Violation

    /// A line of a file.
    public struct Line {
        /// Its number, from 1.
        public let number: Int
        /// What it says, or why it cannot be read.
        public let content: Result<ReportedViolation, Recording.Problem>
    }

    /// The violations in a file; empty lines do not count.
    public static func lines(of bytes: [UInt8]) -> [Line] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap {
            number, line in
            guard line.contains(where: { $0 > 0x20 }) else { return nil }
            return Line(number: number + 1, content: read(Array(line)))
        }
    }

    private static func read(_ line: [UInt8]) -> Result<ReportedViolation, Recording.Problem> {
        guard let value = JSONReader.value(at: [], in: line), let method = value["method"]?.asString,
            let path = value["path"]?.asString, let rule = value["rule"]?.asString
        else {
            return .failure(
                Recording.Problem(
                    message: "the line is no violation",
                    help: "a line is `{\"method\": …, \"path\": …, \"rule\": …, \"expected\": …, "
                        + "\"found\": …}`"))
        }
        let violation = Violation(
            path: path, rule: rule, expected: value["expected"]?.asString ?? "something else",
            found: value["found"]?.asString ?? "another value")
        return .success(ReportedViolation(method: method, violation: violation))
    }
}
