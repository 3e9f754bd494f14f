public import TelexRuntime

/// A refresher that gets new credentials from an OAuth server.
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
    ///   - client: The client to which the refresh token was issued.
    ///   - login: Asks the user to log in if there is no credential, or if its refresh token is no
    ///     longer valid; without a closure, these cases are errors. It throws a `CancellationError`
    ///     if the user does not want to log in now.
    public init(
        _ client: OAuthClient,
        login: (@Sendable (Credential?) async throws -> Credential)? = nil
    ) {
        self.client = client
        self.login = login.map(AppCredentialRefresher.init)
    }

    /// Uses the refresh token, and asks the user to log in if that is no longer valid.
    ///
    /// - Throws: `CredentialError` if there is no new credential, also because the user cancelled
    ///   the login; `CancellationError` if the task is cancelled; and other errors of the login
    ///   closure.
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
    /// Whether a login closure was given.
    public var canLogIn: Bool { login != nil }

    /// Uses the refresh token without asking the user.
    ///
    /// - Throws: As ``OAuthClient/refreshed(_:)``.
    public func refreshQuietly(_ old: Credential) async throws -> Credential {
        try await client.refreshed(old)
    }
}

/// A refresher that gets new credentials for the client itself, without refresh tokens (RFC 6749,
/// section 4.4.3).
public struct ClientCredentialRefresher: CredentialRefresher {
    private let client: OAuthClient
    private let scopes: [String]
    private let parameters: [String: String]

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - client: The client, which needs a secret.
    ///   - scopes: The requested scopes; the server's default if empty.
    ///   - parameters: Additional parameters, such as `audience` or `resource`.
    public init(
        _ client: OAuthClient, scopes: [String] = [], parameters: [String: String] = [:]
    ) {
        self.client = client
        self.scopes = scopes
        self.parameters = parameters
    }

    /// Gets a new credential.
    ///
    /// - Throws: As ``OAuthClient/clientCredential(scopes:parameters:)``.
    public func refresh(_ old: Credential?) async throws -> Credential {
        try await client.clientCredential(scopes: scopes, parameters: parameters)
    }
}

extension ClientCredentialRefresher: CustomStringConvertible, CustomReflectable {
    /// The client's id, without the parameters, which may be secret.
    public var description: String { "refresher of the client \(client.id)" }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["refresher": description]) }
}
