import HTTPTypes
import TelexJSON
import TelexTransport

/// Replaces known secrets in texts for logs, errors and records. Secrets are also found
/// percent-encoded, base64-encoded, JSON-escaped, XML-escaped, or encoded twice.
package struct Redactor: Sendable {
    /// The mark that replaces a secret.
    package static let mark = Violation.redacted
    /// The minimum length of a part of a secret: shorter parts would match everywhere.
    package static let shortestPart = 4
    /// The minimum length of a base64 fragment if the secret is not at the start of the encoded
    /// data: shorter fragments could encode anything.
    private static let shortestInner = 6
    /// The maximum number of bytes searched and shown of a text that a server chose.
    static let longestText = 4096

    /// The maximum number of secrets taken from the cookies of one reply. Most cookies have two:
    /// the whole pair and its value. No legitimate reply exceeds the limit.
    static let maximumCookieSecrets = 128

    private var matcher = SecretMatcher()

    /// Makes a redactor of these secrets.
    package init(_ secrets: String...) {
        for secret in secrets { add(secret) }
    }

    /// Adds a secret and its encoded forms.
    package mutating func add(_ secret: String) {
        guard !secret.isEmpty else { return }
        matcher.add(secret)
        matcher.add(PercentEncoding.component(secret))
        matcher.add(PercentEncoding.segment(secret[...]))
        matcher.add(PercentEncoding.form(secret))
        let escaped = XMLEntity.escaped(secret)
        matcher.add(escaped)
        matcher.add(XMLEntity.escaped(escaped))
        guard secret.utf8.count >= Self.shortestPart else { return }
        for base64 in Self.base64(secret) { matcher.add(base64) }
    }

    /// Adds a secret, also in the form in which server messages are shown: without invisible
    /// characters.
    package mutating func hide(_ secret: String) {
        add(secret)
        add(secret.visible)
    }

    /// Adds a part of a secret, unless it is too short to be distinctive.
    package mutating func add(part: String) {
        if part.utf8.count >= Self.shortestPart { add(part) }
    }

    /// A redactor without the secrets that are so short that they would match everywhere.
    package var withoutShortSecrets: Redactor {
        var redactor = self
        redactor.matcher.drop(shorterThan: Self.shortestPart)
        return redactor
    }

    /// Adds the value of a secret header field, and the secrets in it.
    package mutating func add(header value: String) { add(header: value, HeaderSecrets(value)) }

    private mutating func add(header value: String, _ secrets: HeaderSecrets) {
        add(value)
        for secret in secrets.credentials + secrets.values { add(part: secret) }
    }

    /// Adds the cookies that a reply sets. If there are too many to search for, `redact` hides the
    /// whole text instead.
    package mutating func add(cookiesOf reply: HTTPResponse) {
        var known: Set<String> = []
        for cookie in reply.headerFields[values: .setCookie] {
            let text = String(cookie.prefix { $0 != ";" })
            let secrets = HeaderSecrets(text)
            known.formUnion([text] + secrets.credentials + secrets.values)
            guard known.count <= Self.maximumCookieSecrets else { return matcher.hideEverything() }
            add(header: text, secrets)
        }
    }

    /// Returns the text with its secrets replaced.
    package func redact(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let places = matcher.ranges(in: bytes)
        if places.isEmpty { return text }
        return String(decoding: Self.text(bytes, hiding: places, upTo: .max), as: UTF8.self)
    }

    /// Returns at most `limit` bytes of the text, in whole characters, with its secrets replaced,
    /// and a mark for the rest.
    ///
    /// The cost does not depend on the length of the text, which a server may choose.
    package func redact(
        beginningOf text: String, upTo limit: Int = longestText, rest: String = "…"
    ) -> String {
        guard text.utf8.count > limit else { return redact(text) }
        // The excess bytes allow recognising a secret that crosses the limit.
        let piece = Array(text.utf8.prefix(limit + 1 + min(matcher.reach, limit)))
        let isContinuation: (UInt8) -> Bool = { $0 & 0xC0 == 0x80 }
        let end = piece[...limit].lastIndex { !isContinuation($0) } ?? limit
        let shown = redact(piece, isCut: true, upTo: end)
        return String(decoding: shown, as: UTF8.self) + rest
    }

    /// Returns the text with its secrets replaced. If the text ends with the ellipsis of
    /// `Violation.bounded`, a truncated secret at its end is replaced, too.
    package func redactCut(_ text: String) -> String {
        let ellipsis = "…"
        guard text.hasSuffix(ellipsis) else { return redact(text) }
        let bytes = Array(text.utf8.dropLast(ellipsis.utf8.count))
        return String(decoding: redact(bytes, isCut: true), as: UTF8.self) + ellipsis
    }

    /// Returns at most `limit` bytes with the secrets replaced.
    ///
    /// The search compares bytes, so that a combining character after a secret does not hide it.
    package func redact(
        _ bytes: [UInt8], isCut: Bool = false, hiding extra: [Range<Int>] = [],
        upTo limit: Int = .max
    ) -> [UInt8] {
        let ranges = (matcher.ranges(in: bytes, isCut: isCut) + extra).sorted {
            $0.lowerBound < $1.lowerBound
        }
        return Self.text(bytes, hiding: ranges, upTo: limit)
    }

    /// Returns at most `limit` bytes with these ranges, in their order, replaced.
    private static func text(
        _ bytes: [UInt8], hiding ranges: [Range<Int>], upTo limit: Int
    ) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        let end = min(bytes.count, max(0, limit))
        for range in ranges where range.lowerBound < end {
            guard range.upperBound > place else { continue }
            if range.lowerBound > place || place == 0 {
                result += bytes[place..<max(place, range.lowerBound)]
                result += mark.utf8
            }
            place = range.upperBound
        }
        if place < end { result += bytes[place..<end] }
        return result
    }

    /// Returns the base64 and base64url forms of a secret (RFC 4648, sections 4 and 5) at each of
    /// the three bit offsets at which it may occur inside encoded data. Characters that also encode
    /// bits of neighbouring bytes are left out.
    private static func base64(_ secret: String) -> [[UInt8]] {
        let bytes = Array(secret.utf8)
        return (0..<3).flatMap { shift -> [[UInt8]] in
            // Each base64 character encodes six bits.
            let (first, end) = ((shift * 8 + 5) / 6, (shift + bytes.count) * 8 / 6)
            guard shift == 0 || end - first >= shortestInner else { return [] }
            let digits = (first..<end).map { place -> Int in
                let (byte, bit) = ((place * 6) / 8 - shift, (place * 6) % 8)
                let next = byte + 1 < bytes.count ? bytes[byte + 1] : 0
                return (Int(bytes[byte]) << 8 | Int(next)) >> (10 - bit) & 0x3F
            }
            return [digits.map { base64Digits[$0] }, digits.map { base64URLDigits[$0] }]
        }
    }

    private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let base64Digits = Array((alphabet + "+/").utf8)
    private static let base64URLDigits = Array((alphabet + "-_").utf8)
}
