/// A proof that the code is exchanged by the client that requested it (RFC 7636). Only the method
/// S256 is supported, because with `plain` the authorization request itself contains the proof.
struct PKCE: Sendable {
    /// The secret, sent with the code.
    let verifier: String

    /// Makes a verifier from 32 random bytes, as section 4.1 recommends: 43 characters.
    init(_ bytes: [UInt8]) {
        verifier = Base64.url(bytes)
    }

    /// The digest of the verifier, which the authorization request contains (section 4.2).
    var challenge: String { Base64.url(SecureBytes.digest(Array(verifier.utf8))) }
}
