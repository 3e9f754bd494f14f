extension RuleChecker where Self: ~Copyable {
    /// `rule`: the app accepts the value. Nothing is checked if ``appChecks`` are not these.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - rule: The name of the rule in the spec.
    ///   - message: The author's own message.
    ///   - severity: The severity.
    ///   - checks: The protocol of the app's checks.
    ///   - holds: Asks the app.
    public mutating func own<Checks, T>(
        _ value: T?, _ rule: String, message: String? = nil, severity: Severity = .error,
        by checks: Checks.Type, _ holds: (Checks, T) -> Bool
    ) {
        guard checksRules, let value, let app = appChecks as? Checks, !holds(app, value) else {
            return
        }
        broken(
            rule, expected: "a value that the app accepts",
            found: Self.shown(value) ?? "another value",
            message: message, severity: severity)
    }
}
