/// The names that count as names of secrets even if a spec does not declare them sensitive. The
/// compiler and the runtime share this rule, so that both redact the same values.
package enum SecretName {
    /// Names of secrets, in lower case, that `SecretPhrase` does not recognise.
    private static let others = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "session_id", "sessionid",
    ].map { Array($0.utf8) }

    /// Additional header fields that carry credentials.
    private static let headers = ["authentication-info", "cookie2", "set-cookie2"]
        .map { Array($0.utf8) }

    /// Substrings of the names of header fields that carry credentials, such as `X-Auth-Token` and
    /// `Api-Key`.
    private static let words = [
        "token", "secret", "password", "apikey", "api-key", "credential",
    ].map { Array($0.utf8) }

    /// Whether the values of this name are secrets in any place.
    package static func isSuspicious(_ name: String) -> Bool {
        if SecretPhrase.mayBeSecret(name), SecretPhrase(name).isSecret { return true }
        return withBytes(of: name) { bytes in others.contains { $0.isWhole(bytes) } }
    }

    /// Whether the value of a header field of this name is a secret.
    package static func isSecretHeader(_ name: String) -> Bool {
        let isHeader = withBytes(of: name) { bytes in
            words.contains { $0.isPart(of: bytes) } || headers.contains { $0.isWhole(bytes) }
        }
        return isHeader || isSuspicious(name)
    }

    /// Passes the bytes of a name, whose letters may be capital. Every header field of a recorded
    /// request takes this way, so that it neither copies nor hashes.
    private static func withBytes(
        of name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        // A few characters beyond ASCII are ASCII letters in lower case: the Kelvin sign.
        var name = name.utf8.allSatisfy { $0 < 0x80 } ? name : name.lowercased()
        return name.withUTF8(body)
    }
}

extension [UInt8] {
    /// Whether the text is this word of small letters, in letters of any case.
    fileprivate func isWhole(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.count == count && isHere(text, at: 0)
    }

    /// Whether the text contains this word of small letters, in letters of any case.
    fileprivate func isPart(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= count else { return false }
        return (0...text.count - count).contains { isHere(text, at: $0) }
    }

    private func isHere(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        indices.allSatisfy { index in
            let byte = text[place + index]
            return self[index] == ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
    }
}
