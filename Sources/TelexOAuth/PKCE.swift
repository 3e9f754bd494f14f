/// A proof that whoever exchanges a code is who asked for it (RFC 7636). Only the method S256: with
/// `plain`, whoever sees the request has the proof.
struct PKCE: Sendable {
    /// The secret, sent with the code.
    let verifier: String

    /// Makes a secret of 32 random bytes, as section 4.1 recommends: 43 characters.
    init(_ bytes: [UInt8]) {
        verifier = Base64.url(bytes)
    }

    /// What is sent instead of the secret before there is a code (section 4.2).
    var challenge: String { Base64.url(SecureBytes.digest(Array(verifier.utf8))) }
}
