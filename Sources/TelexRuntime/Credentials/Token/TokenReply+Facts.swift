import TelexJSON

extension TokenReply {
    /// How many facts are taken from one reply.
    private static let mostFacts = 64
    /// How many facts a credential has: those of one reply and as many older ones.
    private static let mostInAll = 2 * mostFacts
    /// How many bytes all facts have where they are kept, with their names: stores have room for them, and
    /// for the tokens.
    private static let mostBytes = TokenEndpoint.maximumReplyBytes

    /// The facts of a credential after this reply: all texts, numbers and truth values beside the token,
    /// in the same object. What the reply does not say, or says to be `null`, stays as it was; what it
    /// says in a shape that makes no fact is as it was no more.
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
        let said = (object?.members ?? []).filter {
            !used.contains($0.key) && $0.value.kind != .null
        }
        let told = said.compactMap { member in member.fact.map { (member.key, $0) } }
        // What is known by name goes first: requests may use it.
        let new = told.filter { old[$0.0] != nil } + told.filter { old[$0.0] == nil }
        let shapeless = Set(said.filter { $0.fact == nil }.map(\.key))
        let names = Set(new.map(\.0))
        let rest = old.filter { !names.contains($0.key) && !shapeless.contains($0.key) }
        // By name if they are of one size: nobody knows which came first.
        let shortest = rest.map { ($0.key, $0.value) }.sorted {
            (Self.size($0), $0.0) < (Self.size($1), $1.0)
        }
        var facts: [String: String] = [:]
        var room = Self.mostBytes
        Self.add(Array(new.prefix(Self.mostFacts)), to: &facts, &room)
        Self.add(shortest, to: &facts, &room)
        return facts
    }

    /// Adds the facts that there is room for.
    private static func add(
        _ more: [(String, String)], to facts: inout [String: String], _ room: inout Int
    ) {
        for fact in more where facts.count < mostInAll && size(fact) <= room {
            room -= size(fact)
            facts[fact.0] = fact.1
        }
    }

    private static func size(_ fact: (String, String)) -> Int {
        written(fact.0) + written(fact.1)
    }

    /// How many bytes a text has where it is kept, in JSON.
    private static func written(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
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
