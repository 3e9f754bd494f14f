/// Finds secrets in a text in which any of their characters may be percent-encoded (RFC 3986,
/// section 2.1) or escaped as in JSON (RFC 8259, section 7), also as in JSON that is a text of JSON.
struct SecretMatcher: Sendable {
    /// The secrets by their first byte.
    private var secrets: [UInt8: [[UInt8]]] = [:]
    /// The bytes with which a spelling of any secret may begin.
    private var beginnings = [Bool](repeating: false, count: 256)
    private var longest = 0

    /// The most bytes that one byte of a secret takes in use: `\u005cu0041`.
    private static let longestSpelling = 11

    /// How far behind its first byte a secret may end.
    var reach: Int { longest * Self.longestSpelling }

    /// Remembers a secret.
    mutating func add(_ secret: String) {
        let bytes = Array(secret.utf8)
        guard let first = bytes.first, secrets[first]?.contains(bytes) != true else { return }
        secrets[first, default: []].append(bytes)
        longest = max(longest, bytes.count)
        for byte in [first, UInt8(ascii: "%"), UInt8(ascii: "\\")] { beginnings[Int(byte)] = true }
        if first == UInt8(ascii: " ") { beginnings[Int(UInt8(ascii: "+"))] = true }
    }

    /// Where secrets are, in order; the ranges may overlap.
    ///
    /// - Parameter isCut: Whether a secret may end behind the text, of which enough is there then.
    func ranges(in text: [UInt8], isCut: Bool = false) -> [Range<Int>] {
        guard longest > 0 else { return [] }
        return text.indices.compactMap { place in
            guard beginnings[Int(text[place])] else { return nil }
            let ends = candidates(text, place).compactMap {
                Self.end(of: $0, in: text, at: place, isCut: isCut)
            }
            return ends.max().map { place..<$0 }
        }
    }

    /// The secrets that may begin here.
    private func candidates(_ text: [UInt8], _ place: Int) -> [[UInt8]] {
        let literal = secrets[text[place]] ?? []
        var firsts = Set(Self.spellings(in: text, at: place).compactMap(\.bytes.first))
        guard !firsts.isEmpty else { return literal }
        firsts.remove(text[place])
        return literal + firsts.flatMap { secrets[$0] ?? [] }
    }

    /// How much of a secret has been found, up to which place of the text.
    private struct Progress: Hashable {
        var known = 0
        var place: Int

        var next: Progress { Progress(known: known + 1, place: place + 1) }
    }

    /// Where a secret ends that begins here; nil if it does not.
    ///
    /// A percent sign may stand for itself or begin the spelling of another character, and so may a
    /// backslash: all ways are tried, and none twice.
    private static func end(
        of secret: [UInt8], in text: [UInt8], at start: Int, isCut: Bool
    ) -> Int? {
        var open = [Progress(place: start)]
        var tried: Set<Progress> = []
        while var progress = open.popLast() {
            while progress.known < secret.count, progress.place < text.count {
                let isLiteral = text[progress.place] == secret[progress.known]
                let others = spelled(secret, text, progress)
                guard let next = isLiteral ? progress.next : others.first else { break }
                for other in isLiteral ? others[...] : others.dropFirst()
                where tried.insert(other).inserted {
                    open.append(other)
                }
                progress = next
            }
            if progress.known == secret.count { return progress.place }
            let isAtEnd = progress.place == text.count
            if isCut, isAtEnd, progress.known >= Redactor.shortestPart { return progress.place }
        }
        return nil
    }

    /// The progress if the next character of the secret is spelled in another way.
    private static func spelled(
        _ secret: [UInt8], _ text: [UInt8], _ progress: Progress
    ) -> [Progress] {
        spellings(in: text, at: progress.place).compactMap { character in
            guard secret[progress.known...].starts(with: character.bytes) else { return nil }
            return Progress(
                known: progress.known + character.bytes.count, place: character.end)
        }
    }

    /// A character, and where what spells it ends.
    private typealias Spelled = (bytes: [UInt8], end: Int)

    /// The characters that may be spelled here in another way than by themselves.
    private static func spellings(in text: [UInt8], at place: Int) -> [Spelled] {
        switch text[place] {
        case UInt8(ascii: "+"): return [([UInt8(ascii: " ")], place + 1)]
        case UInt8(ascii: "%"):
            return hex(in: text, at: place + 1, digits: 2).map {
                [([UInt8(truncatingIfNeeded: $0)], place + 3)]
            } ?? []
        case UInt8(ascii: "\\"):
            guard let once = escape(in: text, at: place) else { return [] }
            // What an escape stands for may itself begin one, in a text that is JSON again.
            guard once.bytes == [UInt8(ascii: "\\")] else { return [once] }
            return [once, twice(in: text, after: once.end)].compactMap(\.self)
        default: return []
        }
    }

    /// The character of a text of JSON in a text of JSON whose escape has begun; what follows may have
    /// escapes of its own.
    private static func twice(in text: [UInt8], after place: Int) -> Spelled? {
        var inner = [UInt8(ascii: "\\")]
        var ends = [place]
        var next = place
        // A pair of `\u0041` is the longest that an escape can be.
        while next < text.count, inner.count < 12 {
            let unit = text[next] == UInt8(ascii: "\\") ? escape(in: text, at: next) : nil
            let (bytes, end) = unit ?? ([text[next]], next + 1)
            inner += bytes
            ends += repeatElement(end, count: bytes.count)
            next = end
        }
        guard let character = escape(in: inner, at: 0) else { return nil }
        return (character.bytes, ends[character.end - 1])
    }

    private static func escape(in text: [UInt8], at place: Int) -> Spelled? {
        guard place + 1 < text.count else { return nil }
        switch text[place + 1] {
        case UInt8(ascii: "n"): return ([0x0A], place + 2)
        case UInt8(ascii: "r"): return ([0x0D], place + 2)
        case UInt8(ascii: "t"): return ([0x09], place + 2)
        case UInt8(ascii: "b"): return ([0x08], place + 2)
        case UInt8(ascii: "f"): return ([0x0C], place + 2)
        case UInt8(ascii: "u"): return unicode(in: text, at: place)
        case let byte: return ([byte], place + 2)
        }
    }

    /// `\u0041`, or two of them for a character beyond the first 65,536.
    private static func unicode(in text: [UInt8], at place: Int) -> Spelled? {
        guard let first = hex(in: text, at: place + 2, digits: 4) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (Array(scalar.utf8), place + 6) }
        guard place + 7 < text.count, text[place + 6] == UInt8(ascii: "\\"),
            let second = hex(in: text, at: place + 8, digits: 4),
            (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { return nil }
        return (Array(scalar.utf8), place + 12)
    }

    private static func hex(in text: [UInt8], at place: Int, digits: Int) -> UInt32? {
        guard place + digits <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[place..<place + digits] {
            guard let digit = digit(byte) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x37
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x57
        default: nil
        }
    }
}

extension Unicode.Scalar {
    fileprivate var utf8: [UInt8] { Array(String(Character(self)).utf8) }
}
