/// A source of new credentials when the old one is no longer valid.
///
/// An `APIManager` runs at most one refresh of a credential at a time. It stores the new credential
/// before any request carries it, because a one-time refresh token would otherwise be lost if the
/// process ends.
public protocol CredentialRefresher: Sendable {
    /// Gets a new credential. It runs in a task of its own, so neither a cancelled caller nor a
    /// caller's time-out ends it. It should fail after a reasonable time without progress, because
    /// no other refresh starts before it ends. A log-out cancels its task, and its result is then
    /// ignored.
    ///
    /// It may await calls of the same API that it makes itself, because they do not wait for the
    /// refresh. Calls that other code started before do wait for it.
    ///
    /// - Parameter old: The credential that is no longer valid; `nil` if there was none.
    /// - Throws: A ``CredentialError`` if there is no new credential, or any error of the app. The
    ///   message of a ``CredentialError`` appears in logs and errors, so it must not contain a
    ///   secret. Of an error that is not Telex's own, events and errors show only the type, and the
    ///   code of a `URLError`. The error is the ``APIError/cause`` of the waiting calls. They are
    ///   retryable if it is a network failure: a `TransportError`, an ``APIError`` or a `URLError`.
    func refresh(_ old: Credential?) async throws -> Credential
    /// Gets a new credential for a log-out whose credential has expired, without asking the user to
    /// log in. The default calls ``refresh(_:)``.
    ///
    /// - Parameter old: The credential that is no longer valid.
    /// - Throws: Any error. The server is then not notified of the log-out.
    func refreshQuietly(_ old: Credential) async throws -> Credential
    /// Whether it can get a credential if there was none. If not, a call without a credential fails
    /// with ``APIError/Reason/noCredential``. `true` by default.
    var canLogIn: Bool { get }
}

extension CredentialRefresher {
    /// `true`.
    public var canLogIn: Bool { true }

    /// Calls ``refresh(_:)``.
    public func refreshQuietly(_ old: Credential) async throws -> Credential {
        try await refresh(old)
    }
}

/// A refresher that calls a closure of the app, for example to show a login screen.
public struct AppCredentialRefresher: CredentialRefresher {
    private let login: @Sendable (Credential?) async throws -> Credential

    /// Makes a refresher that calls a closure.
    public init(_ login: @escaping @Sendable (Credential?) async throws -> Credential) {
        self.login = login
    }

    /// Calls the closure.
    ///
    /// - Throws: The error of the closure. A `CancellationError` of the closure itself, which means
    ///   that the user does not want to log in now, becomes a ``CredentialError`` with the reason
    ///   `.nothingToRefresh`.
    public func refresh(_ old: Credential?) async throws -> Credential {
        do {
            return try await login(old)
        } catch is CancellationError where !Task.isCancelled {
            throw CredentialError(.nothingToRefresh, "the login was cancelled; log in")
        }
    }

    /// Fails, because a login screen would ask the user.
    ///
    /// - Throws: Always a ``CredentialError`` with the reason `.nothingToRefresh`.
    public func refreshQuietly(_ old: Credential) async throws -> Credential {
        throw CredentialError(.nothingToRefresh, "a new token requires a login")
    }
}

extension CredentialRefresher where Self == AppCredentialRefresher {
    /// A refresher that calls a closure of the app (`refresh: app` in a spec).
    ///
    /// ```swift
    /// let refresher: any CredentialRefresher = .app { _ in try await loginScreen.credential() }
    /// ```
    ///
    /// - Parameter login: Shows the login once, while all calls that need it wait. Its argument is
    ///   the credential that is no longer valid, `nil` if there was none. It throws a
    ///   `CancellationError` if the user does not want to log in now; the waiting calls then fail
    ///   with an error whose `needsLogin` is `true`.
    public static func app(
        _ login: @escaping @Sendable (Credential?) async throws -> Credential
    ) -> AppCredentialRefresher {
        AppCredentialRefresher(login)
    }
}
