import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where in the reply of a token server things are. Each is a path of keys.
public struct TokenReplyRules: Sendable, Hashable {
    /// The token; `access_token` by default. A reply has to have it.
    public var token: [String]
    /// The refresh token; `refresh_token` by default. The old one stays good if there is none, or
    /// something that can be none.
    public var refreshToken: [String]
    /// In how many seconds the token is over; `expires_in` by default. It is not known if that is
    /// missing, or no number above 0.
    public var expiresIn: [String]
    /// Whether the reply has to say that this is a bearer token, in `token_type` (RFC 6749, section
    /// 5.1). False by default: then it may say nothing or have a word of its own, as those of Slack
    /// (`bot`) and eBay (`User Access Token`), and is refused only for a type of which everybody knows
    /// that it is more than shown (`DPoP`, `PoP`, `mac`) or no access token (`N_A`).
    public var demandsType: Bool

    /// Says where things are; as OAuth has it by default.
    public init(
        token: [String] = ["access_token"], refreshToken: [String] = ["refresh_token"],
        expiresIn: [String] = ["expires_in"], demandsType: Bool = false
    ) {
        self.token = token
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.demandsType = demandsType
    }
}

extension TokenReply {
    /// The types of which tokens are not simply shown: those in IANA's registry "OAuth Access Token
    /// Types" but for `Bearer`, and that of a draft which servers had before. An API would refuse such a
    /// token each time.
    private static let unshownTypes: Set<String> = ["dpop", "pop", "n_a", "mac"]
    /// More seconds are no lifetime of a token; it bounds what is added to the clock.
    private static let longestLife = Double(UInt32.max)

    /// The credential in the reply.
    ///
    /// What it does not say stays as it was: the refresh token (RFC 6749, section 6) and facts such
    /// as a user's id.
    ///
    /// - Throws: `.malformedReply` if the token is missing, not what it has to be or there twice, or
    ///   the type is wrong.
    package func credential(
        _ rules: TokenReplyRules, after old: Credential?, at now: Date
    ) throws(CredentialError) -> Credential {
        try checkType(isDemanded: rules.demandsType)
        if let key = rules.token.first, repeated.contains(key) {
            throw malformed("has `\(key)` more than once")
        }
        guard let token = try token(at: rules.token) else {
            throw malformed("lacks `\(rules.token.joined(separator: "."))`")
        }
        var credential = Credential(
            token: token, values: facts(beside: rules, after: old?.values ?? [:]))
        // An empty text is how some servers say that there is no other. A reply with a good token is
        // not thrown away for that: the old token may be good no more.
        credential.refreshToken =
            (try? self.token(at: rules.refreshToken)) ?? old?.refreshToken
        credential.expiry = life(at: rules.expiresIn).map(now.addingTimeInterval)
        return credential
    }

    /// The value at a path; `null` counts as missing.
    func value(at path: [String]) -> JSONValue? {
        let value = path.dropFirst().reduce(path.first.flatMap { members[$0] }) { $0?[$1] }
        return value?.kind == .null ? nil : value
    }

    /// A token: visible characters and spaces only (RFC 6749, appendix A.12 and A.17).
    private func token(at path: [String]) throws(CredentialError) -> String? {
        guard let value = value(at: path) else { return nil }
        guard let text = value.asString, !text.isEmpty,
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw malformed("has something at `\(path.joined(separator: "."))` that is no token")
        }
        return text
    }

    /// Servers differ in how they write it, `bearer` or `Bearer`, and many have a word of their own. If
    /// it is not demanded, such a word is no reason to throw the tokens away: the old refresh token may
    /// have been good once, and the user would have to log in again.
    private func checkType(isDemanded: Bool) throws(CredentialError) {
        let value = value(at: ["token_type"])
        let type = value?.asString?.lowercased() ?? ""
        guard isDemanded else {
            guard Self.unshownTypes.contains(type) else { return }
            throw malformed("has the `token_type` `\(type)`, which an API does not take as it is")
        }
        guard value != nil else { throw malformed("lacks `token_type`") }
        guard type == "bearer" else {
            throw malformed("has a `token_type` other than `bearer`, which is all that is known")
        }
    }

    /// How long the token is good. 0 seconds cannot mean that the token is over already; it is
    /// what servers send whose tokens are good for ever. Nothing that is here makes the reply useless:
    /// the refresh token in it may be the only one that is still good (RFC 9700, section 4.14.2).
    private func life(at path: [String]) -> TimeInterval? {
        guard let seconds = value(at: path)?.seconds, seconds > 0 else { return nil }
        return min(seconds, Self.longestLife)
    }
}

extension JSONValue {
    /// A number of seconds; some servers write it as text.
    package var seconds: Double? { asDouble ?? asString.flatMap(Double.init) }
}
