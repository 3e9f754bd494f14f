/// Takes known secrets out of texts that people will see.
package struct Redactor: Sendable {
    /// What stands for a secret.
    package static let mark = "‹redacted›"

    /// Names that are taken for secrets even where a spec does not say so.
    private static let suspicious: Set<String> = [
        "access_token", "refresh_token", "id_token", "token", "password", "passwd", "secret",
        "client_secret", "api_key", "apikey", "authorization", "cookie", "set-cookie",
        "proxy-authorization", "x-api-key",
    ]

    private var secrets: [String] = []

    /// Knows these secrets.
    package init(_ secrets: String...) {
        for secret in secrets { add(secret) }
    }

    /// Whether values of this name are never shown.
    package static func isSuspicious(_ name: String) -> Bool {
        suspicious.contains(name.lowercased())
    }

    /// Remembers a secret, also as it looks percent-encoded.
    package mutating func add(_ secret: String) {
        guard !secret.isEmpty else { return }
        for form in [secret, PercentEncoding.component(secret), PercentEncoding.form(secret)]
        where !secrets.contains(form) {
            secrets.append(form)
        }
        secrets.sort { $0.utf8.count > $1.utf8.count }
    }

    /// The text without the secrets.
    package func redact(_ text: String) -> String {
        var bytes = Array(text.utf8)
        // By bytes, so that a combining character behind a secret does not hide it.
        for secret in secrets { bytes.replace(Array(secret.utf8), with: Array(Self.mark.utf8)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
