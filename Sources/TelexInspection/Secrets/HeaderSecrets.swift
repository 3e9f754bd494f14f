#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The secret parts of the value of a header field that carries credentials.
package struct HeaderSecrets {
    /// The minimum length of a secret word: shorter words are too common to search for.
    private static let shortestWord = 8

    /// The credentials after an authentication scheme (RFC 9110, section 11.4), and the decoded
    /// `user:password` pair and password of `Basic` (RFC 7617). Always secret, however short.
    package private(set) var credentials: [String] = []
    /// The values of cookies and parameters, and longer words. Some of them may not be secret, such
    /// as a colour theme in a cookie.
    package private(set) var values: [String] = []

    /// The values that are long enough to be distinctive.
    package var distinctiveValues: [String] { values.filter { $0.utf8.count >= Self.shortestWord } }

    package init(_ header: String) {
        var rest = header.trimmed
        if let space = rest.firstIndex(of: " "), !rest[..<space].contains(where: "=;,".contains) {
            rest = rest[space...].trimmed
            addCredentials(rest)
        }
        for piece in rest.split(whereSeparator: ";,".contains) {
            if let mark = piece.firstIndex(of: "=") { add(piece[mark...].dropFirst()) }
        }
        // Some parameters are separated by spaces.
        for word in rest.split(whereSeparator: " ;,".contains) {
            let text = word.withoutPadding
            let value = text.firstIndex(of: "=").map { text[$0...].dropFirst() } ?? text[...]
            if value.utf8.count >= Self.shortestWord { add(value) }
        }
    }

    private mutating func addCredentials(_ text: String) {
        credentials.append(text.withoutPadding)
        guard let data = Data(base64Encoded: text) else { return }
        let pair = String(decoding: data, as: UTF8.self)
        guard let colon = pair.firstIndex(of: ":") else { return credentials.append(pair) }
        let password = pair[colon...].dropFirst()
        // An API key in place of the user name comes with an empty password.
        credentials += [pair, String(password.isEmpty ? pair[..<colon] : password)]
    }

    /// Adds a value, and its content without quotes (RFC 9110, section 5.6.4).
    private mutating func add(_ value: Substring) {
        let value = value.trimmed.withoutPadding
        if !value.isEmpty { values.append(value) }
        guard value.utf8.count > 2, value.first == "\"", value.last == "\"" else { return }
        values.append(String(value.dropFirst().dropLast()))
    }
}

extension StringProtocol {
    /// The text without leading and trailing spaces.
    fileprivate var trimmed: String {
        var rest = self[...].drop { $0 == " " }
        while rest.last == " " { rest = rest.dropLast() }
        return String(rest)
    }

    /// The text without trailing base64 padding.
    fileprivate var withoutPadding: String {
        var rest = self[...]
        while rest.last == "=" { rest = rest.dropLast() }
        return String(rest)
    }
}
