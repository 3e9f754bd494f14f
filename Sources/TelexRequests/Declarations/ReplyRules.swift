import TelexJSON
import TelexTransport
import TelexValues

/// When a reply counts as success, and where it contains the value.
///
/// A key whose value is `null` counts as missing.
public struct ReplyRules: Sendable, Hashable {
    /// The success statuses; 200…299 by default. A 206 that the call did not request is not a
    /// success, unless 206 is a bound of one of these ranges.
    public var status: [ClosedRange<Int>]
    /// A key path that must be missing in a successful reply; empty for no such rule.
    public var absent: [String]
    /// A key path that a successful reply must have; empty for no such rule.
    public var present: [String]
    /// Conditions on values in a successful reply.
    public var conditions: [Condition]
    /// The path of the value; empty for the whole reply.
    public var unwrap: [JSONStep]
    /// The media types of a successful reply with a body, which `Accept` asks for; empty for any.
    /// `image/*` stands for all types of images.
    public var accepts: [String]

    /// By default, any 2xx reply is a success and its whole body is the value.
    public init(
        status: [ClosedRange<Int>] = [200...299], absent: [String] = [], present: [String] = [],
        conditions: [Condition] = [], unwrap: [JSONStep] = [], accepts: [String] = []
    ) {
        self.status = status
        self.absent = absent
        self.present = present
        self.conditions = conditions
        self.unwrap = unwrap
        self.accepts = accepts
    }

    /// The statuses whose replies have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5).
    package static let statusesWithoutBody: Set<Int> = [204, 205, 304]

    /// Whether the status is a success.
    package func allows(status code: Int) -> Bool {
        status.contains { $0.contains(code) }
    }

    /// Whether the status is a bound of a success range, so that the rules name it explicitly.
    package func names(status code: Int) -> Bool {
        status.contains { $0.lowerBound == code || $0.upperBound == code }
    }

    /// Whether any rule about keys exists.
    package var hasKeyRules: Bool { !absent.isEmpty || !present.isEmpty || !conditions.isEmpty }

    /// Whether a successful reply has a certain key. The statuses without a body are exempt.
    package var requiresKeys: Bool { !present.isEmpty || !conditions.isEmpty }

    /// Whether a body with no members other than the value satisfies the key rules, whatever the
    /// value.
    package var allowsBareValue: Bool {
        !requiresKeys && !unwrap.isEmpty
            && absent.first.map(JSONStep.key) != unwrap.first
    }

    /// Returns the violated key rule; nil if the body counts as success.
    package func violation(in body: [UInt8], limits: JSONLimits, callID: String? = nil)
        -> Violation?
    {
        if !absent.isEmpty, Self.has(absent, in: body, limits: limits) {
            return Violation(
                path: absent.joined(separator: "."), check: .keys, rule: "absent",
                expected: "no such key in a successful reply", found: "the key")
        }
        if !present.isEmpty, !Self.has(present, in: body, limits: limits) {
            return Violation(
                path: present.joined(separator: "."), check: .keys, rule: "present",
                expected: "the key in a successful reply", found: "nothing")
        }
        for condition in conditions {
            let violation = condition.violation(in: body, limits: limits, callID: callID)
            if let violation { return violation }
        }
        return nil
    }

    private static func has(_ path: [String], in body: [UInt8], limits: JSONLimits) -> Bool {
        guard let found = JSONReader.bytes(at: path, in: body, limits: limits) else { return false }
        return !found.elementsEqual("null".utf8)
    }
}

/// Where a reply contains the details of an error.
public struct ErrorRules: Sendable, Hashable {
    /// The path of the error object, or of several; empty for the whole body.
    public var at: [JSONStep]
    /// The key path of its code, inside the error object; empty if there is none.
    public var code: [String]
    /// The key path of its message, inside the error object; empty if there is none.
    public var message: [String]
    /// The key paths that are tried in order where that one leads to no text.
    public var furtherMessages: [[String]]
    /// The statuses that have a name. If a body has no code, such a status is the code.
    public var statuses: [Int]
    /// The codes after which the same call may succeed later.
    public var retryable: [String]
    /// The key path of the time to wait before the next attempt, inside the error object: a number
    /// or a string that is one. Empty if there is none. `Retry-After` is used if the path is empty
    /// or the number is 0.
    public var retryAfter: [String]
    /// The unit of that time.
    public var timeUnit: TimeUnit

