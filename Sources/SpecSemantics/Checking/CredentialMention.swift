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
}
