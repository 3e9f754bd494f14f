public import TelexRuntime

extension OAuthServer {
    /// Makes the server of a grant that a spec declares.
    public init(_ grant: OAuthGrant) {
        self.init(
            authorization: grant.kind == .authorizationCode ? grant.authorize : nil,
            token: grant.token,
            deviceAuthorization: grant.kind == .device ? grant.authorize : nil)
    }
}

extension OAuthClient {
    /// Makes the client of a grant that a spec declares.
    ///
    /// ```swift
    /// let client = OAuthClient(Gallery.oauth, transport: .urlSession)
    /// let request = try client.authorizationRequest(
    ///     redirectURI: "com.example.app:/login", scopes: Gallery.oauth.scopes)
    /// ```
    ///
    /// - Parameters:
    ///   - grant: The grant, of generated code.
    ///   - authentication: The client's authentication; none by default.
    ///   - transport: The transport that sends requests.
    public init(
        _ grant: OAuthGrant, authentication: ClientAuthentication = .none,
        transport: any Transport
    ) {
        self.init(
            id: grant.client, authentication: authentication, server: OAuthServer(grant),
            transport: transport)
    }
}
