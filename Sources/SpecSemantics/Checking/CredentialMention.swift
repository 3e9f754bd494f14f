import SpecDiagnostics
import SpecSyntax

/// A place of a text that names a value of the credential, `$token.user_id`.
struct CredentialMention {
    /// What stands there.
    let text: Substring
    /// Where, in UTF-8 offsets.
    let place: Range<Int>

    /// The first one of a text; nil if it has none.
    init?(_ whole: String) {
        guard let start = whole.firstRange(of: "$token.") else { return nil }
        let name = whole[start.upperBound...].prefix {
            $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-"
        }
        text = whole[start.lowerBound..<name.endIndex]
        place = whole.utf8Range(start.lowerBound..<name.endIndex)
    }

    /// What a text was meant to be that begins with almost the same word; nil if it begins otherwise.
    static func misspelt(_ text: String) -> String? {
        guard text.hasPrefix("$"), !text.hasPrefix("$token."), let dot = text.firstIndex(of: ".")
        else { return nil }
        let word = String(text[text.index(after: text.startIndex)..<dot])
        let isNear = word.lowercased() == "token" || didYouMean(word, among: ["token"]) != nil
        return isNear ? "$token" + text[dot...] : nil
    }
}
