/// What reading a document gave.
///
/// A value and violations may both be there: an optional field that has the wrong type is left out,
/// and a value that breaks a rule is kept. Without a value there is a violation or a syntax error.
public struct JSONResult<Value> {
    /// The value, if every required part of it could be read.
    public var value: Value?
    /// What was checked and found.
    public var report: ValidationReport
    /// Whether the objects that the value was unwrapped from held nothing else.
    @usableFromInline package var isAlone = false

    /// Creates a result.
    public init(value: Value?, report: ValidationReport) {
        self.value = value
        self.report = report
    }

    /// The violations, in the order of the document.
    public var violations: [Violation] { report.violations }
    /// Why the document is not JSON, if it is not.
    public var syntaxError: JSONSyntaxError? { report.syntaxError }
}

extension JSONResult: Sendable where Value: Sendable {}
