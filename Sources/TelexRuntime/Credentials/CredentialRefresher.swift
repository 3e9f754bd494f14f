/// Gets a new credential when the old one is no longer good.
///
/// An `APIManager` asks at most once at a time for one credential, and keeps what it is given in
/// its store before any request carries it: a refresh token that is good once would be lost
/// otherwise.
public protocol CredentialRefresher: Sendable {
    /// Gets a new credential. Called on a task that is no caller's, so a caller who gives up does
    /// not end it, nor does a time-out of those who wait; it should end on its own if nothing happens
    /// for long, because until then no other refresh begins. After a log-out its task is cancelled, and
    /// nobody waits for it any more.
    ///
    /// It may await calls of the same API that it makes itself: they wait for no refresh. One that
    /// somebody else had started before waits for this one.
    ///
    /// - Parameter old: The credential that is no longer good; nil if there was none.
    /// - Throws: A ``CredentialError`` if there is no new credential, or whatever the app throws. The
    ///   message of a ``CredentialError`` is shown to people, so it must hold no secret; of an error
    ///   that is not Telex's own, events and errors tell the type only, and the code of a `URLError`.
    ///   The error itself is the ``APIError/cause`` of the calls that wait, which may be made again
    ///   later if it says that the network failed: a `TransportError`, an ``APIError`` or a `URLError`.
    func refresh(_ old: Credential?) async throws -> Credential
    /// Gets a new credential for somebody who is logging out, whose old one is over: nobody is to be
    /// asked to log in for that. By default that is ``refresh(_:)``.
    ///
    /// - Parameter old: The credential that is no longer good.
    /// - Throws: Whatever stands in the way. The server is then not told of the logout.
    func refreshQuietly(_ old: Credential) async throws -> Credential
}

extension CredentialRefresher {
    /// Gets a new credential as for anybody else.
    public func refreshQuietly(_ old: Credential) async throws -> Credential {
        try await refresh(old)
    }
}

/// Lets the app get the credential, for instance by asking its user to log in.
public struct AppCredentialRefresher: CredentialRefresher {
    private let login: @Sendable (Credential?) async throws -> Credential

    /// Makes a refresher that calls a closure.
    public init(_ login: @escaping @Sendable (Credential?) async throws -> Credential) {
        self.login = login
    }

    /// Calls the closure.
    ///
    /// - Throws: What the closure throws; for a `CancellationError` of its own, that is if its user
    ///   does not want to log in now, a ``CredentialError`` of the reason `.nothingToRefresh`.
    public func refresh(_ old: Credential?) async throws -> Credential {
        do {
            return try await login(old)
        } catch is CancellationError where !Task.isCancelled {
            throw CredentialError(.nothingToRefresh, "the login was given up; log in")
        }
    }

    /// Asks nobody.
    ///
    /// - Throws: Always a ``CredentialError`` of the reason `.nothingToRefresh`.
    public func refreshQuietly(_ old: Credential) async throws -> Credential {
        throw CredentialError(.nothingToRefresh, "a new token would need a login")
    }
}

extension CredentialRefresher where Self == AppCredentialRefresher {
    /// Lets the app get the credential (`refresh: app` in a spec).
    ///
    /// ```swift
    /// let refresher: any CredentialRefresher = .app { _ in try await loginScreen.credential() }
    /// ```
    ///
    /// - Parameter login: Shows the login once, while all calls that need it wait; is given the
    ///   credential that is no longer good, nil if there was none. Throws a `CancellationError` if its
    ///   user does not want to log in now; what the calls that wait fail with then says `needsLogin`.
    public static func app(
        _ login: @escaping @Sendable (Credential?) async throws -> Credential
    ) -> AppCredentialRefresher {
        AppCredentialRefresher(login)
    }
}
