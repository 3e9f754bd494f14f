extension RuleChecker where Self: ~Copyable {
    /// `min-length`: at least this many Unicode scalars.
    @inlinable
    public mutating func minLength(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        // A scalar has at most four bytes.
        guard let value, value.utf8.count < count * 4 else { return }
        checkMinLength(value, count, message: message, severity: severity)
    }

    /// `max-length`: at most this many Unicode scalars.
    @inlinable
    public mutating func maxLength(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        // A scalar has at least one byte.
        guard let value, value.utf8.count > count else { return }
        checkMaxLength(value, count, message: message, severity: severity)
    }

    @usableFromInline
    mutating func checkMinLength(
        _ value: String, _ count: Int, message: String?, severity: Severity
    ) {
        guard checksRules, TextSearch.scalars(of: value) < count else { return }
        brokenText(
            "min-length", expected: "at least \(Self.characters(count))", found: value,
            message: message, severity: severity)
    }

    @usableFromInline
    mutating func checkMaxLength(
        _ value: String, _ count: Int, message: String?, severity: Severity
    ) {
        guard checksRules, TextSearch.scalars(of: value) > count else { return }
        brokenText(
            "max-length", expected: "at most \(Self.characters(count))", found: value,
            message: message, severity: severity)
    }

    /// `length`: exactly this many Unicode scalars.
    public mutating func length(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, TextSearch.scalars(of: value) != count else { return }
        brokenText(
            "length", expected: Self.characters(count), found: value, message: message,
            severity: severity)
    }

    /// `min-bytes`: at least this many bytes of UTF-8.
    public mutating func minBytes(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let value, value.utf8.count < count else { return }
        brokenText(
            "min-bytes", expected: "at least \(count) bytes", found: value, message: message,
            severity: severity)
    }

    /// `max-bytes`: at most this many bytes of UTF-8.
    public mutating func maxBytes(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let value, value.utf8.count > count else { return }
        brokenText(
            "max-bytes", expected: "at most \(count) bytes", found: value, message: message,
            severity: severity)
    }

    /// `pattern`: the pattern matches somewhere in the text.
    public mutating func pattern(
        _ value: String?, _ pattern: Pattern, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, !pattern.matches(value) else { return }
        brokenText(
            "pattern", expected: "a match of \(pattern.source)", found: value, message: message,
            severity: severity)
    }

    /// `prefix`: begins with this text, compared by Unicode scalars.
    public mutating func prefix(
        _ value: String?, _ text: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, !TextSearch.starts(value, text) else { return }
        brokenText(
            "prefix", expected: "text that begins with \(Self.quoted(text))", found: value,
            message: message, severity: severity)
    }

    /// `suffix`: ends with this text, compared by Unicode scalars.
    public mutating func suffix(
        _ value: String?, _ text: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value else { return }
        if TextSearch.ends(value, text) { return }
        brokenText(
            "suffix", expected: "text that ends with \(Self.quoted(text))", found: value,
            message: message, severity: severity)
    }

    /// `contains`: contains this text, compared by Unicode scalars.
    public mutating func contains(
        _ value: String?, _ text: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, !TextSearch.contains(value, text) else { return }
        brokenText(
            "contains", expected: "text that contains \(Self.quoted(text))", found: value,
            message: message, severity: severity)
    }

    /// `excludes`: does not contain this text, compared by Unicode scalars.
    public mutating func excludes(
        _ value: String?, _ text: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, TextSearch.contains(value, text) else { return }
        brokenText(
            "excludes", expected: "text without \(Self.quoted(text))", found: value,
            message: message, severity: severity)
    }

    /// `format`: has a well-known format.
    public mutating func format(
        _ value: String?, _ format: StringFormat, message: String? = nil,
        severity: Severity = .error
    ) {
        guard checksRules, let value, !format.matches(value) else { return }
        brokenText(
            "format", expected: format.expectation, found: value, message: message,
            severity: severity)
    }

    /// `not-blank`: has a scalar that is not white space (Unicode property `White_Space`).
    public mutating func notBlank(
        _ value: String?, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value else { return }
        if value.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) { return }
        brokenText(
            "not-blank", expected: "text that is not blank", found: value, message: message,
            severity: severity)
    }

    private mutating func brokenText(
        _ rule: String, expected: String, found: String, message: String?,
        severity: Severity
    ) {
        broken(
            rule, expected: expected, found: Self.quoted(Violation.bounded(found)),
            message: message, severity: severity)
    }

    private static func characters(_ count: Int) -> String {
        count == 1 ? "1 character" : "\(count) characters"
    }

    private static func quoted(_ text: String) -> String {
        JSONValue.string(text).description
    }
}
