import TelexCredentials
import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The places of values in the reply of a token server. Each is a path of keys.
public struct TokenReplyRules: Sendable, Hashable {
    /// The path of the token, which every reply must contain; `access_token` by default.
    public var token: [String]
    /// The path of the refresh token; `refresh_token` by default. If it is missing or invalid, the
    /// old refresh token is kept.
    public var refreshToken: [String]
    /// The path of the token's lifetime in seconds; `expires_in` by default. If it is missing or
    /// not a number above 0, the lifetime is unknown.
    public var expiresIn: [String]
    /// Whether the reply must declare a bearer token in `token_type` (RFC 6749, section 5.1).
    /// `false` by default: then the field may be missing or have a value of the server's own, such
    /// as Slack's `bot` or eBay's `User Access Token`. Only types that are known not to be bearer
    /// tokens (`DPoP`, `PoP`, `mac`) or not access tokens (`N_A`) are refused.
    public var demandsType: Bool

    /// Makes rules; the defaults are those of OAuth.
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
    /// The types that are not bearer tokens: those in IANA's registry "OAuth Access Token Types"
    /// except `Bearer`, and `mac`, from a draft that some servers implemented. An API would refuse
    /// such a token in every call.
    private static let nonBearerTypes: Set<String> = ["dpop", "pop", "n_a", "mac"]

    /// Returns the credential in the reply.
    ///
    /// Values that the reply omits are kept from the old credential: the refresh token (RFC 6749,
    /// section 6) and values such as a user id.
    ///
    /// - Throws: `.malformedReply` if the token is missing, invalid or duplicated, or if the type
    ///   is wrong.
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
        // Some servers send an empty string if the refresh token is unchanged. The reply is still
        // used, because the old token may no longer be valid.
        credential.refreshToken =
            (try? self.token(at: rules.refreshToken)) ?? old?.refreshToken
        credential.expiry = Self.bounded(value(at: rules.expiresIn)?.seconds)
            .map(now.addingTimeInterval)
        return credential
    }

    /// Returns the value at a path; `null` counts as missing.
    package func value(at path: [String]) -> JSONValue? {
        let value = path.dropFirst().reduce(path.first.flatMap { members[$0] }) { $0?[$1] }
        return value?.kind == .null ? nil : value
    }

    /// Returns the token at a path, which may contain only printable ASCII characters (RFC 6749,
    /// appendix A.12 and A.17).
    private func token(at path: [String]) throws(CredentialError) -> String? {
        guard let value = value(at: path) else { return nil }
        guard let text = value.asString, !text.isEmpty,
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw malformed("has something at `\(path.joined(separator: "."))` that is no token")
        }
        return text
    }

    /// Checks the token type, in any case. Many servers send a type of their own. Unless `bearer`
    /// is required, such a type is accepted, because discarding the tokens could force a new login:
    /// the old refresh token may have been valid only once.
    private func checkType(isDemanded: Bool) throws(CredentialError) {
        let value = value(at: ["token_type"])
        let type = value?.asString?.lowercased() ?? ""
        guard isDemanded else {
            guard Self.nonBearerTypes.contains(type) else { return }
            throw malformed("has the `token_type` `\(type)`, which is not a bearer token")
        }
        guard value != nil else { throw malformed("lacks `token_type`") }
        guard type == "bearer" else {
            throw malformed("has a `token_type` other than `bearer`, which is the only known type")
        }
    }

    /// Returns the lifetime of a token, bounded so that the date of expiry is valid. 0 seconds means
    /// an unlimited lifetime with some servers, so it counts as unknown. An invalid value does not
    /// make the reply invalid, because its refresh token may be the only valid one (RFC 9700,
    /// section 4.14.2).
    package static func bounded(_ seconds: Double?) -> TimeInterval? {
        seconds.flatMap { $0 > 0 ? min($0, Double(UInt32.max)) : nil }
    }
}

extension JSONValue {
    /// A number of seconds; some servers send it as a string.
    package var seconds: Double? { asDouble ?? asString.flatMap(Double.init) }
}
