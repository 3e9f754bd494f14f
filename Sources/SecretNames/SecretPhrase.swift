/// A name of several words, as `new_password`, `csrf-token` and `appSecret` are. What it is called is
/// its last word; those before it say of what kind it is. So a `token_count` is a count, and no secret.
struct SecretPhrase {
    /// The words that name a secret at the end.
    private static let secrets: Set<String> = ["token", "password", "passwd", "secret"]
    /// Two words that do so only together.
    private static let pairs: [[String]] = [
        ["secret", "key"], ["private", "key"], ["api", "key"],
    ]
    /// What a form calls the password that is given twice.
    private static let repetitions: Set<String> = ["confirmation", "confirm", "repeat", "again"]
    /// What tells of a token that it is a place in a list.
    private static let places: Set<String> = [
        "page", "pagination", "next", "previous", "prev", "continuation", "continue", "cursor",
        "sync", "start", "end", "resume", "stop",
    ]
    /// What begins a statement about a secret, which is true or false.
    private static let statements: Set<String> = [
        "is", "has", "no", "wrong", "forgot", "needs", "requires", "use", "with", "show",
    ]

    /// How a name may end that is a secret, from behind.
    private static let endings: [[UInt8]] = (secrets.union(repetitions).union(["key"]))
        .map { $0.utf8.reversed() }

    private let words: [String]

    init(_ name: String) {
        words = Self.words(of: name)
    }

    var isSecret: Bool {
        guard let first = words.first, let last = words.last,
            words.count == 1 || !Self.statements.contains(first)
        else { return false }
        // Some write words together: `csrfmiddlewaretoken`.
        if let secret = Self.secrets.first(where: last.hasSuffix) {
            let before = words.dropLast() + [String(last.dropLast(secret.count))]
            return secret != "token" || !before.contains { Self.places.contains($0) }
        }
        let last2 = words.suffix(2)
        if Self.repetitions.contains(last) { return last2.first == "password" }
        return Self.pairs.contains { $0[...] == last2 }
    }

    /// Whether a name may be one, by its end: most names need no second look.
    static func mayBeSecret(_ name: String) -> Bool {
        let end = name.utf8.reversed().drop(while: isDigit)
        return endings.contains { end.starts(with: $0) { $0 | 0x20 == $1 } }
    }

    /// The words in small letters: what stands between other characters, and within that from a capital
    /// letter on that begins one, as in `appSecret` and `CSRFToken`. Digits, as in `password2`, say
    /// nothing.
    private static func words(of name: String) -> [String] {
        let bytes = name.utf8.filter { !isDigit($0) }
        var words: [[UInt8]] = [[]]
        for (place, byte) in bytes.enumerated() {
            guard isLetter(byte) else {
                words.append([])
                continue
            }
            let follows = place > 0 && isLetter(bytes[place - 1])
            let isBeginning =
                follows && isCapital(byte)
                && (!isCapital(bytes[place - 1])
                    || place + 1 < bytes.count && isSmall(bytes[place + 1]))
            if isBeginning { words.append([]) }
            words[words.count - 1].append(byte | 0x20)
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { isCapital(byte) || isSmall(byte) }
}
