/// An absolute `http` or `https` address (RFC 3986), kept percent-encoded as it is sent.
package struct Address: Hashable, Sendable {
    /// Who answers: credentials never leave it (RFC 6454).
    package struct Origin: Hashable, Sendable {
        package var scheme: String
        package var host: String
        package var port: String
    }

    /// `http` or `https`.
    package var scheme: String
    /// Host and port.
    package var authority: String
    /// Begins with a slash.
    package var path: String
    /// What follows the question mark, if there is one.
    package var query: String?

    init(scheme: String, authority: String, path: String, query: String?) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
    }

    /// Reads an address; nil if it is not absolute, neither `http` nor `https`, has no host, or
    /// carries a user name. A fragment is dropped.
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

    /// Whether credentials for one may be sent to the other.
    func hasSameOrigin(as other: Address) -> Bool {
        guard scheme == other.scheme else { return false }
        return authority == other.authority || origin == other.origin
    }

    /// All of it, as it was read.
    var text: String { "\(scheme)://\(authority)\(target)" }

    /// The path and query as the head of a request has them.
    package var target: String { query.map { path + "?" + $0 } ?? path }

    /// For people: without the query, which may hold secrets.
    package var redacted: String {
        "\(scheme)://\(authority)\(path)" + (query == nil ? "" : "?\(Redactor.mark)")
    }

    /// What a reference means here (section 5.2); nil if it leads to something that is no `http`.
    func resolving(_ reference: String) -> Address? {
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

    /// The path without `.` and `..` segments (section 5.2.4).
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
            return (PercentEncoding.address(text), nil)
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
        } && text.hasOnlyRealPort
    }
}

extension String {
    /// Whether what follows the host of an authority is a number that a port can have, or nothing
    /// (RFC 3986, section 3.2.3). Some of what lies below transports traps on others, and a redirect
    /// may lead anywhere.
    var hasOnlyRealPort: Bool {
        let host = utf8.lastIndex(of: UInt8(ascii: "]")).map(utf8.index(after:)) ?? startIndex
        guard let colon = utf8[host...].firstIndex(of: UInt8(ascii: ":")) else { return true }
        let port = self[colon...].dropFirst()
        return port.isEmpty
            || port.utf8.allSatisfy { (0x30...0x39).contains($0) }
                && UInt16(port) != nil
    }
}

extension Address {
    /// Removes every query parameter of this name.
    mutating func remove(item name: String) {
        let kept = query?.split(separator: "&", omittingEmptySubsequences: false).filter { item in
            PercentEncoding.decode(item.prefix { $0 != "=" }) != name
        }
        query = kept.flatMap { $0.isEmpty ? nil : $0.joined(separator: "&") }
    }
}
