import TelexTransport

extension Address {
    /// Parses the address of a server to which secrets are sent.
    ///
    /// - Parameter name: The name of the address in the error message.
    /// - Throws: `.invalidRequest` if it is not an absolute address, if it has a fragment (RFC
    ///   6749, section 3.2), or if it is neither `https` nor on this machine.
    package init(secure text: String, _ name: String) throws(CredentialError) {
        guard !text.utf8.contains(UInt8(ascii: "#")), let address = Address(text) else {
            throw CredentialError(
                .invalidRequest,
                "\(name) has to be an absolute https address without a user name and fragment")
        }
        guard address.isSecure else {
            throw CredentialError(
                .invalidRequest,
                "\(name) \(address.redacted) has to be https: over http other parties could "
                    + "read the secrets that are sent there")
        }
        self = address
    }
}
