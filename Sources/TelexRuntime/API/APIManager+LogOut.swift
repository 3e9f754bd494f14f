extension APIManager {
    /// Logs out: cancels the calls that have not ended and carry a token, forgets the credential, and
    /// then runs the operation that tells the server, with the credential that was forgotten. So
    /// whoever logs out is logged out here at once, even without a network, and even if the task is
    /// cancelled; somebody else may log in meanwhile, and nothing goes on with their token.
    ///
    /// The operation has its turn at once, whatever its queue, the limits and a throttle say, waits for
    /// no refresh and leads to none, nor does what it runs if it is a group. If the token is known to be over, it is refreshed for it first, where
    /// nobody has to log in for that (``CredentialRefresher/refreshQuietly(_:)``).
    ///
    /// A group that has run what carries the token is cancelled as well, whichever manager it is of,
    /// unless it is what logs out. A
    /// log-out that is still under way is not: it goes on with its own token. Where nobody is logged in,
    /// as after a second tap, an operation that needs a token fails for want of one
    /// (``APIError/Reason/noCredential``), and the first log-out goes on.
    ///
    /// ```swift
    /// try await vk.logOut(vk.auth.logout())
    /// ```
    ///
    /// - Parameter operation: What tells the server; nobody has started it yet.
    /// - Returns: The operation's value.
    /// - Throws: The operation's error, although the credential is forgotten; a ``LogOutError`` if it
    ///   could not be forgotten, or another process may bring it back.
    @discardableResult
    public func logOut<Output>(_ operation: NetworkOperation<Output>) async throws -> Output {
        let group = OperationGroup.current
        group?.setLeaving(true, engine)
        defer { group?.setLeaving(false, engine) }
        let isPaused = engine.refreshPause != nil
        let forgotten = await leave(besides: operation)
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
        if let error = LogOutError(forgotten, requestError: result.failure) { throw error }
        return try result.get()
    }

    /// Logs out of an API whose server need not be told: cancels the calls that have not ended and carry
    /// a token, and forgets the credential, as ``logOut(_:)`` does.
    ///
    /// - Throws: If the credential could not be forgotten, or another process may bring it back.
    public func logOut() async throws(LogOutError) {
        let group = OperationGroup.current
        group?.setLeaving(true, engine)
        defer { group?.setLeaving(false, engine) }
        if let error = LogOutError(await leave(), requestError: nil) { throw error }
    }

    /// Ends what goes on with the credential, and forgets it.
    private func leave(besides revokedCredential: OperationHandle? = nil) async -> Forgotten {
        engine.privilegedTask?.noteLogOut()
        // A store may take long to answer; what began until it had forgotten goes the same way.
        cancelBearers(besides: revokedCredential)
        let outcome = await forget()
        cancelBearers(besides: revokedCredential)
        engine.giveUpRefresh()
        return outcome
    }

    /// Cancels what carries a token.
    private func cancelBearers(besides revokedCredential: OperationHandle?) {
        engine.cancelBearers(besides: revokedCredential)
    }

    /// Takes the credential from its store, whatever becomes of the caller's task.
    private func forget() async -> Forgotten {
        let (pipeline, credentials) = (factory.pipeline, credentials)
        return await Task.detached { await credentials.forget(await pipeline.storedCredential()) }
            .value
    }

    /// A credential that is not known to be over, if one can be had. What is asked for it waits for
    /// nobody either.
    private func renewed(_ stored: StoredCredential) async -> StoredCredential {
        guard let refresher, let old = (try? stored.get()) ?? nil,
            old.isExpired(at: engine.clock.now())
        else { return stored }
        let privilegedTask = PrivilegedTask(for: engine, revokedCredential: stored)
        defer { privilegedTask.end() }
        let witness = TokenEventScope(factory.hub, factory.pipeline.definition.name)
        let new = try? await PrivilegedTask.$current.withValue(privilegedTask) {
            try await witness.watching { try await refresher.refreshQuietly(old) }
        }
        return new.map { .success($0) } ?? stored
    }
}

extension CredentialStore {
    /// Forgets what was stored a moment ago, or what a refresh has put in its place since. Whoever has
    /// logged in since stays so.
    fileprivate func forget(_ stored: StoredCredential) async -> Forgotten {
        var forgotten = stored
        do throws(CredentialStoreError) {
            // More turns are needed by a store only that never forgets in this way.
            for _ in 0..<10 {
                guard case .success(let old) = forgotten else { break }
                guard let newer = try await replace(old, by: nil), old != nil,
                    !newer.isOfAnotherLogin(than: old)
                else { return Forgotten(credential: forgotten) }
                forgotten = .success(newer)
            }
        } catch {}
        // What cannot be read can still be removed.
        do throws(CredentialStoreError) {
            try await clear()
            return Forgotten(credential: forgotten)
        } catch {
            let isGone = (try? await read() == nil) ?? false
            return Forgotten(credential: forgotten, error: error, isGone: isGone)
        }
    }
}

/// What a store has forgotten, or could not forget.
private struct Forgotten: Sendable {
    let credential: StoredCredential
    /// What stood in the way; nil if nothing did.
    var error: CredentialStoreError?
    /// Whether it is gone all the same.
    var isGone = true
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// A credential is still stored although somebody wanted to log out, or may be stored again.
public struct LogOutError: Error, Sendable, CustomStringConvertible {
    /// What stood in the way of forgetting it.
    public let storeError: CredentialStoreError
    /// Why the server was not told; nil if it was, or need not be.
    public let requestError: (any Error)?
    /// Whether the store still has it. False if it is gone, but others could not be kept out: a process
    /// that was about to write may bring it back.
    public let isStillStored: Bool

    init(
        storeError: CredentialStoreError, requestError: (any Error)?, isStillStored: Bool = true
    ) {
        self.storeError = storeError
        self.requestError = requestError
        self.isStillStored = isStillStored
    }

    /// - Returns: nil if nothing stood in the way.
    fileprivate init?(_ forgotten: Forgotten, requestError: (any Error)?) {
        guard let error = forgotten.error else { return nil }
        self.init(
            storeError: error, requestError: requestError, isStillStored: !forgotten.isGone)
    }

    /// A sentence with all of it.
    public var description: String {
        let request =
            requestError.map { "; the server was not told either: \($0.tellableWords)" } ?? ""
        let state =
            isStillStored
            ? "the token is still stored"
            : "the token is forgotten here, but another process may bring it back"
        return "\(state): \(storeError)\(request)"
    }
}
