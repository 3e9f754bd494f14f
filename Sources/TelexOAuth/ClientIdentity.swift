import TelexRuntime

/// Which client of which server a login was begun by. Its code, and the proof that goes with that, are
/// for nobody else.
struct ClientIdentity: Sendable, Hashable {
    /// What the server calls the client.
    let id: String
    /// Where the server gives tokens out.
    let token: String

    /// Makes sure that a login is ended where it was begun: another server would get what the right
    /// one gives a token for.
    ///
    /// - Throws: `.invalidRequest` if it is to be ended by another client, or at another server.
    func check(isSameAs other: ClientIdentity) throws(CredentialError) {
        guard self != other else { return }
        throw CredentialError(
            .invalidRequest,
            "this login was begun by \(name) and cannot be ended by \(other.name): its code is for "
                + "nobody else")
    }

    private var name: String { "the client `\(id)` of \(Address.masked(token))" }
}

extension OAuthClient {
    /// What logins that this client begins are marked with.
    var identity: ClientIdentity { ClientIdentity(id: id, token: server.token) }
}
