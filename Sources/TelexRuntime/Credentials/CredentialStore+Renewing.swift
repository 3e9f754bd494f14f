import TelexCredentials
import TelexJSON

extension CredentialStore {
    /// Replaces a credential that is no longer valid, once for all users of the store: concurrent
    /// callers get the credential that the first of them stored.
    ///
    /// The new credential is stored before it is returned, so that a one-time refresh token is not
    /// lost if the process ends. A credential that other code stored during the refresh takes
    /// precedence, unless it comes from another login (`APIManager.logIn`), because calls of one
    /// user must not continue as another. A log-out during the refresh stays in effect; but if the
    /// refresher itself logged out, the credential that it returns counts as a login. Once a
    /// refresh token is being used, cancelling a task ends only that task's wait: the token may be
    /// valid only once, so the refresh continues, its result is stored, and other users of the
    /// store wait for it.
    ///
    /// - Parameters:
    ///   - old: The credential that was refused or has expired; `nil` if there was none.
    ///   - refresher: Gets the new credential. Its argument is the stored credential, `nil` after a
    ///     log-out.
    /// - Throws: The error of the refresher; ``CredentialError`` with the reason
    ///   `.nothingToRefresh` if a log-out happens during the refresh, or another login since `old`;
    ///   ``CredentialStoreError``; and `CancellationError` as soon as the task is cancelled.
    public func renew(
        _ old: Credential?, with refresher: some CredentialRefresher
    ) async throws -> Credential {
        let limit = CancellationGate()
        return try await untilCancelled(before: limit) {
            try await renewed(old, with: refresher, passing: limit)
        }
    }

    /// Does the same for the engine, which cancels a refresh when the user logs out or in: no login
    /// screen must appear then, and the result is not used.
    ///
    /// - Parameter limit: The point that is passed before a refresh token is used.
    func renewed(
        _ old: Credential?, with refresher: some CredentialRefresher,
        passing limit: CancellationGate? = nil
    ) async throws -> Credential {
        try await exclusively {
            let stored = try await read()
            if let stored, !stored.token.isEmpty, stored.token != old?.token {
                return try stored.checked(to: old)
            }
            // A test write reveals a store that cannot save before a refresh token is spent.
            if let stored { try await keep(stored, inPlaceOf: stored) }
            if stored?.refreshToken != nil { try limit?.pass() }
            do {
                return try await untilCancelled {
                    let new = try await refresher.refresh(stored)
                    var replaced = stored
                    // The log-out counts only if it cleared this store, not another one.
                    if PrivilegedTask.current?.hasLoggedOut == true, try await read() == nil {
                        replaced = nil
                    }
                    // A cancelled login must not log in.
                    if replaced == nil { try Task.checkCancellation() }
                    return try await keep(new, inPlaceOf: replaced)
                }
            } catch {
                // A credential that was stored during the refresh is not affected by its failure.
                guard let other = try? await read(), other.token != stored?.token else {
                    throw error
                }
                // A cancelled task does not use the credential, so its login is not checked.
                return Task.isCancelled ? other : try other.checked(to: stored)
            }
        }
    }

    /// - Throws: `.nothingToRefresh` after a log-out or another login.
    @discardableResult
    private func keep(
        _ new: Credential, inPlaceOf old: Credential?
    ) async throws -> Credential {
        guard let kept = try await replace(old, by: new.continuing(old)) else {
            throw CredentialError.loggedOut
        }
        // The refresher may have logged in with the new credential itself.
        return kept.token == new.token ? kept : try kept.checked(to: old)
    }
}

/// The point up to which a task can be cancelled without harm.
final class CancellationGate: Sendable {
    private enum State {
        case ahead
        case passed
        case cancelled
    }

    private let state = Lock(State.ahead)

    /// Passes the point: cancellation has no effect after it.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before.
    func pass() throws(CancellationError) {
        let isCancelled = state.withLock { state in
            if state == .ahead { state = .passed }
            return state == .cancelled
        }
        if isCancelled { throw CancellationError() }
    }

    /// Cancels the task if the point has not been passed.
    ///
    /// - Returns: Whether the task is cancelled.
    fileprivate func cancelIfAhead() -> Bool {
        state.withLock { state in
            if state == .ahead { state = .cancelled }
            return state == .cancelled
        }
    }
}

/// Returns the result of the closure, or throws a `CancellationError` as soon as the task is
/// cancelled. Cancellation also cancels the closure's task, unless `limit` has been passed; the
/// result of a closure that continues is dropped.
private func untilCancelled<T: Sendable>(
    before limit: CancellationGate? = nil, _ body: @escaping @Sendable () async throws -> T
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
        if limit?.cancelIfAhead() != false { task.cancel() }
    }
}

extension Credential {
    /// Returns the stored credential for a caller whose own credential is no longer valid.
    ///
    /// - Throws: `.nothingToRefresh` if it comes from another login.
    fileprivate func checked(to old: Credential?) throws(CredentialError) -> Credential {
        if isOfAnotherLogin(than: old) { throw .loggedInAgain }
        return self
    }
}

extension CredentialError {
    /// A token is stored, but it may belong to another user.
    static let loggedInAgain = CredentialError(
        .nothingToRefresh, message: "another login has happened since; make the call again",
        remedy: .neither)

    /// The user logged out during the refresh.
    static let loggedOut = CredentialError(
        .nothingToRefresh, "the user logged out during the refresh; log in")
}
