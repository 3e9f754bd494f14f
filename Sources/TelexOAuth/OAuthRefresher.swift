public import TelexRuntime

/// Gets a new credential from an OAuth server when the old one is no longer good.
///
/// ```swift
/// let refresher = OAuthRefresher(client) { _ in try await loginScreen.credential() }
/// ```
public struct OAuthRefresher: CredentialRefresher {
    private let client: OAuthClient
    private let login: AppCredentialRefresher?

    /// Makes a refresher that uses refresh tokens.
    ///
    /// - Parameters:
    ///   - client: The client that the refresh token was given to.
    ///   - login: Asks the user when only that helps: there is no credential, or its refresh token
    ///     is worth nothing any more. Throws a `CancellationError` if its user does not want to log in
    ///     now. Without it that is an error.
    public init(
        _ client: OAuthClient,
        login: (@Sendable (Credential?) async throws -> Credential)? = nil
    ) {
        self.client = client
        self.login = login.map(AppCredentialRefresher.init)
    }

    /// Uses the refresh token, and asks the user if that is no longer good.
    ///
    /// - Throws: `CredentialError` if there is no new credential, also because the user has given the
    ///   login up; `CancellationError` if the task is cancelled; and whatever else the login throws.
    public func refresh(_ old: Credential?) async throws -> Credential {
        do {
            guard let old else {
                throw CredentialError(.nothingToRefresh, "there is no token to refresh; log in")
            }
            return try await client.refreshed(old)
        } catch let error as CredentialError {
            guard let login, error.needsLogin else { throw error }
            return try await login.refresh(old)
        }
    }
}

extension OAuthRefresher {
    /// Uses the refresh token, and asks nobody.
    ///
    /// - Throws: As ``OAuthClient/refreshed(_:)``.
    public func refreshQuietly(_ old: Credential) async throws -> Credential {
        try await client.refreshed(old)
    }
}

/// Gets a new credential for the client itself whenever the old one is no longer good; there are no
/// refresh tokens (RFC 6749, section 4.4.3).
public struct ClientCredentialRefresher: CredentialRefresher {
    private let client: OAuthClient
    private let scopes: [String]
    private let parameters: [String: String]

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - client: The client, which has to have a secret.
    ///   - scopes: What the token is to allow; what the server thinks fit by default.
    ///   - parameters: What else the server wants to know, such as `audience` or `resource`.
    public init(
        _ client: OAuthClient, scopes: [String] = [], parameters: [String: String] = [:]
    ) {
        self.client = client
        self.scopes = scopes
        self.parameters = parameters
    }

    /// Asks for a credential.
    ///
    /// - Throws: As ``OAuthClient/clientCredential(scopes:parameters:)``.
    public func refresh(_ old: Credential?) async throws -> Credential {
        try await client.clientCredential(scopes: scopes, parameters: parameters)
    }
}

extension ClientCredentialRefresher: CustomStringConvertible, CustomReflectable {
    /// Whose credentials it gets, without the parameters, which may be secret.
    public var description: String { "refresher of the client \(client.id)" }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["refresher": description]) }
}
