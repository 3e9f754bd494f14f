import TelexJSON

extension TokenReply {
    /// How many facts are taken from one reply.
    private static let mostFacts = 64

    /// The facts of a credential after this reply: all texts, numbers and truth values beside the token.
    /// What the reply does not say, or says to be `null`, stays as it was; what it says in a shape that
    /// makes no fact is as it was no more.
    func facts(
        beside rules: TokenReplyRules, after old: [String: String]
    ) -> [String: String] {
        let paths = [rules.token, rules.refreshToken, rules.expiresIn]
        let used = Set(paths.compactMap { $0.count == 1 ? $0[0] : nil } + ["token_type"])
        let said = members.members.filter { !used.contains($0.key) && $0.value.kind != .null }
        let facts = said.compactMap { member in member.fact.map { (member.key, $0) } }
        let shapeless = Set(said.filter { $0.fact == nil }.map(\.key))
        return Dictionary(facts.prefix(Self.mostFacts)) { $1 }
            .merging(old.filter { !shapeless.contains($0.key) }) { new, _ in new }
    }
}

extension JSONObject.Member {
    /// The fact that it tells; nil if its shape makes none. Scopes are words (RFC 6749, section 3.3), which
    /// some servers, such as that of Twitch, send as a list.
    fileprivate var fact: String? {
        if key == "scope", let list = value.asArray {
            let words = list.compactMap(\.asString)
            return words.count == list.count ? words.joined(separator: " ") : nil
        }
        return value.asString ?? value.numberText ?? value.asBool.map { "\($0)" }
    }
}
