/// Finds secrets in a text in which any of their characters may be percent-encoded (RFC 3986,
/// section 2.1) or escaped as in JSON (RFC 8259, section 7).
struct SecretMatcher: Sendable {
    /// The secrets by their first byte.
    private var secrets: [UInt8: [[UInt8]]] = [:]
    /// The bytes with which a spelling of any secret may begin.
    private var beginnings = [Bool](repeating: false, count: 256)
    private var longest = 0

    /// The most bytes that one byte of a secret takes: `\u0041`.
    private static let longestSpelling = 6

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
        guard Self.mayBeSpelling(text[place]),
            let first = Self.character(in: text, at: place)?.bytes.first, first != text[place]
        else { return literal }
        return literal + (secrets[first] ?? [])
    }

    private static func mayBeSpelling(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "+")
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
    /// backslash: both ways are tried, and none twice.
    private static func end(
        of secret: [UInt8], in text: [UInt8], at start: Int, isCut: Bool
    ) -> Int? {
        var open = [Progress(place: start)]
        var tried: Set<Progress> = []
        while var progress = open.popLast() {
            while progress.known < secret.count, progress.place < text.count {
                let literal = text[progress.place] == secret[progress.known]
                let spelled = spelled(secret, text, progress)
                if literal, let spelled, tried.insert(spelled).inserted { open.append(spelled) }
                guard let next = literal ? progress.next : spelled else { break }
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
    ) -> Progress? {
        guard mayBeSpelling(text[progress.place]),
            let character = character(in: text, at: progress.place),
            secret[progress.known...].starts(with: character.bytes)
        else { return nil }
        return Progress(
            known: progress.known + character.bytes.count, place: character.end)
    }

    /// The character that is spelled here in another way.
    private static func character(
        in text: [UInt8], at place: Int
    ) -> (bytes: [UInt8], end: Int)? {
        switch text[place] {
        case UInt8(ascii: "+"): ([UInt8(ascii: " ")], place + 1)
        case UInt8(ascii: "%"):
            hex(in: text, at: place + 1, digits: 2).map {
                ([UInt8(truncatingIfNeeded: $0)], place + 3)
            }
        case UInt8(ascii: "\\"): escape(in: text, at: place)
        default: nil
        }
    }

    private static func escape(
        in text: [UInt8], at place: Int
    ) -> (bytes: [UInt8], end: Int)? {
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
    private static func unicode(
        in text: [UInt8], at place: Int
    ) -> (bytes: [UInt8], end: Int)? {
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
