extension Diagnostic {
    /// A change of a file that is a remedy.
    public struct Edit: Sendable, Equatable {
        /// What is replaced; an empty span for an insertion.
        public var span: Span
        /// The new text.
        public var text: String

        /// A replacement.
        public init(_ text: String, at span: Span) {
            self.span = span
            self.text = text
        }
    }

    /// The changes that are the remedy; empty if it takes a decision. A help that asks ``did you mean
    /// `x`?`` and nothing else names what belongs at ``span``.
    public var edits: [Edit] {
        let (start, end) = ("did you mean `", "`?")
        guard ownEdits.isEmpty, let help, help.hasPrefix(start), help.hasSuffix(end) else {
            return ownEdits
        }
        let word = help.dropFirst(start.count).dropLast(end.count)
        return word.isEmpty || word.contains("`") ? [] : [Edit(String(word), at: span)]
    }
}
