import TelexJSON

/// When a reply counts as success, and where its value is.
///
/// A key whose value is `null` counts as missing.
public struct ReplyRules: Sendable, Hashable {
    /// The statuses of success; 200…299 by default. A 206 that is a part of what was asked for as a whole
    /// is none, unless it is a bound of one of these.
    public var status: [ClosedRange<Int>]
    /// A key path that a successful reply does not have; empty for no such rule.
    public var absent: [String]
    /// A key path that a successful reply has; empty for no such rule.
    public var present: [String]
    /// Values that a successful reply has, each at its key path.
    public var conditions: [Condition]
    /// The key path of the value; empty for the whole reply.
    public var unwrap: [String]

    /// Any 2xx reply is a success by default, and its whole body the value.
    public init(
        status: [ClosedRange<Int>] = [200...299], absent: [String] = [], present: [String] = [],
        conditions: [Condition] = [], unwrap: [String] = []
    ) {
        self.status = status
        self.absent = absent
        self.present = present
        self.conditions = conditions
        self.unwrap = unwrap
    }

    /// The statuses whose replies have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5).
    static let bodiless: Set<Int> = [204, 205, 304]

    /// Whether the status is one of success.
    func allows(status code: Int) -> Bool {
        status.contains { $0.contains(code) }
    }

    /// Whether the status is said to be one of success by its own number.
    func names(status code: Int) -> Bool {
        status.contains { $0.lowerBound == code || $0.upperBound == code }
    }

    /// Whether there is a rule about keys.
    var askForKeys: Bool { !absent.isEmpty || !present.isEmpty || !conditions.isEmpty }

    /// Whether a body that holds nothing but its value obeys the rules about keys, whatever the value.
    var allowValueAlone: Bool {
        present.isEmpty && conditions.isEmpty && !unwrap.isEmpty && absent.first != unwrap.first
    }

    /// Why the body does not count as success; nil if it does.
    func violation(in body: [UInt8], limits: JSONLimits) -> Violation? {
        if !absent.isEmpty, Self.has(absent, body, limits) {
            return Violation(
                path: absent.joined(separator: "."), check: .keys, rule: "absent",
                expected: "no such key in a successful reply", found: "the key")
        }
        if !present.isEmpty, !Self.has(present, body, limits) {
            return Violation(
                path: present.joined(separator: "."), check: .keys, rule: "present",
                expected: "the key in a successful reply", found: "nothing")
        }
        for condition in conditions {
            if let violation = condition.violation(in: body, limits: limits) { return violation }
        }
        return nil
    }

    private static func has(_ path: [String], _ body: [UInt8], _ limits: JSONLimits) -> Bool {
        guard let found = JSONReader.bytes(at: path, in: body, limits: limits) else { return false }
        return !found.elementsEqual("null".utf8)
    }
}

/// Where an API says what went wrong.
public struct ErrorRules: Sendable, Hashable {
    /// The key path of the error object; empty for the whole body.
    public var at: [String]
    /// The key path of its code, inside the error object; empty if there is none.
    public var code: [String]
    /// The key path of its message, inside the error object; empty if there is none.
    public var message: [String]
    /// Codes after which the same call may succeed later.
    public var retryable: [String]
    /// The key path of the time to wait before the next attempt, inside the error object: a number,
    /// or text that is one. Empty if there is none; then only `Retry-After` tells it, as it does if the
    /// number is 0.
    public var retryAfter: [String]
    /// What that time is counted in.
    public var timeUnit: TimeUnit

    /// What a time in a reply is counted in.
    public enum TimeUnit: Sendable, Hashable {
        /// Seconds, parts of them included.
        case seconds
        /// Thousandths of a second.
        case milliseconds
    }

    /// By default nothing is known about errors but their status.
    public init(
        at: [String] = [], code: [String] = [], message: [String] = [], retryable: [String] = [],
        retryAfter: [String] = [], timeUnit: TimeUnit = .seconds
    ) {
        self.at = at
        self.code = code
        self.message = message
        self.retryable = retryable
        self.retryAfter = retryAfter
        self.timeUnit = timeUnit
    }

    /// The code in a body, as text; nil if there is none. A whole number is the same however it is
    /// written.
    func code(in body: [UInt8], limits: JSONLimits) -> String? {
        guard !code.isEmpty,
            let value = JSONReader.value(at: at + code, in: body, limits: limits)
        else { return nil }
        return value.codeText
    }

    /// The message in a body; nil if there is none.
    func message(in body: [UInt8], limits: JSONLimits) -> String? {
        message.isEmpty ? nil : text(at + message, body, limits)
    }

    /// Whether the body may say how long to wait.
    var knowsWait: Bool { !retryAfter.isEmpty }

    /// How long the body asks to wait, between nothing and a day; nil if it does not say.
    func retryAfter(in body: [UInt8], limits: JSONLimits) -> Duration? {
        guard knowsWait, let text = text(at + retryAfter, body, limits),
            let time = Double(text), time >= 0, time.isFinite
        else { return nil }
        return RetryAfter.bounded(timeUnit == .seconds ? time : time / 1000)
    }

    private func text(_ path: [String], _ body: [UInt8], _ limits: JSONLimits) -> String? {
        guard let value = JSONReader.value(at: path, in: body, limits: limits) else { return nil }
        return value.asString ?? value.numberText
    }
}
