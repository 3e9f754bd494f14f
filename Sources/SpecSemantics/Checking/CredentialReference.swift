import SpecDiagnostics
import SpecSyntax

/// A place of a text that names a value of the credential, `$token.user_id`.
struct CredentialReference {
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

    /// Whether a text stands for the credential's own token or refresh token.
    static func isToken(_ text: String) -> Bool {
        text == "$token.access_token" || text == "$token.refresh_token"
    }

    /// What a text was meant to be that begins with almost the same word; nil if it begins otherwise.
    static func misspelt(_ text: String) -> String? {
        guard text.hasPrefix("$"), !text.hasPrefix("$token.") else { return nil }
        let name = text.dropFirst().filter { $0 != "{" && $0 != "}" }
        let word = String(name.prefix { $0 != "." })
        let rest = name.dropFirst(word.count)
        let isToken = word.lowercased() == "token"
        // Without a dot, only the very word is taken for more than a text.
        guard !rest.isEmpty else { return isToken ? "$token.access_token" : nil }
        let isNear = word.lowercased() == "tok" || didYouMean(word, among: ["token"]) != nil
        return isToken || isNear ? "$token" + rest : nil
    }
}
