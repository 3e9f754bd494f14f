/// An absolute `http` or `https` address (RFC 3986), kept percent-encoded as it is sent.
package struct Address: Hashable, Sendable {
    /// The origin (RFC 6454). Credentials are never sent to another one.
    package struct Origin: Hashable, Sendable {
        package var scheme: String
        package var host: String
        package var port: String
    }

    /// `http` or `https`.
    package var scheme: String
    /// Host and port.
    package var authority: String
    /// The path, which begins with a slash.
    package var path: String
    /// The query after the question mark; nil for none.
    package var query: String?

    package init(scheme: String, authority: String, path: String, query: String?) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
    }

    /// Parses an address. Returns nil if it is not absolute, is neither `http` nor `https`, has no
    /// host, or contains a user name. A fragment is dropped.
    package init?(_ text: String) {
        guard let mark = text.firstRange(of: "://") else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[mark.upperBound...].prefix { $0 != "#" }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        authority = rest[..<end].lowercased()
        guard Self.isAuthority(authority) else { return nil }
        (path, query) = Self.split(rest[end...])
        if path.isEmpty { path = "/" }
    }

    package var origin: Origin {
        let standard = scheme == "https" ? "443" : "80"
        let tail = authority.split(separator: "]", omittingEmptySubsequences: false).last ?? ""
        guard let colon = tail.lastIndex(of: ":") else {
            return Origin(scheme: scheme, host: authority, port: standard)
        }
        let port = tail[tail.index(after: colon)...]
        let host = authority.dropLast(port.utf8.count + 1)
        return Origin(
            scheme: scheme, host: String(host), port: port.isEmpty ? standard : String(port))
    }

    /// Whether both addresses have the same origin, so that credentials for one may be sent to the
    /// other.
    package func hasSameOrigin(as other: Address) -> Bool {
        guard scheme == other.scheme else { return false }
        return authority == other.authority || origin == other.origin
    }

    /// The whole address.
    package var text: String { "\(scheme)://\(authority)\(target)" }

    /// The path and query, as in the head of a request.
    package var target: String { query.map { path + "?" + $0 } ?? path }

    /// The address for display, without the query, which may contain secrets.
    package var redacted: String {
        "\(scheme)://\(authority)\(path)" + (query == nil ? "" : "?\(Redacted.text)")
    }

    /// Resolves a reference against this address (section 5.2). Returns nil if the result is
    /// neither `http` nor `https`.
    package func resolving(_ reference: String) -> Address? {
        let text = reference.prefix { $0 != "#" }
        if text.hasPrefix("//") { return Address("\(scheme):\(text)")?.withoutDots }
        if let colon = text.firstIndex(of: ":"), !text[..<colon].contains(where: "/?".contains) {
            return Address(String(text))?.withoutDots
        }
        var next = self
        let (path, query) = Self.split(text)
        if path.isEmpty {
            next.query = query ?? self.query
            return next
        }
        let folder = self.path[...(self.path.lastIndex(of: "/") ?? self.path.startIndex)]
        next.path = path.hasPrefix("/") ? path : folder + path
        next.query = query
        return next.withoutDots
    }

    /// The address with the `.` and `..` segments of its path removed (section 5.2.4).
    private var withoutDots: Address {
        var kept: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for segment in segments where segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        if let last = segments.last, last == "." || last == ".." { kept.append("") }
        var result = self
        result.path = "/" + kept.joined(separator: "/")
        return result
    }

    private static func split(_ text: Substring) -> (path: String, query: String?) {
        guard let mark = text.firstIndex(of: "?") else {
            return (PercentEncoding.address(text[...]), nil)
        }
        return (
            PercentEncoding.address(text[..<mark]),
            PercentEncoding.address(text[text.index(after: mark)...])
        )
    }

    private static func isAuthority(_ text: String) -> Bool {
        guard let first = text.utf8.first, first != UInt8(ascii: ":") else { return false }
        return text.utf8.allSatisfy { byte in
            (0x21..<0x7F).contains(byte) && !"@\\\"<>^`{|}%".utf8.contains(byte)
        } && text.hasValidPort
    }
}

extension String {
    /// Whether the port of an authority is missing, empty or a valid number (RFC 3986, section
    /// 3.2.3). System libraries below some transports trap on other ports, and a redirect may
    /// contain any.
    var hasValidPort: Bool {
        let host = utf8.lastIndex(of: UInt8(ascii: "]")).map(utf8.index(after:)) ?? startIndex
        guard let colon = utf8[host...].firstIndex(of: UInt8(ascii: ":")) else { return true }
        let port = self[colon...].dropFirst()
        return port.isEmpty
            || port.utf8.allSatisfy { (0x30...0x39).contains($0) }
                && UInt16(port) != nil
    }
}

extension Address {
    /// Removes every query parameter with this name.
    package mutating func remove(item name: String) {
        let kept = query?.split(separator: "&", omittingEmptySubsequences: false).filter { item in
            PercentEncoding.decode(item.prefix { $0 != "=" }) != name
        }
        query = kept.flatMap { $0.isEmpty ? nil : $0.joined(separator: "&") }
    }
}

extension Address {
    /// Returns a text that may be an address with its user information, query and fragment
    /// redacted.
    package static func masked(_ text: String) -> String {
        var shown = ""
        var rest = text[...]
        if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) {
            shown = "\(scheme(of: text[..<at]))\(Redacted.text)"
            rest = text[at...]
        }
        let path = rest.utf8.prefix { !"?#".utf8.contains($0) }
        guard path.endIndex < rest.endIndex else { return shown + rest }
        return "\(shown)\(Substring(path))\(rest[path.endIndex])\(Redacted.text)"
    }

    /// Returns the scheme with `://` at the start of a text; empty if there is none.
    private static func scheme(of text: Substring) -> Substring {
        guard let end = text.firstRange(of: "://") else { return "" }
        let isScheme = text[..<end.lowerBound].utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20)
        }
        return isScheme ? text[..<end.upperBound] : ""
    }
}
