import TelexRuntime

/// The client and the server of a login. The code of the login and its PKCE verifier may be sent
/// only by this client to this server.
struct ClientIdentity: Sendable, Hashable {
    /// The client's id.
    let id: String
    /// The server's token address.
    let token: String

    /// Checks that the same client starts and completes a login. Otherwise another server would
    /// receive the code, which it could exchange for a token.
    ///
    /// - Throws: `.invalidRequest` if the client or the server differs.
    func check(isSameAs other: ClientIdentity) throws(CredentialError) {
        guard self != other else { return }
        throw CredentialError(
            .invalidRequest,
            "this login was begun by \(name) and cannot be ended by \(other.name): its code is for "
                + "no other client")
    }

    private var name: String { "the client `\(id)` of \(Address.masked(token))" }
}

extension OAuthClient {
    /// The identity that this client's logins carry.
    var identity: ClientIdentity { ClientIdentity(id: id, token: server.token) }
}
