import HTTPTypes
import TelexJSON

/// The token of a scheme that the engine does not refresh: a secret of the app, a token that the
/// server hands out, or that of any scheme but the first.
final class TokenKeeper: Sendable {
    /// The last token that another method was to return.
    private struct Fetch {
        var count = 0
        var error: (any Error)?
    }

    let rules: AuthRules
    let store: any CredentialStore
    /// Sends the refresh request of the description, if there is one.
    private let refresher: (any CredentialRefresher)?
    private let lock = AsyncLock()
    private let fetch = Lock(Fetch())

    init(
        _ rules: AuthRules, store: any CredentialStore, refresher: (any CredentialRefresher)? = nil
    ) {
        self.rules = rules
        self.store = store
        self.refresher = refresher
    }

    /// Whether the server hands out the token, so that it ends with the log-in.
    var isHandedOut: Bool {
        switch rules.refresh {
        case .method, .handedOut: true
        case .app, .request, nil: false
        }
    }

    /// Whether a request may be sent without the token, because the refusal of it has the token.
    var mayBeMissing: Bool { if case .handedOut = rules.refresh { true } else { false } }

    /// Returns the stored token. One that has expired is refreshed first, and one that another
    /// method or a request without an old token returns is requested first; calls that need it meanwhile wait.
    ///
    /// - Parameter request: Calls the method that returns the token.
    /// - Returns: nil if there is none.
    func token(
        at now: RuntimeClock, _ request: @Sendable (TokenMethod) async throws -> Credential
    ) async throws -> String? {
        if let stored = try await store.read(), !stored.token.isEmpty {
            guard let refresher, stored.isExpired(at: now.now()) else { return stored.token }
            return try await store.renew(stored, with: refresher).token
        }
        if let refresher, refresher.canLogIn {
            return try await store.renew(nil, with: refresher).token
        }
        guard case .method(let method) = rules.refresh else { return nil }
        let count = fetch.withLock { $0.count }
        return try await lock.withLock {
            if let stored = try await store.read(), !stored.token.isEmpty { return stored.token }
            // The calls that waited for a request share its failure.
            let last = fetch.withLock { $0 }
            if last.count != count, let error = last.error { throw error }
            do {
                let new = try await request(method)
                try await store.save(new)
                end(nil)
                return new.token
            } catch {
                if !Task.isCancelled { end(error) }
                throw error
            }
        }
    }

    private func end(_ error: (any Error)?) {
        fetch.withLock { last in
            last.count += 1
            last.error = error
        }
    }

    /// Replaces a token that the server refused, unless that has already happened.
    ///
    /// - Parameter new: The token that the refusal hands out; nil if it hands out none.
    /// - Returns: Whether the request may be sent again.
    nonisolated(nonsending) func renew(_ refused: String?, by new: String?) async -> Bool {
        do {
            let old = try await store.read()
            guard (old?.token ?? "") == (refused ?? "") else { return true }
            if let new {
                _ = try await store.replace(old, by: Credential(token: new))
                return true
            }
            if let refresher { return try await store.renew(old, with: refresher).token != refused }
            guard case .method = rules.refresh, old != nil else { return false }
            _ = try await store.replace(old, by: nil)
            return true
        } catch { return false }
    }

    /// Whether a reply says that the token is to be replaced.
    func isRefused(by head: HTTPResponse, code: String?) -> Bool {
        if case .handedOut(let status, _) = rules.refresh { return head.status.code == status }
        return rules.expired.contains { sign in
            switch sign {
            case .status(let status): status == head.status.code
            case .code(let expired): expired == code
            }
        }
    }

    /// Returns the token that a refusal hands out.
    func token(in head: HTTPResponse) -> String? {
        guard case .handedOut(_, let field) = rules.refresh, let name = HTTPField.Name(field),
            let value = head.headerFields[name], !value.isEmpty
        else { return nil }
        return value
    }
}

/// A token that the server refused, and what replaces it.
struct TokenRenewal: Sendable {
    let keeper: TokenKeeper
    let refused: String?
    let new: String?
}
