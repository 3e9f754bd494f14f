import TelexJSON

extension TokenReply {
    /// How many facts are taken from one reply.
    private static let mostFacts = 64
    /// How many facts a credential has: those of one reply and as many older ones.
    private static let mostInAll = 2 * mostFacts
    /// How many bytes all facts have, with their names, so that stores have room for them.
    private static let mostBytes = TokenEndpoint.maximumReplyBytes

    /// The facts of a credential after this reply: all texts, numbers and truth values beside the token,
    /// in the same object.
    /// What the reply does not say, or says to be `null`, stays as it was; what it says in a shape that
    /// makes no fact is as it was no more.
    ///
    /// However many names a server thinks of, the credential stays so small that a store can keep it, and
    /// with it the new refresh token, which is good once. The facts of the reply go before older ones;
    /// among those the shortest do, which are ids and not documents.
    func facts(
        beside rules: TokenReplyRules, after old: [String: String]
    ) -> [String: String] {
        let place = Array(rules.token.dropLast())
        let paths = [rules.token, rules.refreshToken, rules.expiresIn]
        let used = Set(
            paths.compactMap { Array($0.dropLast()) == place ? $0.last : nil } + ["token_type"])
        let object = place.isEmpty ? members : value(at: place)?.asObject
        let said = (object?.members ?? []).filter { !used.contains($0.key) && $0.value.kind != .null }
        let new = said.compactMap { member in member.fact.map { (member.key, $0) } }
        var facts = Dictionary(new.prefix(Self.mostFacts)) { $1 }
        let shapeless = Set(said.filter { $0.fact == nil }.map(\.key))
        Self.add(old.filter { facts[$0.key] == nil && !shapeless.contains($0.key) }, to: &facts)
        return facts
    }

    /// Adds the older facts that there is room for.
    private static func add(_ old: [String: String], to facts: inout [String: String]) {
        func size(_ fact: (key: String, value: String)) -> Int {
            fact.key.utf8.count + fact.value.utf8.count
        }
        var room = mostBytes - facts.map(size).reduce(0, +)
        // By name if they are of one size: nobody knows which came first.
        for fact in old.sorted(by: { (size($0), $0.key) < (size($1), $1.key) }) {
            room -= size(fact)
            guard facts.count < mostInAll, room >= 0 else { return }
            facts[fact.key] = fact.value
        }
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
