extension RuleChecker where Self: ~Copyable {
    /// `min-length`: at least this many Unicode scalars.
    @inlinable
    public mutating func minLength(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        // A scalar has at most four bytes.
        guard let value, value.utf8.count < count * 4 else { return }
        checkMinLength(value, count, message, severity)
    }

    /// `max-length`: at most this many Unicode scalars.
    @inlinable
    public mutating func maxLength(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        // A scalar has at least one byte.
        guard let value, value.utf8.count > count else { return }
        checkMaxLength(value, count, message, severity)
    }

    @usableFromInline
    mutating func checkMinLength(
        _ value: String, _ count: Int, _ message: String?, _ severity: Severity
    ) {
        guard checksRules, TextSearch.scalars(of: value) < count else { return }
        broken("min-length", "at least \(Self.characters(count))", value, message, severity)
    }

    @usableFromInline
    mutating func checkMaxLength(
        _ value: String, _ count: Int, _ message: String?, _ severity: Severity
    ) {
        guard checksRules, TextSearch.scalars(of: value) > count else { return }
        broken("max-length", "at most \(Self.characters(count))", value, message, severity)
    }

    /// `length`: exactly this many Unicode scalars.
    public mutating func length(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, TextSearch.scalars(of: value) != count else { return }
        broken("length", Self.characters(count), value, message, severity)
    }

    /// `min-bytes`: at least this many bytes of UTF-8.
    public mutating func minBytes(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let value, value.utf8.count < count else { return }
        broken("min-bytes", "at least \(count) bytes", value, message, severity)
    }

    /// `max-bytes`: at most this many bytes of UTF-8.
    public mutating func maxBytes(
        _ value: String?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let value, value.utf8.count > count else { return }
        broken("max-bytes", "at most \(count) bytes", value, message, severity)
    }

    /// `pattern`: the pattern matches somewhere in the text.
    public mutating func pattern(
        _ value: String?, _ pattern: Pattern, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, !pattern.matches(value) else { return }
        broken("pattern", "a match of \(pattern.source)", value, message, severity)
    }

    /// `prefix`: begins with this text, compared by Unicode scalars.
    public mutating func prefix(
        _ value: String?, _ text: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, !TextSearch.starts(value, text) else { return }
        broken("prefix", "text that begins with \(Self.quoted(text))", value, message, severity)
    }

    /// `suffix`: ends with this text, compared by Unicode scalars.
    public mutating func suffix(
        _ value: String?, _ text: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value else { return }
        if TextSearch.ends(value, text) { return }
        broken("suffix", "text that ends with \(Self.quoted(text))", value, message, severity)
    }

    /// `contains`: contains this text, compared by Unicode scalars.
    public mutating func contains(
        _ value: String?, _ text: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, !TextSearch.contains(value, text) else { return }
        broken("contains", "text that contains \(Self.quoted(text))", value, message, severity)
    }

    /// `excludes`: does not contain this text, compared by Unicode scalars.
    public mutating func excludes(
        _ value: String?, _ text: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, TextSearch.contains(value, text) else { return }
        broken("excludes", "text without \(Self.quoted(text))", value, message, severity)
    }

    /// `format`: has a well-known format.
    public mutating func format(
        _ value: String?, _ format: StringFormat, message: String? = nil,
        severity: Severity = .error
    ) {
        guard checksRules, let value, !format.matches(value) else { return }
        broken("format", format.expectation, value, message, severity)
    }

    /// `not-blank`: has a scalar that is not white space (Unicode property `White_Space`).
    public mutating func notBlank(
        _ value: String?, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value else { return }
        if value.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) { return }
        broken("not-blank", "text that is not blank", value, message, severity)
    }

    private mutating func broken(
        _ rule: String, _ expected: String, _ found: String, _ message: String?,
        _ severity: Severity
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
