import HTTPTypes
import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Takes known secrets out of texts that people will see, however they are spelled there:
/// percent-encoded, in base 64, with the escapes of JSON or of XML, encoded twice.
package struct Redactor: Sendable {
    /// What stands for a secret.
    package static let mark = Violation.redacted
    /// Parts of a secret that are shorter are not looked for: they would be found everywhere.
    static let shortestPart = 4
    /// Shorter pieces of base 64 are not looked for where a secret does not stand at its beginning:
    /// what they spell may as well be anything else.
    private static let shortestInner = 6
    /// How many bytes of a text that somebody else chose are looked at, and shown.
    static let longestText = 4096

    /// How many texts of the cookies of one reply are looked for, of which most have two: as a whole, and
    /// the value. No reply sets so many.
    static let mostOfCookies = 128

    private var matcher = SecretMatcher()

    /// Knows these secrets.
    package init(_ secrets: String...) {
        for secret in secrets { add(secret) }
    }

    /// How far behind its first byte a secret may end in a text.
    var reach: Int { matcher.reach }

    /// Remembers a secret, also as it looks when it is encoded.
    package mutating func add(_ secret: String) {
        guard !secret.isEmpty else { return }
        matcher.add(secret)
        matcher.add(PercentEncoding.component(secret))
        matcher.add(PercentEncoding.form(secret))
        matcher.add(XMLEntity.escaped(secret))
        guard secret.utf8.count >= Self.shortestPart else { return }
        for base64 in Self.base64(secret) { matcher.add(base64) }
    }

    /// Remembers a secret, also as it would look in the words of a server, which are shown without
    /// what is not seen.
    package mutating func hide(_ secret: String) {
        add(secret)
        add(secret.visible)
    }

    /// Remembers what is a secret only together with its surroundings, unless it is short.
    mutating func add(part: String) {
        if part.utf8.count >= Self.shortestPart { add(part) }
    }

    /// The same without secrets that are so short that they are found everywhere.
    var sparingShort: Redactor {
        var redactor = self
        redactor.matcher.drop(shorterThan: Self.shortestPart)
        return redactor
    }

    /// Remembers what proves who is calling.
    mutating func add(_ credential: Credential) {
        add(credential.token)
        if let refresh = credential.refreshToken { add(refresh) }
        for (name, value) in credential.values where Self.isSuspicious(name) { add(value) }
    }

    /// Remembers the value of a secret header field, and the secrets in it.
    mutating func add(header value: String) { add(header: value, HeaderSecrets(value)) }

    private mutating func add(header value: String, _ secrets: HeaderSecrets) {
        add(value)
        for secret in secrets.credentials + secrets.values { add(part: secret) }
    }

    /// Remembers the cookies that a server sets. Of one that sets more than are looked for, which costs
    /// time, no word is shown.
    mutating func add(cookiesOf reply: HTTPResponse) {
        var known: Set<String> = []
        for cookie in reply.headerFields[values: .setCookie] {
            let text = String(cookie.prefix { $0 != ";" })
            let secrets = HeaderSecrets(text)
            known.formUnion([text] + secrets.credentials + secrets.values)
            guard known.count <= Self.mostOfCookies else { return matcher.giveUp() }
            add(header: text, secrets)
        }
    }

    /// The text without the secrets.
    package func redact(_ text: String) -> String {
        String(decoding: redact(Array(text.utf8)), as: UTF8.self)
    }

    /// The text without the secrets, of at most so many of its bytes; an ellipsis stands for the rest.
    ///
    /// However long a server's words are, to look for secrets in them costs little.
    func redact(beginningOf text: String, upTo limit: Int = longestText) -> String {
        guard text.utf8.count > limit else { return redact(text) }
        // Some more than is wanted: enough of a secret that begins before the cut to be told by.
        let piece = Array(text.utf8.prefix(limit + min(reach, limit)))
        let shown = BodyText(piece, self, hiding: [], upTo: limit, of: text.utf8.count)
        return (shown?.text ?? Self.mark) + "…"
    }

    /// The text without the secrets, if its end may have been cut off (`Violation.bounded`), and with
    /// that the end of a secret.
    func redactCut(_ text: String) -> String {
        let ellipsis = "…"
        guard text.hasSuffix(ellipsis) else { return redact(text) }
        let bytes = Array(text.utf8.dropLast(ellipsis.utf8.count))
        return String(decoding: redact(bytes, isCut: true), as: UTF8.self) + ellipsis
    }

    /// The text without the secrets, of which only so many bytes are wanted.
    ///
    /// By bytes, so that a combining character behind a secret does not hide it.
    func redact(
        _ bytes: [UInt8], isCut: Bool = false, hiding extra: [Range<Int>] = [],
        upTo limit: Int = .max
    ) -> [UInt8] {
        let ranges = (matcher.ranges(in: bytes, isCut: isCut) + extra).sorted {
            $0.lowerBound < $1.lowerBound
        }
        var result: [UInt8] = []
        var place = 0
        let end = min(bytes.count, max(0, limit))
        for range in ranges where range.lowerBound < end {
            guard range.upperBound > place else { continue }
            if range.lowerBound > place || place == 0 {
                result += bytes[place..<max(place, range.lowerBound)]
                result += Self.mark.utf8
            }
            place = range.upperBound
        }
        if place < end { result += bytes[place..<end] }
        return result
    }

    /// A secret in base 64 and in the form of it for addresses (RFC 4648, sections 4 and 5), wherever it
    /// stands in what is encoded: behind any number of bytes, which shift it by a part of a character.
    /// Without the first and the last character if what is beside it shows in them.
    private static func base64(_ secret: String) -> [String] {
        let count = secret.utf8.count
        let pieces = (0..<3).compactMap { shift -> String? in
            let padded = Data(repeating: 0, count: shift) + secret.utf8
            // Six bits a character.
            let (first, end) = ((shift * 8 + 5) / 6, (shift + count) * 8 / 6)
            guard shift == 0 || end - first >= shortestInner else { return nil }
            return String(padded.base64EncodedString().prefix(end).dropFirst(first))
        }
        return pieces.flatMap {
            [$0, $0.replacing("+", with: "-").replacing("/", with: "_")]
        }
    }
}
