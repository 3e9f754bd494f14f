/// The search for secrets in one text.
struct SecretSearch {
    /// How often, on average, a byte of the text may be compared with one of a secret, or read as a
    /// part of an escape.
    private static let comparisons = 32

    /// How much of a secret has been found, up to which place of the text.
    private struct Progress: Hashable {
        var known = 0
        var place: Int
    }

    let text: [UInt8]
    private let isCut: Bool
    private let allowance: Int
    /// How many bytes have been compared or decoded.
    private(set) var spent = 0
    /// What has been found out about places where something may be spelled, from the present one on.
    private var known: [Int: [JSONEscape.Character]] = [:]

    init(_ text: [UInt8], isCut: Bool) {
        self.text = text
        self.isCut = isCut
        allowance = 262_144 + text.count * Self.comparisons
    }

    /// Whether the text was made to cost time.
    var isExhausted: Bool { spent > allowance }

    /// Of how many places it remembers what they may stand for.
    var remembered: Int { known.count }

    /// Forgets a place where no secret is looked for any more, and none that begins later has a part.
    mutating func pass(_ place: Int) {
        if text[place] == UInt8(ascii: "\\") { known[place] = nil }
    }

    /// Where a secret ends that begins here; nil if it does not.
    ///
    /// A percent sign may stand for itself or begin the spelling of another character, and so may a
    /// backslash: all ways are tried, and none twice.
    mutating func end(of secret: [UInt8], at start: Int) -> Int? {
        var open = [Progress(place: start)]
        var tried: Set<Progress> = []
        while var progress = open.popLast(), !isExhausted {
            while progress.known < secret.count, progress.place < text.count {
                spent += 1
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
        case UInt8(ascii: "&"): XMLEntity.breaksOff(in: text, at: place)
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
        case UInt8(ascii: "&"):
            spent += XMLEntity.longest
            return XMLEntity.character(in: text, at: place).map { [$0] } ?? []
        default: return []
        }
    }

    private mutating func escapes(at place: Int) -> [JSONEscape.Character] {
        spent += 1
        guard let once = JSONEscape.character(in: text, at: place) else { return [] }
        spent += once.end - place
        // What an escape stands for may itself begin one, in a text that is JSON again.
        guard once.bytes == [UInt8(ascii: "\\")] else { return [once] }
        return [once, twice(after: once.end)].compactMap(\.self)
    }

    /// The character of a text of JSON in a text of JSON whose escape has begun; what follows may have
    /// escapes of its own.
    private mutating func twice(after place: Int) -> JSONEscape.Character? {
        // A pair of `\u0041` is the longest that an escape can be, each byte in six at most.
        let rest = place..<min(text.count, place + 66)
        // Only what begins like one is read so far: a text may be full of backslashes.
        let first = JSONEscape.decoded(rest, of: text, upTo: 1)
        let isLong = first.text.first == UInt8(ascii: "u")
        let (inner, places) = isLong ? JSONEscape.decoded(rest, of: text, upTo: 11) : first
        spent += places[places.count - 1] - place
        let escape = [UInt8(ascii: "\\")] + inner.prefix(11)
        guard let character = JSONEscape.character(in: escape, at: 0) else { return nil }
        return (character.bytes, places[character.end - 1])
    }
}
