/// How serious a violation is.
public enum Severity: Sendable, Hashable {
    /// The value must not be used.
    case error
    /// The value may be used; somebody should look.
    case warning
}

/// Something in a document or request that is not as its description says.
public struct Violation: Error, Sendable, Hashable {
    /// Which check found it.
    public enum Check: String, Sendable, Hashable {
        /// Keys of the top object.
        case keys
        /// Keys of nested objects.
        case nestedKeys = "nested-keys"
        /// Types of values.
        case types
        /// Extended rules.
        case rules
    }

    /// Where: `response.items[3].age`; keys that are no identifiers as `["odd key"]`; the whole
    /// document as `$`.
    public var path: String
    /// Which check found it.
    public var check: Check
    /// The name of the rule as in a spec: `required`, `type`, `min`, `max-length`…
    public var rule: String
    /// What the description demands, in words.
    public var expected: String
    /// What was there, at most 80 Unicode scalars; `‹redacted›` if the value is sensitive.
    public var found: String
    /// The author's own message, if the rule carries one.
    public var message: String?
    /// How serious it is.
    public var severity: Severity

    /// Creates a violation; `found` is cut after 80 Unicode scalars.
    public init(
        path: String, check: Check = .rules, rule: String, expected: String, found: String,
        message: String? = nil, severity: Severity = .error
    ) {
        self.path = path
        self.check = check
        self.rule = rule
        self.expected = expected
        self.found = Self.bounded(found)
        self.message = message
        self.severity = severity
    }

    /// What stands for a sensitive value.
    public static let redacted = "‹redacted›"

    /// A text that somebody else chose, between quotes: bounded, in one line, with escapes for what is
    /// not seen.
    package static func quoted(_ text: String) -> String {
        JSONValue.string(bounded(text)).description
    }

    /// The first 80 Unicode scalars of a text, with an ellipsis in place of the rest.
    public static func bounded(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard
            text.utf8.count > 80,
            let cut = scalars.index(scalars.startIndex, offsetBy: 79, limitedBy: scalars.endIndex),
            scalars.index(cut, offsetBy: 1, limitedBy: scalars.endIndex) != nil,
            scalars.index(after: cut) != scalars.endIndex
        else { return text }
        return String(scalars[..<cut]) + "…"
    }
}

extension Violation: CustomStringConvertible {
    /// One line: ``response.items[3].age: expected at least 18, found 17 [min]``.
    public var description: String {
        let text = message.map { "\($0) (expected \(expected), found \(found))" }
        return "\(path): \(text ?? "expected \(expected), found \(found)") [\(rule)]"
    }
}

/// The outcome of a check: every violation, in the order of the document.
public struct ValidationReport: Error, Sendable, Hashable {
    /// The violations that were kept.
    public var violations: [Violation]
    /// How many further violations there were beyond ``JSONLimits/violations``.
    public var omitted: Int
    /// Why the document is not JSON, if it is not; checking stopped there.
    public var syntaxError: JSONSyntaxError?
    /// The keys of the models that were read whose values nobody may see.
    package var sensitiveKeys: Set<String> = []

    /// Creates a report.
    public init(
        violations: [Violation] = [], omitted: Int = 0, syntaxError: JSONSyntaxError? = nil
    ) {
        self.violations = violations
        self.omitted = omitted
        self.syntaxError = syntaxError
    }

    /// Whether the document is JSON and has no violation but warnings.
    public var isValid: Bool {
        syntaxError == nil && omitted == 0 && violations.allSatisfy { $0.severity == .warning }
    }
}

extension ValidationReport: CustomStringConvertible {
    /// One line for each violation, or `valid`.
    public var description: String {
        var lines = violations.map(\.description)
        if omitted > 0 { lines.append("and \(omitted) more") }
        if let syntaxError { lines.append(syntaxError.description) }
        return lines.isEmpty ? "valid" : lines.joined(separator: "\n")
    }
}
