/// A value of a YAML file that is to be written.
public indirect enum DraftValue: Hashable, Sendable {
    /// A number, a Boolean or null, written as it is.
    case word(String)
    /// A text, in quotes where YAML needs them.
    case text(String)
    /// A type in short form, such as `[User]?`.
    case type(String)
    /// A list, in brackets if it fits a line.
    case list([DraftValue])
    /// A mapping, in braces if it fits a line.
    case map([DraftEntry])
    /// A mapping that is never written in braces, with a blank line between long entries.
    case block([DraftEntry])
}

/// A key of a mapping with its value.
public struct DraftEntry: Hashable, Sendable {
    /// The key.
    public var key: String
    /// Its value.
    public var value: DraftValue
    /// Lines before the entry, each a comment.
    public var comments: [String] = []
    /// Whether digits as a key are text.
    public var isQuoted = false

    /// Creates an entry.
    public init(_ key: String, _ value: DraftValue, comments: [String] = []) {
        self.key = key
        self.value = value
        self.comments = comments
    }
}

extension DraftEntry {
    /// An entry with a text; nil without one.
    init?(_ key: String, text: String?) {
        guard let text, !text.isEmpty else { return nil }
        self.init(key, .text(text))
    }

    static func flag(_ key: String) -> DraftEntry { DraftEntry(key, .word("true")) }
}

extension [DraftEntry] {
    /// The value of a key.
    package subscript(key: String) -> DraftValue? { first { $0.key == key }?.value }
}
