/// A set of forms of which a spec writes some as a single word.
public protocol WordedForm: Equatable, Sendable {
    /// The words, in the order in which messages list them.
    static var words: KeyValuePairs<String, Self> { get }
}

extension WordedForm {
    /// The form with a word; nil if the word is none of them.
    public init?(word: String) {
        guard let form = Self.words.first(where: { $0.key == word }) else { return nil }
        self = form.value
    }

    /// The word of the form; nil if a spec writes it in another way.
    public var word: String? { Self.words.first { $0.value == self }?.key }
}
