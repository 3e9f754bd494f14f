#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is secret by itself in the value of a header field that carries credentials.
struct HeaderSecrets {
    /// Words that are shorter are not looked for: they may be any.
    private static let shortestWord = 8

    /// What stands behind a scheme (RFC 9110, section 11.4), and what `Basic` encodes there
    /// (RFC 7617): the pair, and its password. Secret for sure, however short.
    private(set) var credentials: [String] = []
    /// The values of cookies and of parameters, and longer words. One of them may as well say
    /// nothing that is secret, as the colours of a page.
    private(set) var values: [String] = []

    /// Those of the values that nobody uses for anything else.
    var tellingValues: [String] { values.filter { $0.utf8.count >= Self.shortestWord } }

    init(_ header: String) {
        var rest = header.trimmed
        if let space = rest.firstIndex(of: " "), !rest[..<space].contains(where: "=;,".contains) {
            rest = rest[space...].trimmed
            addCredentials(rest)
        }
        for piece in rest.split(whereSeparator: ";,".contains) {
            if let mark = piece.firstIndex(of: "=") { add(piece[mark...].dropFirst()) }
        }
        // Some parameters stand apart from one another by spaces.
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
        // Where a key takes the place of the user's name, there is no password.
        credentials += [pair, String(password.isEmpty ? pair[..<colon] : password)]
    }

    /// Keeps a value, and what is in its quotes (RFC 9110, section 5.6.4).
    private mutating func add(_ value: Substring) {
        let value = value.trimmed.withoutPadding
        if !value.isEmpty { values.append(value) }
        guard value.utf8.count > 2, value.first == "\"", value.last == "\"" else { return }
        values.append(String(value.dropFirst().dropLast()))
    }
}

extension StringProtocol {
    /// The text without spaces around it.
    fileprivate var trimmed: String {
        var rest = self[...].drop { $0 == " " }
        while rest.last == " " { rest = rest.dropLast() }
        return String(rest)
    }

    /// The text without what fills up base 64 at its end.
    fileprivate var withoutPadding: String {
        var rest = self[...]
        while rest.last == "=" { rest = rest.dropLast() }
        return String(rest)
    }
}
