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

    /// Where secrets are, in order; the ranges may overlap. What is made to cost time counts as a secret
    /// to its end.
    ///
    /// - Parameter isCut: Whether a secret may end behind the text, of which enough is there then.
    func ranges(in text: [UInt8], isCut: Bool = false) -> [Range<Int>] {
        guard longest > 0 else { return [] }
        var search = SecretSearch(text, isCut: isCut)
        var ranges: [Range<Int>] = []
        for place in text.indices where beginnings[Int(text[place])] {
            let ends = candidates(search.spellings(at: place), text[place]).compactMap {
                search.end(of: $0, at: place)
            }
            if search.isExhausted { return ranges + [place..<text.count] }
            if let end = ends.max() { ranges.append(place..<end) }
        }
        return ranges
    }

    /// The secrets that may begin with a byte, or with one of the characters that it may stand for.
    private func candidates(_ spellings: [JSONEscape.Character], _ byte: UInt8) -> [[UInt8]] {
        let literal = secrets[byte] ?? []
        guard !spellings.isEmpty else { return literal }
        var firsts = Set(spellings.compactMap(\.bytes.first))
        firsts.remove(byte)
        return literal + firsts.flatMap { secrets[$0] ?? [] }
    }
}

/// The search for secrets in one text.
private struct SecretSearch {
    /// How often, on average, a byte of the text may be compared with one of a secret.
    private static let comparisons = 32

    /// How much of a secret has been found, up to which place of the text.
    private struct Progress: Hashable {
        var known = 0
        var place: Int
    }

    private let text: [UInt8]
    private let isCut: Bool
    private var budget: Int
    /// What has been found out about places where something may be spelled.
    private var known: [Int: [JSONEscape.Character]] = [:]

    init(_ text: [UInt8], isCut: Bool) {
        self.text = text
        self.isCut = isCut
        budget = 262_144 + text.count * Self.comparisons
    }

    /// Whether the text was made to cost time.
    var isExhausted: Bool { budget < 0 }

    /// Where a secret ends that begins here; nil if it does not.
    ///
    /// A percent sign may stand for itself or begin the spelling of another character, and so may a
    /// backslash: all ways are tried, and none twice.
    mutating func end(of secret: [UInt8], at start: Int) -> Int? {
        var open = [Progress(place: start)]
        var tried: Set<Progress> = []
        while var progress = open.popLast(), !isExhausted {
            while progress.known < secret.count, progress.place < text.count {
                budget -= 1
                let isLiteral = text[progress.place] == secret[progress.known]
                let others = spelled(secret, progress)
                // Most secrets are spelled in one way, which needs no memory.
                if !others.isEmpty || !tried.isEmpty, !tried.insert(progress).inserted { break }
                for other in isLiteral ? others[...] : others.dropFirst() { open.append(other) }
                guard isLiteral || !others.isEmpty else { break }
                progress =
                    isLiteral
                    ? Progress(known: progress.known + 1, place: progress.place + 1) : others[0]
            }
            if progress.known == secret.count { return progress.place }
            if isCut, progress.known >= Redactor.shortestPart, breaksOff(at: progress.place) {
                return text.count
            }
        }
        return nil
    }

    /// The progress if the next character of the secret is spelled in another way.
    private mutating func spelled(_ secret: [UInt8], _ progress: Progress) -> [Progress] {
        spellings(at: progress.place).compactMap { character in
            guard secret[progress.known...].starts(with: character.bytes) else { return nil }
            return Progress(
                known: progress.known + character.bytes.count, place: character.end)
        }
    }

    /// Whether the text ends here, be it in the middle of a spelling.
    private func breaksOff(at place: Int) -> Bool {
        guard place < text.count else { return true }
        return switch text[place] {
        case UInt8(ascii: "%"): text.count - place < 3
        case UInt8(ascii: "\\"): text.count - place < 12
        default: false
        }
    }

    /// The characters that may be spelled here in another way than by themselves.
    mutating func spellings(at place: Int) -> [JSONEscape.Character] {
        switch text[place] {
        case UInt8(ascii: "+"): return [([UInt8(ascii: " ")], place + 1)]
        case UInt8(ascii: "%"):
            return JSONEscape.hex(in: text, at: place + 1, digits: 2).map {
                [([UInt8(truncatingIfNeeded: $0)], place + 3)]
            } ?? []
        case UInt8(ascii: "\\"):
            if let known = known[place] { return known }
            let found = escapes(at: place)
            known[place] = found
            return found
        default: return []
        }
    }

    private func escapes(at place: Int) -> [JSONEscape.Character] {
        guard let once = JSONEscape.character(in: text, at: place) else { return [] }
        // What an escape stands for may itself begin one, in a text that is JSON again.
        guard once.bytes == [UInt8(ascii: "\\")] else { return [once] }
        return [once, twice(after: once.end)].compactMap(\.self)
    }

    /// The character of a text of JSON in a text of JSON whose escape has begun; what follows may have
    /// escapes of its own.
    private func twice(after place: Int) -> JSONEscape.Character? {
        // A pair of `\u0041` is the longest that an escape can be, each byte in six at most.
        let rest = place..<min(text.count, place + 66)
        let (inner, places) = JSONEscape.decoded(rest, of: text)
        let escape = [UInt8(ascii: "\\")] + inner.prefix(11)
        guard let character = JSONEscape.character(in: escape, at: 0) else { return nil }
        return (character.bytes, places[character.end - 1])
    }
}
