extension APIManager {
    /// Logs out: runs the operation that tells the server, then forgets the credential, whatever
    /// became of the operation. Whoever logs out is logged out here even without a network, and even
    /// if the task is cancelled. Then it cancels the calls that have not ended and carry a token: they
    /// must not go on with that of whoever logs in next.
    ///
    /// The operation needs a good token: while a new one is fetched, it waits for that. Give it a
    /// total time-out if that may take long.
    ///
    /// ```swift
    /// try await vk.logOut(vk.auth.logout())
    /// ```
    ///
    /// - Returns: The operation's value.
    /// - Throws: The operation's error once the credential is forgotten; a ``LogOutError`` if it
    ///   could not be forgotten.
    @discardableResult
    public func logOut<Output>(_ operation: NetworkOperation<Output>) async throws -> Output {
        let result: Result<Output, any Error>
        do { result = .success(try await operation.value) } catch { result = .failure(error) }
        do { try await credentials.clear() } catch {
            throw LogOutError(storeError: error, requestError: result.failure)
        }
        cancel { $0.facts.usesCredential }
        return try result.get()
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
    /// Why the server was not told; nil if it was.
    public let requestError: (any Error)?

    /// A sentence with both.
    public var description: String {
        let request = requestError.map { "; the server was not told either: \($0)" } ?? ""
        return "the token is still stored: \(storeError)\(request)"
    }
}
