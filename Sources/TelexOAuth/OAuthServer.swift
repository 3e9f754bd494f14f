public import TelexRuntime

/// The addresses of an authorization server. All of them must be `https`, unless they are on this
/// machine.
public struct OAuthServer: Sendable, Hashable {
    /// The authorization page, which the user's browser opens; `nil` if the server has none.
    public var authorization: String?
    /// The token address.
    public var token: String
    /// The address at which a login on another device starts (RFC 8628); `nil` if the server does
    /// not support it.
    public var deviceAuthorization: String?
    /// The server's identifier in the answers to logins (`iss`, RFC 9207); `nil`, the default, if
    /// it sends none. If it is set, an answer with another or no identifier is refused, so that an
    /// app with several servers cannot be made to send the code of one to another. A server that
    /// sends it declares `authorization_response_iss_parameter_supported` in its metadata.
    public var issuer: String?
    /// The paths of values in a token reply. The default follows RFC 6749, section 5.1, and
    /// requires `token_type`; use `demandsType: false` for a server that omits it or sends a type
    /// of its own.
    public var reply: TokenReplyRules

    /// Makes a server.
    public init(
        authorization: String? = nil, token: String, deviceAuthorization: String? = nil,
        issuer: String? = nil,
        reply: TokenReplyRules = TokenReplyRules(demandsType: true)
    ) {
        self.authorization = authorization
        self.token = token
        self.deviceAuthorization = deviceAuthorization
        self.issuer = issuer
        self.reply = reply
    }
}

extension OAuthServer: RedactedDescription {
    /// The addresses with only their origins and paths, as in errors, and the reply rules.
    public var customMirror: Mirror {
        let addresses: KeyValuePairs = [
            "authorization": authorization, "token": token,
            "deviceAuthorization": deviceAuthorization, "issuer": issuer,
        ]
        let shown = addresses.compactMap { name, address -> Mirror.Child? in
            address.map { (name, Address.masked($0)) }
        }
        return Mirror(self, children: shown + [("reply", reply)], displayStyle: .struct)
    }
}
