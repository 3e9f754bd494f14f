import TelexInspection
import TelexJSON
import TelexRequests

/// The place of a value in the replies of a method, for generated code (`extract`).
public struct ReplyPlace: Sendable {
    let path: [JSONStep]
    let method: String
    /// The method's own rules; nil for the API's.
    let rules: ReplyRules?
    let errors: ErrorRules?
    let isSensitive: Bool
    /// Whether the bytes are a part of a reply, in which neither success nor failure is declared.
    private(set) var isPart = false

    /// Creates a place in whole replies.
    ///
    /// - Parameters:
    ///   - path: The steps from the value of a reply, which `unwrap` of the rules leads to.
    ///   - method: The API's own name of the method.
    ///   - rules: The method's own success rules; nil for the API's.
    ///   - errors: The method's own error format; nil for the API's.
    ///   - sensitive: Whether errors hide the values that they found.
    public init(
        _ path: [JSONStep], of method: String, rules: ReplyRules? = nil, errors: ErrorRules? = nil,
        sensitive: Bool = false
    ) {
        self.path = path
        self.method = method
        self.rules = rules
        self.errors = errors
        isSensitive = sensitive
    }

    /// Creates a place in a part of a reply.
    ///
    /// - Parameters:
    ///   - path: The steps from the part.
    ///   - method: The API's own name of the method.
    ///   - sensitive: Whether errors hide the values that they found.
    public init(_ path: [JSONStep], ofPartOf method: String, sensitive: Bool = false) {
        self.init(path, of: method, sensitive: sensitive)
        isPart = true
    }
}

/// Reads single values out of replies, without building anything else. Each function throws an
/// `APIError` as a call with this reply would: for an error of the API, a reply that is not JSON,
/// and a value that is missing or of another type. Then `violations` names the step that failed,
/// what it expected and what it found.
extension APIDescription {
    /// Reads a value that must be there.
    public static func extract<Value>(
        _ place: ReplyPlace, from reply: [UInt8], _ read: (inout JSONReader) -> Value?
    ) throws(APIError) -> Value {
        guard let value = try values(at: place, of: reply, mayMiss: false, read).first else {
            throw failure(in: .map, reason: .unexpectedReply, at: place, of: reply)
        }
        return value
    }

    /// Reads a value; nil if it, or what leads to it, is missing or null.
    public static func extractIfPresent<Value>(
        _ place: ReplyPlace, from reply: [UInt8], _ read: (inout JSONReader) -> Value?
    ) throws(APIError) -> Value? {
        try values(at: place, of: reply, mayMiss: true, read).first
    }

    /// Reads the value of each element that has one. With `mayMiss`, the list itself may be
    /// missing.
    public static func extractAll<Value>(
        _ place: ReplyPlace, from reply: [UInt8], mayMiss: Bool = false,
        _ read: (inout JSONReader) -> Value?
    ) throws(APIError) -> [Value] {
        try values(at: place, of: reply, mayMiss: mayMiss, read)
    }

    private static func values<Value>(
        at place: ReplyPlace, of reply: [UInt8], mayMiss: Bool,
        _ read: (inout JSONReader) -> Value?
    ) throws(APIError) -> [Value] {
        let (rules, limits) = (place.rules ?? definition.reply, definition.limits.json)
        let envelope = place.isPart ? [] : rules.unwrap
        let result = JSONReader.values(
            reply, in: envelope, at: place.path, mayMiss: mayMiss, limits: limits, read)
        try check(result.report, rules, place, reply)
        return result.value ?? []
    }

    /// Throws the error of a reply, if there is one.
    private static func check(
        _ report: ValidationReport, _ rules: ReplyRules, _ place: ReplyPlace, _ reply: [UInt8]
    ) throws(APIError) {
        if reply.isEmpty { throw failure(in: .map, reason: .emptyReply, at: place, of: reply) }
        if let error = report.syntaxError {
            throw failure(in: .map, reason: .malformedReply(error), at: place, of: reply)
        }
        if !place.isPart, let violation = rules.violation(in: reply, limits: definition.limits.json)
        {
            throw refusal(violation, at: place, of: reply)
        }
        guard !report.isValid else { return }
        throw failure(
            in: .map, reason: .unexpectedReply, violations: report.violations, at: place, of: reply)
    }

    private static func refusal(
        _ violation: Violation, at place: ReplyPlace, of reply: [UInt8]
    ) -> APIError {
        let (errors, limits) = (place.errors ?? definition.errors, definition.limits.json)
        var error = failure(
            in: .status, reason: .refused, violations: [violation], at: place, of: reply)
        error.code = errors.code(in: reply, limits: limits)
        error.message = errors.message(in: reply, limits: limits)
        error.contents.errorBodies = errors.objects(in: reply, limits: limits)
        // Without secrets to hide, this bounds the texts of the server.
        error.redact(Redactor())
        return error
    }

    private static func failure(
        in phase: APIError.Phase, reason: APIError.Reason, violations: [Violation] = [],
        at place: ReplyPlace, of reply: [UInt8]
    ) -> APIError {
        let shown = violations.map { violation in
            var violation = violation
            if place.isSensitive { violation.found = Violation.redacted }
            return violation
        }
        var error = APIError(
            method: place.method, phase: phase, reason: reason, violations: shown)
        error.api = definition.name
        error.body = Array(reply.prefix(65_536))
        return error
    }
}
