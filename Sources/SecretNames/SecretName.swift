/// The names that count as names of secrets even if a spec does not declare them sensitive. The
/// compiler and the runtime share this rule, so that both redact the same values.
package enum SecretName {
    /// Names of secrets, in lower case, that `SecretPhrase` does not recognise.
    private static let others: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "session_id", "sessionid",
    ]

    /// Additional header fields that carry credentials.
    private static let headers: Set<String> = ["authentication-info", "cookie2", "set-cookie2"]

    /// Substrings of the names of header fields that carry credentials, such as `X-Auth-Token` and
    /// `Api-Key`.
    private static let words = ["token", "secret", "password", "apikey", "api-key", "credential"]

    /// Whether the values of this name are secrets in any place.
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
