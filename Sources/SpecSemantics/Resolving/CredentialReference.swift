import SpecDiagnostics
import SpecSyntax

/// A reference to a value of the credential, `$token.user_id`, or to a secret of the app,
/// `$secret.API_KEY`, inside a text.
struct CredentialReference {
    /// The text of the reference.
    let text: Substring
    /// Its UTF-8 offsets.
    let place: Range<Int>

    /// How a reference to a secret of the app begins.
    static let secret = "$secret."

    /// Finds the first reference in a text; nil if there is none.
    init?(_ whole: String) {
        // Most texts have no reference, and searching for a word is slow.
        guard whole.utf8.contains(UInt8(ascii: "$")),
            let start = whole.firstRange(of: "$token.") ?? whole.firstRange(of: Self.secret)
        else {
            return nil
        }
        let name = whole[start.upperBound...].prefix {
            $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-"
        }
        text = whole[start.lowerBound..<name.endIndex]
        place = whole.utf8Range(start.lowerBound..<name.endIndex)
    }

    /// Whether a text refers to the access token, to the refresh token or to a secret of the app.
    static func isToken(_ text: String) -> Bool {
        text == "$token.access_token" || text == "$token.refresh_token" || text.hasPrefix(secret)
    }

    /// Whether a text begins like a reference.
    static func begins(_ text: String) -> Bool {
        text.hasPrefix("$token.") || text.hasPrefix(secret)
    }

    /// Returns the intended reference of a misspelt one; nil for any other text.
    static func misspelt(_ text: String) -> String? {
        guard text.hasPrefix("$"), !text.hasPrefix("$token."), !text.hasPrefix(secret) else {
            return nil
        }
        let name = text.dropFirst().filter { $0 != "{" && $0 != "}" }
        let word = String(name.prefix { $0 != "." })
        let rest = name.dropFirst(word.count)
        let isToken = word.lowercased() == "token"
        // Without a dot, only the exact word counts as a reference.
        guard !rest.isEmpty else { return isToken ? "$token.access_token" : nil }
        let isNear = word.lowercased() == "tok" || nearest(to: word, among: ["token"]) != nil
        return isToken || isNear ? "$token" + rest : nil
    }
}

extension AttributesSyntax {
    /// The reference to a value of the credential that is the default, or the only item of a default
    /// that is a list.
    var credentialDefault: YAMLNode? {
        guard let node = defaultValue else { return nil }
        let item = node.kind == .sequence && node.items.count == 1 ? node.items[0] : node
        return item.kind == .scalar && CredentialReference.begins(item.text) ? item : nil
    }
}
