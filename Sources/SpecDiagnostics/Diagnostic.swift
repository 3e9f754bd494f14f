/// One mistake in a spec: what, where, and what to do about it.
///
/// Texts are lower case without a full stop, name things in backticks and say what was expected and
/// what was found. They may hold text of the spec: renderers show control characters escaped.
public struct Diagnostic: Sendable {
    /// A further remark, with the place it is about if it has one.
    public struct Note: Sendable {
        /// The place, in the same file or another; nil for a remark about no place.
        public var span: Span?
        /// The remark, as `first declared here`.
        public var text: String

        /// A remark about `span`.
        public init(_ text: String, at span: Span? = nil) {
            self.span = span
            self.text = text
        }
    }

    /// The kind of mistake.
    public var code: DiagnosticCode
    /// The whole mistake in one line.
    public var message: String
    /// The smallest piece of text that is wrong.
    public var span: Span
    /// A few words beside the underlined text.
    public var label: String?
    /// Further remarks, in order.
    public var notes: [Note]
    /// How to mend it, if that is known.
    public var help: String?

    /// A mistake of the kind `code` at `span`.
    public init(
        _ code: DiagnosticCode, _ message: String, at span: Span, label: String? = nil,
        notes: [Note] = [], help: String? = nil
    ) {
        self.code = code
        self.message = message
        self.span = span
        self.label = label
        self.notes = notes
        self.help = help
    }

    /// Whether it stops the compiler.
    public var severity: Severity { code.severity }
}
