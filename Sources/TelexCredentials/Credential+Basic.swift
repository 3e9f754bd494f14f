#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Credential {
    /// Makes the credential of a scheme with `token: basic`: the token is the Base64 text of the
    /// name and the password in UTF-8 (RFC 7617, section 2).
    ///
    /// - Throws: A ``CredentialError`` with the reason `.invalidRequest` if the name contains a
    ///   colon, which would end it, or if one of both contains a control character.
    public init(user: String, password: String) throws(CredentialError) {
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw CredentialError(.invalidRequest, "the user name of `basic` contains a colon")
        }
        let text = "\(user):\(password)"
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw CredentialError(
                .invalidRequest, "the user name or the password contains a control character")
        }
        self.init(token: Data(text.utf8).base64EncodedString())
    }
}
