/// A name split into words, such as `new_password`, `csrf-token` or `appSecret`. The last word
/// names the thing, and the words before it qualify it: `token_count` is a count, not a secret.
///
/// Both mistakes do harm. If a harmless name counts as secret, its value is lost from redirects and
/// texts: `next_token` is a page cursor, `file_token` a document, `reset_password` a command. If a
/// secret name is missed, its value appears in logs.
struct SecretPhrase {
    /// Endings that make a name secret, unless a word before them is a question or a command.
    private static let certain: [[String]] = [
        ["password"], ["passwd"], ["access", "token"], ["refresh", "token"], ["auth", "token"],
        ["secret", "key"], ["private", "key"], ["api", "key"], ["secret", "access", "key"],
    ]
    /// Words that make a name a question or a command: `has_password`, `reset_password`.
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

    /// Endings that make a name secret only together with one of `kinds`, because many tokens are
    /// not secret.
    private static let possible: [[String]] = [["token"], ["secret"]]
    /// The words that may precede an ending of `possible`.
    private static let kinds: Set<String> = [
        "access", "account", "admin", "api", "app", "application", "auth", "authenticity", "aws",
        "bearer", "bot", "client", "consumer", "csrf", "csrfmiddleware", "current", "database",
        "db", "id", "jwt", "login", "master", "my", "new", "oauth", "old", "personal", "refresh",
        "remember", "rsa", "security", "service", "session", "shared", "sign", "signing", "ssh",
        "temporary", "token", "user", "webhook", "x", "xsrf",
    ]
    /// Words of `kinds` that do not make a token secret: AWS calls an idempotency key
    /// `client_token`.
    private static let notOfTokens: Set<String> = ["client", "new", "old"]

    /// Words that may follow `password`: which password it is, or that it is repeated.
    private static let whichPassword: Set<String> = [
        "again", "confirm", "confirmation", "current", "new", "old", "repeat", "retype",
    ]

    /// The last words of secret names, reversed.
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

    /// Returns the words before `ending`; `nil` if the name ends otherwise. Words may be joined, as
    /// in `csrfmiddlewaretoken` and `newpassword`, or split, as in `passWord`.
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

    /// Whether a name may be secret, judged by its end only: a fast check that excludes most names.
    static func mayBeSecret(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in
            var end = bytes.count
            while end > 0, isDigit(bytes[end - 1]) { end -= 1 }
            return endings.contains { ending in
                ending.count <= end && bytes[end - 1] | 0x20 == ending[0]
                    && ending.indices.allSatisfy { bytes[end - 1 - $0] | 0x20 == ending[$0] }
            }
        }
    }

    /// Returns the words in lower case. Words are separated by other characters, and by a capital
    /// letter that starts a word, as in `appSecret` and `CSRFToken`. Digits are ignored, as in
    /// `password2`.
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
