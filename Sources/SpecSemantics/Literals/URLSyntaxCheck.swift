import SpecSyntax

/// Checks URLs of a spec (RFC 3986): those that Foundation's `URL` accepts without changes.
package enum URLSyntaxCheck {
    /// Returns the help for a text that is not a URL; nil for a URL.
    package static func problem(of text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else {
            return "begin with a scheme: `https://…`"
        }
        var rest = bytes[(colon + 1)...]
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
            if let problem = authorityProblem(authority) { return problem }
            rest = rest[authority.endIndex...]
        }
        let parts = rest.split(
            separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        for part in parts {
            if let problem = problem(of: part, besides: ":@/?") { return problem }
        }
        return nil
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        return bytes.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    /// User, host and port.
    private static func authorityProblem(_ bytes: ArraySlice<UInt8>) -> String? {
        var host = bytes
        if let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
            if let problem = problem(of: bytes[..<at], besides: ":") { return problem }
            host = bytes[(at + 1)...]
        }
        guard host.first == UInt8(ascii: "[") else {
            let name = host.prefix { $0 != UInt8(ascii: ":") }
            return problem(of: name, besides: "") ?? portProblem(host[name.endIndex...])
        }
        let address = host.dropFirst().prefix { $0 != UInt8(ascii: "]") }
        guard address.endIndex < host.endIndex, address.contains(UInt8(ascii: ":")),
            address.allSatisfy({ $0.isHexDigit || ":.".utf8.contains($0) })
        else { return "an IPv6 address needs brackets: `https://[2001:db8::1]/`" }
        return portProblem(host[(address.endIndex + 1)...])
    }

    private static func portProblem(_ bytes: ArraySlice<UInt8>) -> String? {
        let isPort = bytes.first == UInt8(ascii: ":") && bytes.dropFirst().allSatisfy(\.isDigit)
        return bytes.isEmpty || isPort ? nil : "behind the host is a port: `:8080`"
    }

    /// The help for a byte other than unreserved characters, sub-delimiters, percent-encoding and
    /// `more`.
    private static func problem(of bytes: ArraySlice<UInt8>, besides more: String) -> String? {
        let signs = Array("-._~!$&'()*+,;=%".utf8) + Array(more.utf8)
        for (index, byte) in zip(bytes.indices, bytes) {
            guard byte.isLetter || byte.isDigit || signs.contains(byte) else {
                let code = String(byte, radix: 16, uppercase: true)
                let escape = byte < 16 ? "%0\(code)" : "%\(code)"
                return more == ":@/?"
                    ? "percent-encode characters that a URL cannot contain: `\(escape)`"
                    : "a host is letters, digits, `-` and `.`"
            }
            let next = bytes[(index + 1)...].prefix(2)
            if byte == UInt8(ascii: "%"), next.count < 2 || !next.allSatisfy(\.isHexDigit) {
                return "behind `%` are two hexadecimal digits; the sign itself is `%25`"
            }
        }
        return nil
    }
}
