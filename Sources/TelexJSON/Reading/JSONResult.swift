/// The result of reading a document.
///
/// There may be both a value and violations: an optional field of the wrong type is omitted, and a
/// value that violates a rule is kept. Without a value, there is a violation or a syntax error.
public struct JSONResult<Value> {
    /// The value, if every required part of it could be read.
    public var value: Value?
    /// The violations and the syntax error.
    public var report: ValidationReport
    /// Whether the unwrapped envelopes had no other keys.
    @usableFromInline package var isOnlyMember: Bool

    /// Creates a result.
    public init(value: Value?, report: ValidationReport) {
        self.init(value: value, report: report, isOnlyMember: false)
    }

    @usableFromInline
    init(value: consuming Value?, report: consuming ValidationReport, isOnlyMember: Bool) {
        self.value = value
        self.report = report
        self.isOnlyMember = isOnlyMember
    }

    /// The violations, in the order of the document.
    public var violations: [Violation] { report.violations }
    /// The syntax error, if the document is not JSON.
    public var syntaxError: JSONSyntaxError? { report.syntaxError }
}

extension JSONResult: Sendable where Value: Sendable {}
