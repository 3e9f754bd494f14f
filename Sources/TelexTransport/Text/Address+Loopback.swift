extension Address {
    /// Whether secrets may be sent to the address: over `https`, or without leaving this machine.
    package var isSecure: Bool { scheme == "https" || origin.isLoopback }
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
