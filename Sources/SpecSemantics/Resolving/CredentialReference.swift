import SpecDiagnostics
import SpecSyntax

/// A reference to a value of the credential, `$token.user_id`, inside a text.
struct CredentialReference {
    /// The text of the reference.
    let text: Substring
    /// Its UTF-8 offsets.
    let place: Range<Int>

    /// Finds the first reference in a text; nil if there is none.
    init?(_ whole: String) {
        guard let start = whole.firstRange(of: "$token.") else { return nil }
        let name = whole[start.upperBound...].prefix {
            $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-"
        }
        text = whole[start.lowerBound..<name.endIndex]
        place = whole.utf8Range(start.lowerBound..<name.endIndex)
    }

    /// Whether a text refers to the access token or the refresh token.
    static func isToken(_ text: String) -> Bool {
        text == "$token.access_token" || text == "$token.refresh_token"
    }

    /// Returns the intended reference of a misspelt one; nil for any other text.
    static func misspelt(_ text: String) -> String? {
        guard text.hasPrefix("$"), !text.hasPrefix("$token.") else { return nil }
        let name = text.dropFirst().filter { $0 != "{" && $0 != "}" }
        let word = String(name.prefix { $0 != "." })
        let rest = name.dropFirst(word.count)
        let isToken = word.lowercased() == "token"
        // Without a dot, only the exact word counts as a reference.
        guard !rest.isEmpty else { return isToken ? "$token.access_token" : nil }
        let isNear = word.lowercased() == "tok" || didYouMean(word, among: ["token"]) != nil
        return isToken || isNear ? "$token" + rest : nil
    }
}
