/// A search for secrets in one text.
struct SecretSearch {
    /// How often, on average, a byte of the text may be compared with a byte of a secret or decoded
    /// as part of an escape sequence.
    private static let comparisons = 32

    /// The number of bytes of a secret that have been matched, and the next position in the text.
    private struct Progress: Hashable {
        package var known = 0
        package var place: Int
    }

    package let text: [UInt8]
    private let isCut: Bool
    private let allowance: Int
    /// The number of bytes compared or decoded so far.
    private(set) var spent = 0
    /// The decoded escape sequences by position, from the current position on.
    private var known: [Int: [JSONEscape.Character]] = [:]

    package init(_ text: [UInt8], isCut: Bool) {
        self.text = text
        self.isCut = isCut
        allowance = 262_144 + text.count * Self.comparisons
    }

    /// Whether the search has exceeded its budget, as it does for texts crafted to be slow.
    var isExhausted: Bool { spent > allowance }

    /// The number of positions whose decoded characters are cached.
    package var remembered: Int { known.count }

    /// Removes a position from the cache: all later matches begin after it.
    package mutating func pass(_ place: Int) {
        if text[place] == UInt8(ascii: "\\") { known[place] = nil }
    }

    /// Returns the end of a secret that begins here; `nil` if there is none.
    ///
    /// A percent sign may be literal or begin an encoded character, and so may a backslash. All
    /// readings are tried, each once.
    package mutating func end(of secret: [UInt8], at start: Int) -> Int? {
        guard mayBegin(secret, at: start) else { return nil }
        var open = [Progress(place: start)]
        var tried: Set<Progress> = []
        while var progress = open.popLast(), !isExhausted {
            while progress.known < secret.count, progress.place < text.count {
                spent += 1
                let isLiteral = text[progress.place] == secret[progress.known]
                let others = spelled(secret, progress)
                // Most secrets have a single reading, for which nothing needs to be recorded.
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

    /// Whether the second byte does not exclude a secret whose first one has been found: most
    /// places are passed here, without any list.
    private func mayBegin(_ secret: [UInt8], at start: Int) -> Bool {
        guard secret.count > 1, !Self.mayEncode(text[start]) else { return true }
        guard start + 1 < text.count else { return false }
        return text[start + 1] == secret[1] || Self.mayEncode(text[start + 1])
    }

    /// Whether a byte may begin an encoded character.
    private static func mayEncode(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "%"), UInt8(ascii: "\\"): true
        default: false
        }
    }

    /// Returns the possible next steps if the next character of the secret is encoded.
    private mutating func spelled(_ secret: [UInt8], _ progress: Progress) -> [Progress] {
        spellings(at: progress.place).compactMap { character in
            guard secret[progress.known...].starts(with: character.bytes) else { return nil }
            return Progress(
                known: progress.known + character.bytes.count, place: character.end)
        }
    }

    /// Whether the text ends here, possibly in the middle of an encoded character.
    private func breaksOff(at place: Int) -> Bool {
        guard place < text.count else { return true }
        return switch text[place] {
        case UInt8(ascii: "%"): text.count - place < 3
        case UInt8(ascii: "\\"): text.count - place < 12
        default: false
        }
    }

    /// Returns the characters that an encoded form at this position may stand for.
    package mutating func spellings(at place: Int) -> [JSONEscape.Character] {
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

    private mutating func escapes(at place: Int) -> [JSONEscape.Character] {
        spent += 1
        guard let once = JSONEscape.character(in: text, at: place) else { return [] }
        spent += once.end - place
        // The decoded backslash may itself begin an escape sequence, in JSON inside JSON.
        guard once.bytes == [UInt8(ascii: "\\")] else { return [once] }
        return [once, twice(after: once.end)].compactMap(\.self)
    }

    /// Decodes the rest of an escape sequence of a JSON string inside a JSON string; its characters
    /// may be escaped, too.
    private mutating func twice(after place: Int) -> JSONEscape.Character? {
        // A surrogate pair is the longest escape sequence: 11 bytes after the backslash, each
        // encoded in at most six.
        let rest = place..<min(text.count, place + 66)
        // Only one byte is decoded first, because a text may be full of backslashes.
        let first = JSONEscape.decoded(rest, of: text, upTo: 1)
        let isLong = first.text.first == UInt8(ascii: "u")
        let (inner, places) = isLong ? JSONEscape.decoded(rest, of: text, upTo: 11) : first
        spent += places[places.count - 1] - place
        let escape = [UInt8(ascii: "\\")] + inner.prefix(11)
        guard let character = JSONEscape.character(in: escape, at: 0) else { return nil }
        return (character.bytes, places[character.end - 1])
    }
}
