/// Which names are taken for those of secrets even where a spec does not say so. The compiler and the
/// runtime both ask here, so that neither promises what the other does not keep.
package enum SecretName {
    /// Names of secrets, in small letters, whose last word does not say so.
    private static let others: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "session_id", "sessionid",
    ]

    /// Further header fields that carry credentials.
    private static let headers: Set<String> = ["authentication-info", "cookie2", "set-cookie2"]

    /// Words in the names of header fields that carry credentials: `X-Auth-Token`, `Api-Key`…
    private static let words = ["token", "secret", "password", "apikey", "api-key", "credential"]

    /// Whether values of this name are secrets, wherever they stand.
    package static func isSuspicious(_ name: String) -> Bool {
        if SecretPhrase.mayBeSecret(name), SecretPhrase(name).isSecret { return true }
        return others.contains(name.lowercased())
    }

    /// Whether the value of a header field of this name is a secret.
    package static func isSecretHeader(_ name: String) -> Bool {
        let lower = name.lowercased()
        return headers.contains(lower) || words.contains { lower.contains($0) }
            || isSuspicious(name)
    }
}
