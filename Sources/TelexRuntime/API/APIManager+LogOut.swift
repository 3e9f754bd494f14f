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
    /// A group that has run what carries the token is cancelled as well, unless it is what logs out. A
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
    ///   could not be forgotten.
    @discardableResult
    public func logOut<Output>(_ operation: NetworkOperation<Output>) async throws -> Output {
        let group = OperationGroup.current
        group?.setLeaving(true, engine)
        defer { group?.setLeaving(false, engine) }
        let (forgotten, problem) = await leave(besides: operation)
        let errand = Errand(for: engine, farewell: await renewed(forgotten))
        defer { errand.end() }
        let result: Result<Output, any Error>
        do {
            let value = try await Errand.$current.withValue(errand) { try await operation.value }
            result = .success(value)
        } catch { result = .failure(error) }
        if let problem { throw LogOutError(storeError: problem, requestError: result.failure) }
        return try result.get()
    }

    /// Logs out of an API whose server need not be told: cancels the calls that have not ended and carry
    /// a token, and forgets the credential, as ``logOut(_:)`` does.
    ///
    /// - Throws: If the credential could not be forgotten.
    public func logOut() async throws(LogOutError) {
        let group = OperationGroup.current
        group?.setLeaving(true, engine)
        defer { group?.setLeaving(false, engine) }
        let (_, problem) = await leave()
        if let problem { throw LogOutError(storeError: problem, requestError: nil) }
    }

    /// Ends what goes on with the credential, and forgets it.
    ///
    /// - Returns: What is forgotten, and why it is still there if it is.
    private func leave(
        besides farewell: OperationHandle? = nil
    ) async -> (StoredCredential, CredentialStoreError?) {
        engine.errand?.noteLogOut()
        // A store may take long to answer; what began until it had forgotten goes the same way.
        cancelBearers(besides: farewell)
        let outcome = await forget()
        cancelBearers(besides: farewell)
        engine.giveUpRefresh()
        return outcome
    }

    /// Cancels what carries a token.
    private func cancelBearers(besides farewell: OperationHandle?) {
        cancel { $0.carriesToken && !$0.isLeaving && $0.id != farewell?.id }
    }

    /// Takes the credential from its store, whatever becomes of the caller's task.
    private func forget() async -> (StoredCredential, CredentialStoreError?) {
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
        let errand = Errand(for: engine, farewell: stored)
        defer { errand.end() }
        let witness = TokenWitness(factory.hub, factory.pipeline.definition.name)
        let new = try? await Errand.$current.withValue(errand) {
            try await witness.watching { try await refresher.refreshQuietly(old) }
        }
        return new.map { .success($0) } ?? stored
    }
}

extension CredentialStore {
    /// Forgets what was stored a moment ago, or what a refresh has put in its place since. Whoever has
    /// logged in since stays so.
    ///
    /// - Returns: What is forgotten, and why it is still there if it is.
    fileprivate func forget(
        _ stored: StoredCredential
    ) async -> (StoredCredential, CredentialStoreError?) {
        var forgotten = stored
        do throws(CredentialStoreError) {
            // More turns are needed by a store only that never forgets in this way.
            for _ in 0..<10 {
                guard case .success(let old) = forgotten else { break }
                guard let newer = try await replace(old, by: nil), old != nil,
                    !newer.isOfAnotherLogin(than: old)
                else { return (forgotten, nil) }
                forgotten = .success(newer)
            }
        } catch {}
        // What cannot be read can still be removed.
        do throws(CredentialStoreError) { try await clear() } catch { return (forgotten, error) }
        return (forgotten, nil)
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// A credential is still stored although somebody wanted to log out.
public struct LogOutError: Error, Sendable, CustomStringConvertible {
    /// Why the store still has it.
    public let storeError: CredentialStoreError
    /// Why the server was not told; nil if it was, or need not be.
    public let requestError: (any Error)?

    /// A sentence with both.
    public var description: String {
        let request = requestError.map { "; the server was not told either: \($0.tellableWords)" } ?? ""
        return "the token is still stored: \(storeError)\(request)"
    }
}
