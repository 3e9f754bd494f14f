/// Finds secrets in a text in which any character may be percent-encoded (RFC 3986, section 2.1),
/// JSON-escaped (RFC 8259, section 7), or JSON-escaped twice.
struct SecretMatcher: Sendable {
    /// The secrets by their first byte.
    private var secrets: [UInt8: [[UInt8]]] = [:]
    /// All secrets, to skip duplicates.
    private var known: Set<[UInt8]> = []
    /// The bytes with which any encoded form of a secret may begin.
    private var beginnings = [Bool](repeating: false, count: 256)
    private var longest = 0
    /// Whether there are too many secrets to search for, so that every text counts as secret.
    private var exceedsLimit = false

    /// The maximum number of bytes that encode one byte of a secret: `\u005cu0041`.
    private static let longestSpelling = 11

    /// The maximum length in bytes of a secret in a text, in its longest encoding.
    package var reach: Int { longest * Self.longestSpelling }

    /// Adds a secret.
    package mutating func add(_ secret: String) { add(Array(secret.utf8)) }

    /// Adds the bytes of a secret.
    mutating func add(_ bytes: [UInt8]) {
        guard let first = bytes.first, known.insert(bytes).inserted else { return }
        secrets[first, default: []].append(bytes)
        longest = max(longest, bytes.count)
        for byte in [first, UInt8(ascii: "%"), UInt8(ascii: "\\")] {
            beginnings[Int(byte)] = true
        }
        if first == UInt8(ascii: " ") { beginnings[Int(UInt8(ascii: "+"))] = true }
    }

    /// Treats every text as secret from this call on.
    package mutating func hideEverything() { exceedsLimit = true }

    /// Removes the secrets that have fewer bytes.
    package mutating func drop(shorterThan count: Int) {
        secrets = secrets.mapValues { $0.filter { $0.count >= count } }
        known = known.filter { $0.count >= count }
    }

    /// Returns the ranges of secrets, in order; they may overlap. If the search exceeds its budget,
    /// the rest of the text counts as secret.
    ///
    /// - Parameter isCut: Whether the text is truncated, so that a partial secret at its end counts
    ///   as a secret.
    package func ranges(in text: [UInt8], isCut: Bool = false) -> [Range<Int>] {
        var search = SecretSearch(text, isCut: isCut)
        return ranges(with: &search)
    }

    /// Returns the same ranges with a search whose cost the caller can inspect afterwards.
    package func ranges(with search: inout SecretSearch) -> [Range<Int>] {
        let text = search.text
        if exceedsLimit, !text.isEmpty { return [0..<text.count] }
        guard longest > 0 else { return [] }
        var ranges: [Range<Int>] = []
        for place in text.indices where beginnings[Int(text[place])] {
            let ends = candidates(search.spellings(at: place), text[place]).compactMap {
                search.end(of: $0, at: place)
            }
            search.pass(place)
            if search.isExhausted { return ranges + [place..<text.count] }
            if let end = ends.max() { ranges.append(place..<end) }
        }
        return ranges
    }

    /// Returns the secrets that begin with the byte itself or with a character that it may encode.
    private func candidates(_ spellings: [JSONEscape.Character], _ byte: UInt8) -> [[UInt8]] {
        let literal = secrets[byte] ?? []
        guard !spellings.isEmpty else { return literal }
        let firsts = Set(spellings.compactMap(\.bytes.first))
        return literal + firsts.subtracting([byte]).flatMap { secrets[$0] ?? [] }
    }
}
