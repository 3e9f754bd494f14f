/// Finds secrets in a text in which any of their characters may be percent-encoded (RFC 3986,
/// section 2.1) or escaped as in JSON (RFC 8259, section 7), also as in JSON that is a text of JSON, or
/// as in XML.
struct SecretMatcher: Sendable {
    /// The secrets by their first byte.
    private var secrets: [UInt8: [[UInt8]]] = [:]
    /// All of them, to know one that comes again.
    private var known: Set<[UInt8]> = []
    /// The bytes with which a spelling of any secret may begin.
    private var beginnings = [Bool](repeating: false, count: 256)
    private var longest = 0
    /// Whether there are more of them than are looked for: then any text may be one.
    private var areTooMany = false

    /// The most bytes that one byte of a secret takes in use: `\u005cu0041`, `&#x0000041;`.
    private static let longestSpelling = 11

    /// How far behind its first byte a secret may end.
    var reach: Int { longest * Self.longestSpelling }

    /// Remembers a secret.
    mutating func add(_ secret: String) {
        let bytes = Array(secret.utf8)
        guard let first = bytes.first, known.insert(bytes).inserted else { return }
        secrets[first, default: []].append(bytes)
        longest = max(longest, bytes.count)
        for byte in [first, UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&")] {
            beginnings[Int(byte)] = true
        }
        if first == UInt8(ascii: " ") { beginnings[Int(UInt8(ascii: "+"))] = true }
    }

    /// Takes any text for a secret from now on.
    mutating func giveUp() { areTooMany = true }

    /// Forgets secrets of fewer bytes.
    mutating func drop(shorterThan count: Int) {
        secrets = secrets.mapValues { $0.filter { $0.count >= count } }
        known = known.filter { $0.count >= count }
    }

    /// Where secrets are, in order; the ranges may overlap. What is made to cost time counts as a secret
    /// to its end.
    ///
    /// - Parameter isCut: Whether a secret may end behind the text, of which enough is there then.
    func ranges(in text: [UInt8], isCut: Bool = false) -> [Range<Int>] {
        var search = SecretSearch(text, isCut: isCut)
        return ranges(with: &search)
    }

    /// The same, with a search that tells afterwards what it has cost.
    func ranges(with search: inout SecretSearch) -> [Range<Int>] {
        let text = search.text
        if areTooMany, !text.isEmpty { return [0..<text.count] }
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

    /// The secrets that may begin with a byte, or with one of the characters that it may stand for.
    private func candidates(_ spellings: [JSONEscape.Character], _ byte: UInt8) -> [[UInt8]] {
        let literal = secrets[byte] ?? []
        guard !spellings.isEmpty else { return literal }
        let firsts = Set(spellings.compactMap(\.bytes.first))
        return literal + firsts.subtracting([byte]).flatMap { secrets[$0] ?? [] }
    }
}
