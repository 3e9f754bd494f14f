import Synchronization

extension CredentialStore {
    /// Puts a new credential in the place of one that is no longer good, once for all who share the
    /// store: whoever comes second gets what the first has put there.
    ///
    /// The new credential is in the store before anybody has it, so that a refresh token that is
    /// good once is not lost with the process. What somebody has put there meanwhile without
    /// waiting wins, unless it is that of another login (`APIManager.logIn`): calls of one person must not
    /// go on as another. Who has logged out stays so; but what the refresher brings after it has
    /// logged out itself is a login. Where a refresh token is being used, whoever gives this up ends
    /// only their own wait: it may be good once, so that what the refresher brings is kept, and others
    /// who share the store wait for that.
    ///
    /// - Parameters:
    ///   - old: The credential that was refused or is over; nil if there was none.
    ///   - refresher: Gets the new one. It is given the stored credential, which is nil if
    ///     somebody has logged out.
    /// - Throws: What the refresher throws, ``CredentialError`` of the reason `.nothingToRefresh` if
    ///   somebody logs out meanwhile, or has logged in anew since the old one, ``CredentialStoreError``,
    ///   and `CancellationError` as soon as the task is cancelled.
    public func renew(
        _ old: Credential?, with refresher: some CredentialRefresher
    ) async throws -> Credential {
        let limit = PointOfNoReturn()
        return try await untilCancelled(before: limit) {
            try await renewed(old, with: refresher, passing: limit)
        }
    }

    /// The same for the engine, which gives up a refresh when its user has logged out or in: nobody is to
    /// be asked to log in then, and what it would bring is for nobody.
    ///
    /// - Parameter limit: Is passed before a refresh token is used.
    func renewed(
        _ old: Credential?, with refresher: some CredentialRefresher,
        passing limit: PointOfNoReturn? = nil
    ) async throws -> Credential {
        try await exclusively {
            let stored = try await read()
            if let stored, !stored.token.isEmpty, stored.token != old?.token {
                return try stored.handed(to: old)
            }
            // A store that cannot keep anything says so before a refresh token is spent on it.
            if let stored { try await keep(stored, inPlaceOf: stored) }
            if stored?.refreshToken != nil { try limit?.pass() }
            do {
                return try await untilCancelled {
                    let new = try await refresher.refresh(stored)
                    var replaced = stored
                    // Of this store, and not of another one.
                    if PrivilegedTask.current?.hasLoggedOut == true, try await read() == nil {
                        replaced = nil
                    }
                    // Nobody is logged in by a login that was given up.
                    if replaced == nil { try Task.checkCancellation() }
                    return try await keep(new, inPlaceOf: replaced)
                }
            } catch {
                // Of what is there by now, the server has said nothing.
                guard let other = try? await read(), other.token != stored?.token else {
                    throw error
                }
                // Whoever has given this up goes on with nothing.
                return Task.isCancelled ? other : try other.handed(to: stored)
            }
        }
    }

    /// - Throws: `.nothingToRefresh` if somebody has logged out, or in anew.
    @discardableResult
    private func keep(
        _ new: Credential, inPlaceOf old: Credential?
    ) async throws -> Credential {
        guard let kept = try await replace(old, by: new.continuing(old)) else {
            throw CredentialError.loggedOut
        }
        // The refresher may have logged in with it itself.
        return kept.token == new.token ? kept : try kept.handed(to: old)
    }
}

/// Up to where something can be broken off without harm.
final class PointOfNoReturn: Sendable {
    private enum State {
        case ahead
        case passed
        case barred
    }

    private let state = Mutex(State.ahead)

    /// From now on it is not broken off.
    ///
    /// - Throws: If it has been already.
    func pass() throws(CancellationError) {
        let isBarred = state.withLock { state in
            if state == .ahead { state = .passed }
            return state == .barred
        }
        if isBarred { throw CancellationError() }
    }

    /// Breaks it off.
    ///
    /// - Returns: Whether that is still possible.
    fileprivate func bar() -> Bool {
        state.withLock { state in
            if state == .ahead { state = .barred }
            return state == .barred
        }
    }
}

/// What a closure gives, or a `CancellationError` as soon as the task is cancelled. So is that of the
/// closure, up to a point; if it goes on, nobody gets what it gives.
private func untilCancelled<T: Sendable>(
    before limit: PointOfNoReturn? = nil, _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    let (results, source) = AsyncThrowingStream<T, any Error>.makeStream()
    let task = Task {
        do {
            source.yield(try await body())
            source.finish()
        } catch { source.finish(throwing: error) }
    }
    return try await withTaskCancellationHandler {
        for try await result in results { return result }
        throw CancellationError()
    } onCancel: {
        if limit?.bar() != false { task.cancel() }
    }
}

extension Credential {
    /// What is stored, for somebody whose own credential is no longer good.
    ///
    /// - Throws: `.nothingToRefresh` if somebody has logged in anew.
    fileprivate func handed(to old: Credential?) throws(CredentialError) -> Credential {
        if isOfAnotherLogin(than: old) { throw .loggedInAnew }
        return self
    }
}

extension CredentialError {
    /// There is a token, but it may be somebody else's.
    static let loggedInAnew = CredentialError(
        .nothingToRefresh, "somebody has logged in anew meanwhile; make the call again",
        remedy: .neither)

    /// There is nobody to refresh a token for.
    static let loggedOut = CredentialError(
        .nothingToRefresh, "somebody logged out while a new token was fetched; log in")
}
