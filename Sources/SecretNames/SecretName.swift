/// Which names are taken for those of secrets even where a spec does not say so. The compiler and the
/// runtime both ask here, so that neither promises what the other does not keep.
package enum SecretName {
    /// The names whose values are secrets wherever they stand, in small letters. Others are known by
    /// their last word.
    private static let suspicious: Set<String> = [
        "access_token", "accesstoken", "refresh_token", "refreshtoken", "id_token", "idtoken",
        "token", "auth_token", "authtoken", "password", "passwd", "secret", "client_secret",
        "clientsecret", "api_key", "apikey", "authorization", "cookie", "set-cookie",
        "proxy-authorization", "x-api-key", "private_key", "session_id", "sessionid",
    ]

    /// Header fields that carry credentials, apart from those whose name says so.
    private static let headers: Set<String> = [
        "authorization", "proxy-authorization", "authentication-info", "cookie", "cookie2",
        "set-cookie", "set-cookie2",
    ]

    /// Words in the names of header fields that carry credentials: `X-Auth-Token`, `Api-Key`…
    private static let words = ["token", "secret", "password", "apikey", "api-key", "credential"]

    /// Whether values of this name are secrets, wherever they stand.
    package static func isSuspicious(_ name: String) -> Bool {
        if suspicious.contains(name.lowercased()) { return true }
        return SecretPhrase.mayBeSecret(name) && SecretPhrase(name).isSecret
    }

    /// Whether the value of a header field of this name is a secret.
    package static func isSecretHeader(_ name: String) -> Bool {
        let lower = name.lowercased()
        return headers.contains(lower) || words.contains { lower.contains($0) }
            || isSuspicious(name)
    }
}
