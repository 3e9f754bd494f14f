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
    /// Where things are in the reply to a request for a token. By default as in RFC 6749, section
    /// 5.1, `token_type` included; a server that leaves that out needs `demandsType: false`.
    public var reply: TokenReplyRules

    /// Describes a server.
    public init(
        authorization: String? = nil, token: String, deviceAuthorization: String? = nil,
        reply: TokenReplyRules = TokenReplyRules(demandsType: true)
    ) {
        self.authorization = authorization
        self.token = token
        self.deviceAuthorization = deviceAuthorization
        self.reply = reply
    }
}
