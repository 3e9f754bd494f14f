/// A name of several words, as `new_password`, `csrf-token` and `appSecret` are. What it is called is
/// its last word; those before it say of what kind it is. So a `token_count` is a count, and no secret.
///
/// A secret is taken out of redirects and texts, so that a name which only looks like one does harm: a
/// `next_token` is a place in a list, a `file_token` a document, `reset_password` a command. But one that
/// is not known for what it is shows the secret to whoever reads a log.
struct SecretPhrase {
    /// What is a secret whatever stands before it, if that does not ask or order something.
    private static let certain: [[String]] = [
        ["password"], ["passwd"], ["access", "token"], ["refresh", "token"], ["auth", "token"],
        ["secret", "key"], ["private", "key"], ["api", "key"], ["secret", "access", "key"],
    ]
    /// Words that ask or order something: `has_password`, `reset_password`.
    private static let questionsAndOrders: Set<String> = [
        "allow", "allows", "are", "by", "can", "change", "changed", "check", "create", "delete",
        "did",
        "disable", "does", "empty", "enable", "enter", "expired", "force", "forget", "forgot",
        "forgotten", "had",
        "has", "have", "hide", "incorrect", "invalid", "is", "lost", "may", "missing", "must",
        "need", "needs", "no", "recover", "remember", "remove", "request", "require", "required",
        "requires", "reset", "restore", "save", "send", "set", "should", "show", "skip", "update",
        "use",
        "uses", "validate", "verify", "via", "was", "weak", "with", "without", "wrong",
    ]

    /// What is a secret only if it is of a kind that is known to be: tokens are many things.
    private static let possible: [[String]] = [["token"], ["secret"]]
    /// Of what kind it may be.
    private static let kinds: Set<String> = [
        "access", "account", "admin", "api", "app", "application", "auth", "authenticity", "aws",
        "bearer", "bot", "client", "consumer", "csrf", "csrfmiddleware", "current", "database",
        "db", "id", "jwt", "login", "master", "my", "new", "oauth", "old", "personal", "refresh",
        "remember", "rsa", "security", "service", "session", "shared", "sign", "signing", "ssh",
        "temporary", "token", "user", "webhook", "x", "xsrf",
    ]
    /// Kinds that are none of a token: `client_token` is AWS's word for an idempotency key.
    private static let notOfTokens: Set<String> = ["client", "new", "old"]

    /// What may stand behind a password: which of several it is, or that it is given twice.
    private static let whichPassword: Set<String> = [
        "again", "confirm", "confirmation", "current", "new", "old", "repeat", "retype",
    ]

    /// How a name may end that is a secret, from behind.
    private static let endings: [[UInt8]] = Set(
        (certain + possible).compactMap(\.last) + whichPassword
    ).map { $0.utf8.reversed() }

    private let words: [String]

    init(_ name: String) {
        words = Self.words(of: name)
    }

    var isSecret: Bool {
        if let last = words.last, Self.whichPassword.contains(last) {
            return words.dropLast().last == "password"
        }
        return Self.certain.contains { ending in
            before(ending)?.allSatisfy { !Self.questionsAndOrders.contains($0) } ?? false
        }
            || Self.possible.contains { ending in
                before(ending)?.allSatisfy { Self.isKind($0, of: ending) } ?? false
            }
    }

    /// The words before those at the end; nil if it ends otherwise. Some write words together:
    /// `csrfmiddlewaretoken`, `newpassword`; others apart: `passWord`.
    private func before(_ ending: [String]) -> [String]? {
        if words.suffix(ending.count) == ending[...] { return Array(words.dropLast(ending.count)) }
        let end = ending.joined()
        if words.joined() == end { return [] }
        guard let last = words.last, last.hasSuffix(end) else { return nil }
        let rest = String(last.dropLast(end.count))
        return words.dropLast() + (rest.isEmpty ? [] : [rest])
    }

    private static func isKind(_ word: String, of ending: [String]) -> Bool {
        kinds.contains(word) && !(ending == ["token"] && notOfTokens.contains(word))
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
