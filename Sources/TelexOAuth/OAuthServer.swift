public import TelexRuntime

/// Where an authorization server is asked for what. All addresses have to be `https`, unless they
/// are of this machine.
public struct OAuthServer: Sendable, Hashable {
    /// Where the user's browser is sent to log in; nil if the server has no such page.
    public var authorization: String?
    /// Where tokens are given out.
    public var token: String
    /// Where a device without a browser begins (RFC 8628); nil if the server does not offer that.
    public var deviceAuthorization: String?
    /// What the server calls itself in the answers to logins (`iss`, RFC 9207); nil, the default, if
    /// it does not. An answer of another name, or of none, is then refused, so that an app with
    /// several servers cannot be made to take the code of one to another. Its metadata say
    /// `authorization_response_iss_parameter_supported` if it does.
    public var issuer: String?
    /// Where things are in the reply to a request for a token. By default as in RFC 6749, section
    /// 5.1, `token_type` included; a server that leaves that out, or has a word of its own there, needs
    /// `demandsType: false`.
    public var reply: TokenReplyRules

    /// Describes a server.
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
    /// The addresses without what stands behind the path, which errors do not show either, and the
    /// rest.
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
