import SpecSyntax

/// The security-relevant parts of an absolute URL.
package struct WebAddress {
    /// Whether it begins with `https://`.
    package let isSecure: Bool
    /// Whether its host is the local machine.
    package let isLocal: Bool

    /// Whether a text is a relative path, which may end with `/`. A dot in the first segment means a
    /// URL without a scheme.
    static func isPath(_ text: String) -> Bool {
        let path = text.last == "/" ? text.dropLast() : text[...]
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.first?.contains(".") == false else { return false }
        return segments.allSatisfy { segment in
            !["", ".", ".."].contains(segment)
                && segment.utf8.allSatisfy { $0.isNamePart || "-.~".utf8.contains($0) }
        }
    }

    /// Parses a URL; `nil` without the scheme `https` or `http`, with a user, without a host, or
    /// with an invalid port.
    init?(_ text: String) {
        let isPlain = text.hasPrefix("http://")
        let authority = text.dropFirst(isPlain ? 7 : 8).prefix { !"/?#".contains($0) }
        let isClean = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
        let (host, port) = Self.split(authority)
        guard isPlain || text.hasPrefix("https://"), isClean, !host.isEmpty,
            !authority.contains("@"), Self.isPort(port)
        else { return nil }
        isSecure = !isPlain
        isLocal = Self.isLocal(host.lowercased())
    }

    /// Parses the URL of a server, which may have variables, but no query and no fragment.
    package init?(ofServer text: String) {
        let hasQuery = text.contains("?") || text.contains("#")
        guard !hasQuery, PathSyntax.braced(text)?.allSatisfy(Self.isVariable) == true else {
            return nil
        }
        self.init(text)
    }

    private static func isVariable(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }

    private static func split(_ authority: Substring) -> (host: Substring, port: Substring) {
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[end...].firstIndex(of: ":") else { return (authority, "") }
        return (authority[..<colon], authority[colon...].dropFirst())
    }

    /// Whether a text is a port, empty, or a variable.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.contains("{")
            || text.allSatisfy { ("0"..."9").contains($0) } && UInt16(text) ?? 0 > 0
    }

    /// Whether a host is the local machine: a loopback address or `localhost`. The runtime has the
    /// same check.
    private static func isLocal(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127"
            && octets.allSatisfy { !$0.hasPrefix("+") && UInt8($0) != nil }
    }
}