    /// The unit of a time in a reply.
    public enum TimeUnit: Sendable, Hashable {
        /// Seconds, with fractions.
        case seconds
        /// Milliseconds.
        case milliseconds
    }

    /// By default, only the status of an error is known.
    public init(
        at: [JSONStep] = [], code: [String] = [], message: [String] = [],
        furtherMessages: [[String]] = [], statuses: [Int] = [],
        retryable: [String] = [], retryAfter: [String] = [], timeUnit: TimeUnit = .seconds
    ) {
        self.at = at
        self.code = code
        self.message = message
        self.furtherMessages = furtherMessages
        self.statuses = statuses
        self.retryable = retryable
        self.retryAfter = retryAfter
        self.timeUnit = timeUnit
    }

    /// The path of the code, up to the first list.
    package var codePath: [String] {
        let keys = at.prefix { $0.key != nil }.compactMap(\.key)
        return keys.count == at.count ? keys + code : keys
    }

    /// The first key of that path; nil if there is none. Every reply asks for it.
    package var firstKey: String? { at.isEmpty ? code.first : at[0].key }

    /// Returns the error objects of a body; empty if there are none.
    package func objects(in body: [UInt8], limits: JSONLimits) -> [[UInt8]] {
        JSONReader.bytes(atEach: at, in: body, limits: limits).map(Array.init)
    }

    /// Returns the first error object of a body; nil if there is none.
    package func object(in body: [UInt8], limits: JSONLimits) -> [UInt8]? {
        if at.isEmpty { return body }
        return JSONReader.bytes(atEach: at, in: body, limits: limits, upTo: 1).first.map(Array.init)
    }

    /// Returns the code in a body as text; nil if there is none. A whole number is normalised to
    /// digits.
    package func code(in body: [UInt8], limits: JSONLimits) -> String? {
        code.isEmpty ? nil : value(at: code, in: body, limits: limits)?.codeText
    }

    /// Returns the message in a body, and of a list all texts; nil if there is none.
    package func message(in body: [UInt8], limits: JSONLimits) -> String? {
        ([message] + furtherMessages).lazy.filter { !$0.isEmpty }
            .compactMap { value(at: $0, in: body, limits: limits)?.messageText }.first
    }

    /// Whether a body can contain a wait time.
    package var declaresWait: Bool { !retryAfter.isEmpty }

    /// Returns the wait time in a body, at most one day; nil if there is none.
    package func retryAfter(in body: [UInt8], limits: JSONLimits) -> Duration? {
        guard declaresWait, let text = text(at: retryAfter, in: body, limits: limits),
            NumberText(text) != nil, let time = Double(text), time >= 0, time.isFinite
        else { return nil }
        return RetryAfter.bounded(timeUnit == .seconds ? time : time / 1000)
    }

    private func text(at path: [String], in body: [UInt8], limits: JSONLimits) -> String? {
        guard let value = value(at: path, in: body, limits: limits) else { return nil }
        return value.asString ?? value.numberText
    }

    private func value(at path: [String], in body: [UInt8], limits: JSONLimits) -> JSONValue? {
        let keys = at.compactMap(\.key)
        if keys.count == at.count {
            return JSONReader.value(at: keys + path, in: body, limits: limits)
        }
        return object(in: body, limits: limits).flatMap {
            JSONReader.value(at: path, in: $0, limits: limits)
        }
    }
}

extension JSONValue {
    /// The text or number, or all of a list; nil for another value and for an empty text.
    fileprivate var messageText: String? {
        let texts = (asArray ?? [self]).compactMap { $0.asString ?? $0.numberText }
        let text = texts.filter { !$0.isEmpty }.joined(separator: "; ")
        return text.isEmpty ? nil : text
    }
}

extension JSONStep {
    /// The key; nil for a step into a list.
    package var key: String? { if case .key(let key) = self { key } else { nil } }
}
