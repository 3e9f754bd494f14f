/// The formats of hosts and addresses.
enum HostFormats {
    private static let dot = UInt8(ascii: ".")
    private static let colon = UInt8(ascii: ":")

    static func isEmail(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count <= 254, let at = bytes.lastIndex(of: UInt8(ascii: "@")) else {
            return false
        }
        let local = bytes[..<at]
        return local.count <= 64 && isDotAtom(local) && isHostname(bytes[(at + 1)...])
    }

    /// Whether the text is words of `atext` (RFC 5322, section 3.2.3; RFC 6531 adds non-ASCII
    /// characters), separated by single dots.
    private static func isDotAtom(_ bytes: ArraySlice<UInt8>) -> Bool {
        let signs = Array("!#$%&'*+-/=?^_`{|}~".utf8)
        let words = bytes.split(separator: dot, omittingEmptySubsequences: false)
        return words.allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy { $0.isAlphanumeric || $0 >= 0x80 || signs.contains($0) }
        }
    }

    static func isHostname(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty, bytes.count <= 253 else { return false }
        let hyphen = UInt8(ascii: "-")
        let labels = bytes.split(separator: dot, omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty && label.count <= 63 && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { $0.isAlphanumeric || $0 == hyphen }
        }
    }

    static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: dot, omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard !part.isEmpty, part.count <= 3, part.allSatisfy(\.isDigit) else {
                    return false
                }
                if part.count > 1, part.first == ASCII.zero { return false }
                return part.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) } <= 255
            }
    }

    static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let gap = gap(bytes) else { return groups(bytes) == 8 }
        let (head, tail) = (bytes[..<gap], bytes[(gap + 2)...])
        guard self.gap(tail) == nil, !head.contains(dot), tail.first != colon else { return false }
        guard let before = groups(head), let after = groups(tail) else { return false }
        return before + after <= 7
    }

    /// The start of `::`.
    private static func gap(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.dropLast().first { bytes[$0] == colon && bytes[$0 + 1] == colon }
    }

    /// The number of 16-bit groups; an IPv4 address at the end counts as two.
    private static func groups(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        let parts = bytes.split(separator: colon, omittingEmptySubsequences: false)
        var count = 0
        for (place, part) in parts.enumerated() {
            if part.contains(dot) {
                guard place == parts.count - 1, isIPv4(part) else { return nil }
                count += 2
            } else {
                guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit) else {
                    return nil
                }
                count += 1
            }
        }
        return count
    }
}

/// The formats of URIs (RFC 3986).
enum URIFormats {
    static func isURI(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return isScheme(bytes[..<colon]) && isRest(bytes[(colon + 1)...])
    }

    static func isReference(_ bytes: ArraySlice<UInt8>) -> Bool {
        if isURI(bytes) { return true }
        let segment = bytes.prefix { !Array("/?#".utf8).contains($0) }
        return !segment.contains(UInt8(ascii: ":")) && isRest(bytes)
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        return bytes.allSatisfy { $0.isAlphanumeric || Array("+-.".utf8).contains($0) }
    }

    /// Whether the text may follow the scheme: an authority after two slashes, then path, query and
    /// fragment.
    private static func isRest(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: "//".utf8) else { return isText(bytes, extra: ":@/") }
        let rest = bytes.dropFirst(2)
        let authority = rest.prefix { !Array("/?#".utf8).contains($0) }
        return isAuthority(authority) && isText(rest.dropFirst(authority.count), extra: ":@/")
    }

    private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
        let at = bytes.lastIndex(of: UInt8(ascii: "@"))
        let user = at.map { bytes[..<$0] } ?? []
        var host = at.map { bytes[($0 + 1)...] } ?? bytes
        guard isText(user, extra: ":") else { return false }
        if host.first == ASCII.openBracket {
            guard let close = host.firstIndex(of: ASCII.closeBracket) else { return false }
            let literal = host[(host.startIndex + 1)..<close]
            guard HostFormats.isIPv6(literal) || isFutureAddress(literal) else { return false }
            host = host[(close + 1)...]
            return host.isEmpty
                || host.first == ASCII.colon && host.dropFirst().allSatisfy(\.isDigit)
        }
        guard let colon = host.lastIndex(of: ASCII.colon) else { return isText(host, extra: "") }
        return isText(host[..<colon], extra: "") && host[(colon + 1)...].allSatisfy(\.isDigit)
    }

    /// Whether the text is an `IPvFuture`: `v`, hexadecimal digits, a dot, and text.
    private static func isFutureAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first | 0x20 == UInt8(ascii: "v") else { return false }
        let version = bytes.dropFirst().prefix(while: \.isHexDigit)
        let rest = bytes.dropFirst(1 + version.count)
        guard !version.isEmpty, rest.first == ASCII.dot, rest.count > 1 else { return false }
        return isText(rest.dropFirst(), extra: ":") && !rest.contains(UInt8(ascii: "%"))
    }

    /// Whether the text consists of unreserved characters, sub-delimiters, percent-encoded bytes
    /// and `extra`. If `extra` contains `/`, it may contain a query and a fragment.
    private static func isText(_ bytes: ArraySlice<UInt8>, extra: String) -> Bool {
        let signs = Array("-._~!$&'()*+,;=".utf8) + Array(extra.utf8)
        let hasFragment = extra.contains("/")
        var fragments = 0
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard bytes[index...].prefix(2).filter(\.isHexDigit).count == 2 else {
                    return false
                }
                index += 2
            } else if byte == UInt8(ascii: "#"), hasFragment {
                fragments += 1
            } else if byte == UInt8(ascii: "?"), hasFragment {
                continue
            } else if !byte.isAlphanumeric, !signs.contains(byte) {
                return false
            }
        }
        return fragments <= 1
    }
}
