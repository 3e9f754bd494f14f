/// A mistake in a template.
public struct TemplateProblem: Sendable {
    /// What is wrong.
    public var message: String
    /// The offsets of the bytes that are.
    public var range: Range<Int>
    /// The fix.
    public var help: String
    /// Whether the template can be used nevertheless.
    public var isWarning: Bool
    /// An unknown word, and those that might be meant.
    public var misspelt: (word: String, known: [String])?

    init(
        _ message: String, at range: Range<Int>, help: String, isWarning: Bool = false,
        misspelt: (word: String, known: [String])? = nil
    ) {
        self.message = message
        self.range = range
        self.help = help
        self.isWarning = isWarning
        self.misspelt = misspelt
    }
}
