/// One diagnostic of a spec: message, span and fix.
///
/// Texts are lower case without a full stop, put names in backticks and state what was expected and
/// what was found. They may contain text of the spec; renderers escape control characters.
public struct Diagnostic: Sendable {
    /// A further remark, with its span if it has one.
    public struct Note: Sendable {
        /// The span, in the same file or another; nil for a remark without a span.
        public var span: Span?
        /// The remark, for instance `first declared here`.
        public var text: String

        /// A remark about `span`.
        public init(_ text: String, at span: Span? = nil) {
            self.span = span
            self.text = text
        }
    }

    /// The code.
    public var code: DiagnosticCode
    /// The message in one line.
    public var message: String
    /// The smallest span that is wrong.
    public var span: Span
    /// A few words beside the underlined text.
    public var label: String?
    /// Further remarks, in order.
    public var notes: [Note]
    /// The fix, if it is known.
    public var help: String?
    /// Whether it stops the compiler: as the code says, unless a spec says otherwise.
    public var severity: Severity
    /// The changes that are the remedy, if its help does not say them.
    public var ownEdits: [Edit] = []

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
        severity = code.severity
    }
}
