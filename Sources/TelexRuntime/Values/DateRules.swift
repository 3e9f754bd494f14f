import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Rules about dates. What time it is, ``RuntimeClock/current`` says.
extension RuleChecker where Self: ~Copyable {
    /// The date has to be over.
    public mutating func past(
        _ date: Date?, message: String? = nil, severity: Severity = .error
    ) {
        let now = RuntimeClock.current.now()
        check(date, "past", "a date before now", message, severity) { $0 < now }
    }

    /// The date has to be still to come.
    public mutating func future(
        _ date: Date?, message: String? = nil, severity: Severity = .error
    ) {
        let now = RuntimeClock.current.now()
        check(date, "future", "a date after now", message, severity) { $0 > now }
    }

    /// The date has to be later than this text, a date or a date and time as of RFC 3339.
    public mutating func after(
        _ date: Date?, _ bound: String, message: String? = nil, severity: Severity = .error
    ) {
        let limit = Self.bound(bound)
        check(date, "after", "a date after \(bound)", message, severity) { date in
            limit.map { date > $0 } ?? false
        }
    }

    /// The date has to be earlier than this text, a date or a date and time as of RFC 3339.
    public mutating func before(
        _ date: Date?, _ bound: String, message: String? = nil, severity: Severity = .error
    ) {
        let limit = Self.bound(bound)
        check(date, "before", "a date before \(bound)", message, severity) { date in
            limit.map { date < $0 } ?? false
        }
    }

    /// The date may be at most so far from now, in either direction.
    public mutating func within(
        _ date: Date?, _ distance: Duration, message: String? = nil, severity: Severity = .error
    ) {
        let now = RuntimeClock.current.now()
        let expected = "a date within \(distance) of now"
        check(date, "within", expected, message, severity) { date in
            abs(date.timeIntervalSince(now)) <= distance / .seconds(1)
        }
    }

    private static func bound(_ text: String) -> Date? {
        DateForm.date.date(from: text) ?? DateForm.dateTime.date(from: text)
    }

    private mutating func check(
        _ date: Date?, _ rule: String, _ expected: String, _ message: String?,
        _ severity: Severity, _ isGood: (Date) -> Bool
    ) {
        guard let date, !isGood(date) else { return }
        let found = DateForm.dateTime.text(for: date) ?? "a date beyond the calendar"
        broken(rule, expected: expected, found: found, message: message, severity: severity)
    }
}
