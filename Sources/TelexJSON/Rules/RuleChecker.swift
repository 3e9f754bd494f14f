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
    /// The app's own checks; nil outside of a call to whose manager they were given.
    var appChecks: (any Sendable)? { get }
    /// The path of a field of the object that was read or written last.
    ///
    /// - Parameter keys: The keys that lead from the object to the field.
    func rulePath(of keys: [String]) -> String
    /// Keeps a violation.
    mutating func report(_ violation: Violation)
}

extension RuleChecker where Self: ~Copyable {
    /// True: rules are checked.
    public var checksRules: Bool { true }

    /// None.
    public var appChecks: (any Sendable)? { nil }

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

extension RuleChecker where Self: ~Copyable {
    /// The path of a field below that of the object.
    public func rulePath(of keys: [String]) -> String {
        var path = JSONPath(rulePath)
        for key in keys { path.append(key: key) }
        return path.description
    }

    /// Reports a violation of a rule between fields, for generated code. Does nothing if rules are
    /// not checked.
    ///
    /// - Parameters:
    ///   - rule: The name of the rule.
    ///   - keys: The keys that lead from the object to the field where the violation is reported.
    ///   - expected: The condition in words.
    ///   - values: The fields that the rule is about, with their values; nil if absent. Only texts,
    ///     numbers, dates and Booleans are shown.
    ///   - message: The author's own message.
    ///   - severity: The severity.
    public mutating func broken(
        _ rule: String, at keys: [String], expected: String,
        found values: KeyValuePairs<String, Any?>, message: String? = nil,
        severity: Severity = .error
    ) {
        broken(
            rule, at: keys, expected: expected, found: values.map { ($0, $1) }, message: message,
            severity: severity)
    }

    /// Reports a violation of a rule between fields. Does nothing if rules are not checked.
    package mutating func broken(
        _ rule: String, at keys: [String], expected: String, found values: [(String, Any?)],
        message: String?, severity: Severity
    ) {
        guard checksRules else { return }
        let found = values.compactMap { name, value in
            value.map { "`\(name)`" + (Self.shown($0).map { " " + $0 } ?? "") }
        }
        report(
            Violation(
                path: rulePath(of: keys), rule: rule, expected: expected,
                found: ruleIsSensitive
                    ? Violation.redacted : found.isEmpty ? "none" : found.joined(separator: ", "),
                message: message, severity: severity))
    }

    /// A text, a number, a date or a Boolean; nil for other values, whose parts may be secrets.
    static func shown(_ value: Any) -> String? {
        switch value {
        case let value as any OpenEnum: Violation.bounded(value.jsonKey)
        case let text as String: text == Violation.redacted ? text : Violation.quoted(text)
        case is Bool, is any Comparable: Violation.bounded(String(describing: value))
        default: nil
        }
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
