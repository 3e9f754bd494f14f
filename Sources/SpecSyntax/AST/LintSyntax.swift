import SpecDiagnostics

/// What `lint` makes of a warning.
public enum LintLevel: String, CaseIterable, Sendable {
    /// It fails.
    case error
    /// It is shown.
    case warning
    /// It is not reported.
    case off
}

/// One entry of `lint`: a code with what becomes of it.
public struct LintSyntax: Sendable {
    /// The code, as `T0412`.
    public var code: Located<String>
    /// The level.
    public var level: LintLevel
}

/// A comment `# telex:ignore T0412 why`.
public struct IgnoreSyntax: Sendable {
    /// The word with which such a comment begins.
    package static let mark = "telex:ignore"

    /// The codes that it names.
    public var codes: [Located<String>]
    /// Whether it says why.
    public var hasReason: Bool
    /// The comment.
    public var span: Span
    /// The line behind which it stands, or the entry under it with all that is indented deeper.
    public var scope: Span
}
