/// The severity of a violation.
public enum Severity: Sendable, Hashable {
    /// The value must not be used.
    case error
    /// The value may be used, but should be checked.
    case warning
}

/// A deviation of a document or request from its description in the spec.
public struct Violation: Error, Sendable, Hashable {
    /// The kind of check.
    public enum Check: String, Sendable, Hashable {
        /// Keys of the top-level object.
        case keys
        /// Keys of nested objects.
        case nestedKeys = "nested-keys"
        /// Types of values.
        case types
        /// Extended rules.
        case rules
    }

    /// The path: `response.items[3].age`. Keys that are not identifiers appear as `["odd key"]`,
    /// the whole document as `$`.
    public var path: String
    /// The check that found the violation.
    public var check: Check
    /// The name of the rule in the spec: `required`, `type`, `min`, `max-length`…
    public var rule: String
    /// The expectation, in words.
    public var expected: String
    /// The value found, at most 80 Unicode scalars; `‹redacted›` if the value is sensitive.
    public var found: String
    /// The spec author's message, if the rule has one.
    public var message: String?
    /// The severity.
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

    /// The violation of a document that is a text of another one.
    ///
    /// - Parameters:
    ///   - outer: The path of the text.
    ///   - isSensitive: Whether the text is sensitive.
    func moved(into outer: String, isSensitive: Bool) -> Violation {
        var violation = self
        violation.path = JSONPath.joined(outer, path)
        if check == .keys { violation.check = .nestedKeys }
        if isSensitive { violation.found = Self.redacted }
        return violation
    }

    /// The replacement for a sensitive value.
    public static let redacted = "‹redacted›"

    /// A text from an external source, in quotes: shortened, in one line, with escapes for
    /// invisible characters.
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
    /// The number of further violations beyond ``JSONLimits/violations``.
    public var omitted: Int
    /// The number of those whose severity is `error`.
    var omittedErrors: Int
    /// What was left out because the spec allows it (`invalid: skip`, `invalid: empty`). It does not
    /// make the document invalid.
    public var skipped = SkippedValues()
    /// The syntax error, if the document is not JSON; checking stopped there.
    public var syntaxError: JSONSyntaxError?
    /// The keys of the read models whose values are sensitive.
    package var sensitiveKeys: Set<String> = []

    /// Creates a report.
    public init(
        violations: [Violation] = [], omitted: Int = 0, syntaxError: JSONSyntaxError? = nil
    ) {
        self.violations = violations
        self.omitted = omitted
        omittedErrors = omitted
        self.syntaxError = syntaxError
    }

    /// Whether the document is JSON and has only violations of severity `warning`, if any.
    public var isValid: Bool {
        syntaxError == nil && omittedErrors == 0
            && violations.allSatisfy { $0.severity == .warning }
    }
}

extension ValidationReport: CustomStringConvertible {
    /// One line for each violation, or `valid`.
    public var description: String {
        var lines = violations.map(\.description)
        if omitted > 0 { lines.append("and \(omitted) more") }
        lines += skipped.violations.map { "left out: \($0)" }
        if let syntaxError { lines.append(syntaxError.description) }
        return lines.isEmpty ? "valid" : lines.joined(separator: "\n")
    }
}
