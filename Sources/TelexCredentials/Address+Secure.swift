import TelexTransport

extension Address {
    /// Whether secrets may be sent to the address: over `https`, or without leaving this machine.
    package var isSecure: Bool { scheme == "https" || origin.isLoopback }

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

extension Address.Origin {
    /// Whether the host is this machine, by a loopback IP address or as `localhost` (RFC 8252,
    /// section 7.3).
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127"
            && octets.allSatisfy { octet in
                octet.utf8.allSatisfy { (0x30...0x39).contains($0) } && octet.utf8.count <= 3
                    && UInt8(octet) != nil
            }
    }
}
