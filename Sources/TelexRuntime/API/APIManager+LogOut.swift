import TelexCredentials

extension APIManager {
    /// Logs out: cancels the unfinished calls that carry a token, removes the credential from the
    /// store, and then runs the operation that notifies the server, with the removed credential.
    /// The local log-out is immediate. It happens even without a network and if the task is
    /// cancelled. Another user may log in in the meantime; no old call continues with the new
    /// token.
    ///
    /// The operation runs at once, whatever its queue, the limits and a throttle, and neither waits
    /// for nor triggers a refresh. If it is a group, the same holds for its steps. An expired token
    /// is first refreshed for it if that needs no login
    /// (``CredentialRefresher/refreshQuietly(_:)``).
    ///
    /// A group of any manager with a step that carries the token is cancelled too, unless the
    /// log-out runs inside it. Another log-out in flight is not cancelled: it continues with its
    /// own token. Without a stored credential, as after a second tap, an operation that needs a
    /// token fails (``APIError/Reason/noCredential``), and the first log-out continues.
    ///
    /// At its end, it removes the cookies of the API and the tokens that the server has handed out,
    /// and calls `onLogOut` of the manager. It does not remove credentials of further schemes,
    /// cookies of web views and of other transports, caches, and files.
    ///
    /// ```swift
    /// try await vk.logOut(vk.auth.logout())
    /// ```
    ///
    /// - Parameter operation: The operation that notifies the server; it must not have been
    ///   started.
    /// - Returns: The operation's value.
    /// - Throws: The operation's error, although the credential has been removed; a ``LogOutError``
    ///   if it could not be removed or another process may restore it.
    @discardableResult
    public func logOut<Output>(_ operation: NetworkOperation<Output>) async throws -> Output {
        let group = OperationGroup.current
        group?.setLoggingOut(true, engine)
        defer { group?.setLoggingOut(false, engine) }
        let isPaused = engine.refreshPause(of: .login) != nil
        let forgotten = await leave(loggingOut: operation)
        let credential =
            isPaused ? forgotten.credential : await renewed(forgotten.credential)
        let privilegedTask = PrivilegedTask(for: engine, revokedCredential: credential)
        defer { privilegedTask.end() }
        let result: Result<Output, any Error>
        do {
            let value = try await PrivilegedTask.$current.withValue(privilegedTask) {
                try await operation.value
            }
            result = .success(value)
        } catch { result = .failure(error) }
        // The request to the server may have needed them.
        await forgetSession()
        if let error = LogOutError(forgotten, requestError: result.failure) { throw error }
        return try result.get()
    }

    /// Logs out of an API whose server need not be notified: cancels the unfinished calls that
    /// carry a token and removes the credential, as ``logOut(_:)`` does.
    ///
    /// - Throws: A ``LogOutError`` if the credential could not be removed or another process may
    ///   restore it.
    public func logOut() async throws(LogOutError) {
        let group = OperationGroup.current
        group?.setLoggingOut(true, engine)
        defer { group?.setLoggingOut(false, engine) }
        let forgotten = await leave()
        await forgetSession()
        if let error = LogOutError(forgotten, requestError: nil) { throw error }
    }

    /// Cancels the operations that use the credential and removes it.
    ///
    /// - Parameter operation: The operation that notifies the server, which is not cancelled; nil for
    ///   none.
    private func leave(loggingOut operation: OperationHandle? = nil) async -> RemovalResult {
        engine.privilegedTask?.noteLogOut()
        // The store may be slow, so operations that began in the meantime are cancelled too.
        engine.cancelTokenCarriers(loggingOut: operation)
        let outcome = await forget()
        engine.cancelTokenCarriers(loggingOut: operation)
        factory.pipeline.redactors.clear()
        await factory.pipeline.removeReplies(of: outcome.credential)
        engine.cancelRefresh()
        return outcome
    }

    /// Removes the credential from its store, even if the caller's task is cancelled.
    private func forget() async -> RemovalResult {
        let (pipeline, credentials) = (factory.pipeline, credentials)
        return await Task.detached { await credentials.forget(await pipeline.storedCredential()) }
            .value
    }

    /// Removes what the server has given besides the credential, and lets the app remove the rest.
    private func forgetSession() async {
        await factory.pipeline.schemes.forgetHandedOut(engine)
        factory.pipeline.cookies?.clear()
        await onLogOut?()
    }

    /// Returns a refreshed credential if the stored one has expired and can be refreshed without a
    /// login; otherwise the stored one. Requests that the refresh makes do not wait for a refresh
    /// either.
    private func renewed(_ stored: StoredCredential) async -> StoredCredential {
        guard let refresher, let old = (try? stored.get()) ?? nil,
            old.isExpired(at: engine.clock.now())
        else { return stored }
        let privilegedTask = PrivilegedTask(for: engine, revokedCredential: stored)
        defer { privilegedTask.end() }
        let new = try? await PrivilegedTask.$current.withValue(privilegedTask) {
            try await refresher.refreshQuietly(old)
        }
        return new.map { .success($0) } ?? stored
    }
}

extension CredentialStore {
    /// Removes a credential that was just read, or the one by which a refresh has replaced it
    /// since. A credential of a later login stays.
    fileprivate func forget(_ stored: StoredCredential) async -> RemovalResult {
        var forgotten = stored
        do throws(CredentialStoreError) {
            // Only a store that never succeeds in this way needs more iterations.
            for _ in 0..<10 {
                guard case .success(let old) = forgotten else { break }
                guard let newer = try await replace(old, by: nil), old != nil,
                    !newer.isOfAnotherLogin(than: old)
                else { return RemovalResult(credential: forgotten) }
                forgotten = .success(newer)
            }
        } catch {}
        // A credential that cannot be read can still be removed.
        do throws(CredentialStoreError) {
            try await clear()
            return RemovalResult(credential: forgotten)
        } catch {
            let isGone = (try? await read() == nil) ?? false
            return RemovalResult(credential: forgotten, error: error, isGone: isGone)
        }
    }
}

/// The result of removing a credential from a store.
private struct RemovalResult: Sendable {
    let credential: StoredCredential
    /// The error of the removal; nil for none.
    var error: CredentialStoreError?
    /// Whether the credential is gone despite an error.
    var isGone = true
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension LogOutError {
    /// - Returns: nil if the removal succeeded.
    fileprivate init?(_ forgotten: RemovalResult, requestError: (any Error)?) {
        guard let error = forgotten.error else { return nil }
        self.init(
            storeError: error, requestError: requestError, isStillStored: !forgotten.isGone)
    }
}
