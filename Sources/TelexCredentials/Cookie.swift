import HTTPTypes
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A cookie that a server has set (RFC 6265, section 5.3).
package struct Cookie: Sendable {
    /// The longest name and value together, in bytes (RFC 6265, section 6.1).
    private static let longest = 4096
    /// The longest life in seconds: 400 days (RFC 6265bis, section 5.5).
    private static let longestLife = 34_560_000.0

    package let name: String
    package let value: String
    /// The host, or the domain with all its hosts.
    package let domain: String
    /// Whether only the host that set it gets it.
    package let isHostOnly: Bool
    package let path: String
    package let isSecure: Bool
    /// When it ends; nil for the end of the manager or a log-out.
    package let expiry: Date?

    /// Parses the value of a `Set-Cookie` field (RFC 6265, section 5.2). Returns nil for a cookie
    /// that must not be stored, such as one for another domain.
    package init?(_ text: String, from address: Address, at now: Date) {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false)[...]
        guard let pair = parts.popFirst(), let mark = pair.firstIndex(of: "=") else { return nil }
        name = pair[..<mark].trimmed
        value = pair[mark...].dropFirst().trimmed
        guard !name.isEmpty, name.utf8.count + value.utf8.count <= Self.longest,
            HTTPField.isValidValue(name + value)
        else { return nil }
        var attributes: [String: String] = [:]
        for part in parts {
            let key = part.prefix { $0 != "=" }
            attributes[key.trimmed.lowercased()] = part[key.endIndex...].dropFirst().trimmed
        }
        let host = address.origin.host
        let named = attributes["domain"].map { $0.hasPrefix(".") ? $0.dropFirst() : $0[...] }
        let wanted = named?.lowercased() ?? ""
        isHostOnly = wanted.isEmpty
        domain = isHostOnly ? host : wanted
        // A domain without a dot, such as `com`, would be shared by strangers.
        guard isHostOnly || domain == host || domain.contains(".") && Self.matches(host, domain)
        else { return nil }
        let path = attributes["path"] ?? ""
        self.path = path.hasPrefix("/") ? path : Self.defaultPath(of: address)
        isSecure = attributes["secure"] != nil
        expiry = Self.expiry(attributes, at: now)
        guard address.isSecure || !isSecure, hasValidPrefix else { return nil }
    }

    /// Whether the name keeps the promise of its prefix (RFC 6265bis, section 4.1.3).
    private var hasValidPrefix: Bool {
        let name = name.lowercased()
        if name.hasPrefix("__host-") { return isSecure && isHostOnly && path == "/" }
        return !name.hasPrefix("__secure-") || isSecure
    }

    /// The end of its life: `Max-Age` takes precedence over `Expires`.
    private static func expiry(_ attributes: [String: String], at now: Date) -> Date? {
        if let text = attributes["max-age"], let age = Double(text),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
        {
            return age > 0 ? now.addingTimeInterval(min(age, longestLife)) : .distantPast
        }
        return attributes["expires"].flatMap(CookieDate.date)
    }

    /// The directory of a path (RFC 6265, section 5.1.4).
    private static func defaultPath(of address: Address) -> String {
        let slash = address.path.lastIndex(of: "/") ?? address.path.startIndex
        return slash == address.path.startIndex ? "/" : String(address.path[..<slash])
    }

    /// Whether a host belongs to a domain (RFC 6265, section 5.1.3). An IP address has none.
    private static func matches(_ host: String, _ domain: String) -> Bool {
        host.hasSuffix("." + domain) && !host.hasPrefix("[")
            && host.utf8.last.map { !(0x30...0x39).contains($0) } ?? false
    }

    /// Whether it is sent to an address (RFC 6265, section 5.4).
    package func isSent(to address: Address, at now: Date) -> Bool {
        let host = address.origin.host
        guard host == domain || !isHostOnly && Self.matches(host, domain) else { return false }
        guard address.isSecure || !isSecure, expiry.map({ $0 > now }) ?? true else { return false }
        guard address.path.utf8.starts(with: path.utf8) else { return false }
        let rest = address.path.utf8.dropFirst(path.utf8.count)
        return rest.isEmpty || path.hasSuffix("/") || rest.first == UInt8(ascii: "/")
    }

    /// Whether it takes the place of another one.
    package func replaces(_ other: Cookie) -> Bool {
        name == other.name && domain == other.domain && path == other.path
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = utf8.firstIndex { !isSpace($0) } ?? endIndex
        let end = utf8.lastIndex { !isSpace($0) }.map { utf8.index(after: $0) } ?? start
        return start < end ? String(self[start..<end]) : ""
    }
}

/// Parses the dates of cookies, whose formats are free (RFC 6265, section 5.1.1).
package enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    package static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 100 else { return nil }
        var (time, day, month, year): ([Int]?, Int?, Int?, Int?)
        for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != ":" }) {
            let numbers = word.split(separator: ":", omittingEmptySubsequences: false).map {
                Int($0)
            }
            let number = Int(word)
            if time == nil, numbers.count == 3, numbers.allSatisfy({ $0 != nil }) {
                time = numbers.compactMap { $0 }
            } else if day == nil, let number, word.utf8.count <= 2 {
                day = number
            } else if month == nil,
                let index = months.firstIndex(of: word.prefix(3).lowercased())
            {
                month = index + 1
            } else if year == nil, let number, (2...4).contains(word.utf8.count) {
                year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
            }
        }
        guard let time, let day, let month, let year, year >= 1601 else { return nil }
        var civil = CivilDate()
        (civil.year, civil.month, civil.day) = (year, month, day)
        (civil.hour, civil.minute, civil.second) = (time[0], time[1], time[2])
        return civil.isValid ? civil.date : nil
    }
}
