/// A type that checks the rules of values: a reader, a writer, or the builder of a request.
///
/// Every rule is a method of this protocol. Rules accept optionals, and nil passes, because missing
/// keys are checked separately. A rule applies to the value that was read or written last.
/// `message` is the spec author's text for a violation; `severity` is its severity.
public protocol RuleChecker: ~Copyable {
    /// Whether rules are checked.
    var checksRules: Bool { get }
    /// The path of the value that was read or written last.
    var rulePath: String { get }
    /// Whether that value must not appear in violations.
    var ruleIsSensitive: Bool { get }
    /// Keeps a violation.
    mutating func report(_ violation: Violation)
}

extension RuleChecker where Self: ~Copyable {
    /// True: rules are checked.
    public var checksRules: Bool { true }

    /// Reports a violation of a rule, also for custom rules. Does nothing if rules are not checked.
    ///
    /// - Parameter found: the value, redacted if it is sensitive.
    public mutating func broken(
        _ rule: String, expected: String, found: String, message: String?, severity: Severity
    ) {
        guard checksRules else { return }
        report(
            Violation(
                path: rulePath, rule: rule, expected: expected,
                found: ruleIsSensitive ? Violation.redacted : found, message: message,
                severity: severity))
    }
}

extension JSONReader: RuleChecker {
    /// Whether rules are checked; see ``JSONChecks/rules``.
    public var checksRules: Bool { checks.contains(.rules) }

    /// The path of the value read last.
    public var rulePath: String { path }

    /// Whether the value read last is sensitive.
    public var ruleIsSensitive: Bool { isSensitive }

    /// Keeps a violation, unless its check is off or the limit is reached.
    public mutating func report(_ violation: Violation) {
        keep(violation)
    }
}

extension JSONWriter: RuleChecker {
    /// The path of the member written last.
    public var rulePath: String { path }

    /// Whether the member written last is sensitive.
    public var ruleIsSensitive: Bool { isSensitive }

    /// Keeps a violation.
    public mutating func report(_ violation: Violation) {
        violations.append(violation)
    }
}
