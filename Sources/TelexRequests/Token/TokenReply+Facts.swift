import TelexJSON

extension TokenReply {
    /// The maximum number of values taken from one reply.
    private static let maximumReplyFacts = 64
    /// The maximum number of values of a credential: those of one reply and as many older ones.
    private static let maximumStoredFacts = 2 * maximumReplyFacts
    /// The maximum size of all values and their names in bytes, as stored. Stores have room for
    /// this and for the tokens.
    private static let maximumFactBytes = TokenReply.maximumBytes

    /// Returns the values of a credential after this reply: all strings, numbers and Booleans
    /// beside the token, in the same object. Values that the reply omits or sets to `null` keep
    /// their old content. Values that the reply sends in an unsupported shape are removed.
    ///
    /// The limits keep the credential small enough for every store; otherwise the new refresh
    /// token, which may be valid only once, could be lost. Values of the reply take precedence over
    /// older ones, and among the latter shorter ones, which are ids rather than documents.
    package func facts(
        beside rules: TokenReplyRules, after old: [String: String]
    ) -> [String: String] {
        let place = Array(rules.token.dropLast())
        let paths = [rules.token, rules.refreshToken, rules.expiresIn]
        let used = Set(
            paths.compactMap { Array($0.dropLast()) == place ? $0.last : nil } + ["token_type"])
        let object = place.isEmpty ? members : value(at: place)?.asObject
        let present = (object?.members ?? []).filter {
            !used.contains($0.key) && $0.value.kind != .null
        }
        let newFacts = present.compactMap { member in member.fact.map { (member.key, $0) } }
        // Values with known names come first, because requests may use them.
        let new = newFacts.filter { old[$0.0] != nil } + newFacts.filter { old[$0.0] == nil }
        let shapeless = Set(present.filter { $0.fact == nil }.map(\.key))
        let names = Set(new.map(\.0))
        let rest = old.filter { !names.contains($0.key) && !shapeless.contains($0.key) }
        // Values of the same size are ordered by name, because their age is unknown.
        let shortest = rest.map { ($0.key, $0.value) }.sorted {
            (Self.size($0), $0.0) < (Self.size($1), $1.0)
        }
        var facts: [String: String] = [:]
        var room = Self.maximumFactBytes
        Self.add(Array(new.prefix(Self.maximumReplyFacts)), to: &facts, room: &room)
        Self.add(shortest, to: &facts, room: &room)
        return facts
    }

    /// Adds values as far as the limits allow.
    private static func add(
        _ more: [(String, String)], to facts: inout [String: String], room: inout Int
    ) {
        for fact in more where facts.count < maximumStoredFacts && size(fact) <= room {
            room -= size(fact)
            facts[fact.0] = fact.1
        }
    }

    private static func size(_ fact: (String, String)) -> Int {
        written(fact.0) + written(fact.1)
    }

    /// Returns the size of a text in stored JSON, in bytes.
    private static func written(_ text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5C ? 2 : 1) }
    }
}

extension JSONObject.Member {
    /// The member as a text value; `nil` if its shape is unsupported. Scopes are a list of words in
    /// a string (RFC 6749, section 3.3), but some servers, such as Twitch, send an array.
    fileprivate var fact: String? {
        if key == "scope", let list = value.asArray {
            let words = list.compactMap(\.asString)
            return words.count == list.count ? words.joined(separator: " ") : nil
        }
        return value.asString ?? value.numberText ?? value.asBool.map { "\($0)" }
    }
}
