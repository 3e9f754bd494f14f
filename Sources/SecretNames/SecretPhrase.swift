/// A name of several words, as `new_password`, `csrf-token` and `appSecret` are. What it is called is
/// its last word; those before it say of what kind it is. So a `token_count` is a count, and no secret.
///
/// A secret is taken out of redirects and texts, so that a name which only looks like one does harm: a
/// `next_token` is a place in a list, a `file_token` a document, `reset_password` a command. So only kinds
/// count that are known to be of secrets.
struct SecretPhrase {
    /// How a secret is called at the end.
    private static let secrets: [[String]] = [
        ["token"], ["password"], ["passwd"], ["secret"], ["secret", "key"], ["private", "key"],
        ["api", "key"], ["secret", "access", "key"],
    ]
    /// Of what kind it may be.
    private static let kinds: Set<String> = [
        "access", "account", "admin", "api", "app", "application", "auth", "authenticity", "aws",
        "bearer", "bot", "client", "consumer", "csrf", "csrfmiddleware", "current", "database",
        "db",
        "id", "jwt", "login", "master", "my", "new", "oauth", "old", "personal", "refresh", "rsa",
        "security", "service", "session", "shared", "sign", "signing", "ssh", "temporary", "token",
        "user", "webhook", "x", "xsrf",
    ]
    /// Kinds that are none of a token: `client_token` is AWS's word for an idempotency key.
    private static let notOfTokens: Set<String> = ["client", "new", "old"]
    /// What a form calls the password that is given twice.
    private static let repetitions: Set<String> = ["confirmation", "confirm", "repeat", "again"]

    /// How a name may end that is a secret, from behind.
    private static let endings: [[UInt8]] = (secrets.compactMap(\.last) + repetitions)
        .map { $0.utf8.reversed() }

    private let words: [String]

    init(_ name: String) {
        words = Self.words(of: name)
    }

    var isSecret: Bool {
        guard let last = words.last else { return false }
        if Self.repetitions.contains(last) {
            return SecretPhrase(words.dropLast()).words.last == "password"
        }
        return Self.secrets.contains { isSecret($0) } || isSecretInOneWord(last)
    }

    private init(_ words: ArraySlice<String>) {
        self.words = Array(words)
    }

    private func isSecret(_ ending: [String]) -> Bool {
        words.suffix(ending.count) == ending[...]
            && Self.areKinds(words.dropLast(ending.count), of: ending)
    }

    /// Some write words together: `csrfmiddlewaretoken`, `newpassword`.
    private func isSecretInOneWord(_ last: String) -> Bool {
        Self.secrets.contains { ending in
            guard last.count > ending[0].count, ending.count == 1, last.hasSuffix(ending[0])
            else { return false }
            return Self.areKinds(
                words.dropLast() + [String(last.dropLast(ending[0].count))], of: ending)
        }
    }

    private static func areKinds(_ words: ArraySlice<String>, of ending: [String]) -> Bool {
        let isToken = ending == ["token"]
        return words.allSatisfy { kinds.contains($0) && !(isToken && notOfTokens.contains($0)) }
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
