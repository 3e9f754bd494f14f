import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Rules about dates. The current time is that of ``RuntimeClock/current``.
extension RuleChecker where Self: ~Copyable {
    /// Requires a date in the past.
    public mutating func past(
        _ date: Date?, message: String? = nil, severity: Severity = .error
    ) {
        let now = RuntimeClock.current.now()
        check(
            date, rule: "past", expected: "a date before now", message: message, severity: severity
        ) { $0 < now }
    }

    /// Requires a date in the future.
    public mutating func future(
        _ date: Date?, message: String? = nil, severity: Severity = .error
    ) {
        let now = RuntimeClock.current.now()
        check(
            date, rule: "future", expected: "a date after now", message: message, severity: severity
        ) { $0 > now }
    }

    /// Requires a date later than `bound`.
    public mutating func after(
        _ date: Date?, _ bound: Date, message: String? = nil, severity: Severity = .error
    ) {
        check(
            date, rule: "after", expected: "a date after \(Self.text(bound))", message: message,
            severity: severity
        ) { $0 > bound }
    }

    /// Requires a date earlier than `bound`.
    public mutating func before(
        _ date: Date?, _ bound: Date, message: String? = nil, severity: Severity = .error
    ) {
        check(
            date, rule: "before", expected: "a date before \(Self.text(bound))", message: message,
            severity: severity
        ) { $0 < bound }
    }

    /// Requires a date at most `seconds` from now, in either direction.
    public mutating func within(
        _ date: Date?, seconds: Double, message: String? = nil, severity: Severity = .error
    ) {
        let now = RuntimeClock.current.now()
        let expected = "a date within \(Duration.seconds(seconds)) of now"
        check(date, rule: "within", expected: expected, message: message, severity: severity) {
            date in
            abs(date.timeIntervalSince(now)) <= seconds
        }
    }

    private static func text(_ date: Date) -> String {
        DateForm.dateTime.text(for: date) ?? "a date beyond the calendar"
    }

    private mutating func check(
        _ date: Date?, rule: String, expected: String, message: String?,
        severity: Severity, _ isGood: (Date) -> Bool
    ) {
        guard let date, !isGood(date) else { return }
        broken(
            rule, expected: expected, found: Self.text(date), message: message, severity: severity)
    }
}
