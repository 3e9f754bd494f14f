/// Keeps the credential of one API between calls and, if it can, between runs of the app.
///
/// It keeps the credential whole: the value, or the JSON that ``Credential/write(to:)`` writes. One that
/// is made anew of its parts no longer tells which login it came of, and then a call may go on with the
/// token of whoever has logged in since in another process.
public protocol CredentialStore: Sendable {
    /// What is done while nobody else does any such thing, away from any actor.
    ///
    /// Spelt out, the type would be another one where asynchronous functions stay with their caller
    /// (`NonisolatedNonsendingByDefault`).
    typealias Exclusive<T> = @concurrent @Sendable () async throws -> T

    /// The credential; nil if there is none.
    func read() async throws(CredentialStoreError) -> Credential?
    /// Keeps a credential in place of the old one.
    func save(_ credential: Credential) async throws(CredentialStoreError)
    /// Forgets the credential; does nothing if there is none.
    func clear() async throws(CredentialStoreError)
    /// Keeps a credential in place of an old one, unless that is no longer there; nil is there as long
    /// as nobody has logged in. Two are the same if their tokens are. Without a new one, the old one is
    /// forgotten: so a log-out knows what it has forgotten.
    ///
    /// By default that is a `read` and then a `save` or a `clear`. A credential that somebody forgets or keeps just
    /// between the two is lost: a logout would not be one. ``MemoryCredentialStore`` and
    /// ``FileCredentialStore`` do both in one step, `KeychainCredentialStore` at least forgets no
    /// logout, and other stores should do as well, if they can.
    ///
    /// - Returns: What is there now: the new credential, or what somebody else has put there, nil if
    ///   it was forgotten.
    func replace(
        _ old: Credential?, by new: Credential?
    ) async throws(CredentialStoreError) -> Credential?
    /// Runs the closure while nobody else who shares the store runs one: what is read, refreshed
    /// and saved inside is refreshed once. Others may still read, save and clear meanwhile.
    ///
    /// Those who wait are let in one by one. A closure must not enter the same store again; it
    /// would wait for itself.
    ///
    /// By default this holds within the process: for all users of one object, or for all values of
    /// one type. A store that processes share has to do better, as ``FileCredentialStore`` does.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits,
    ///   ``CredentialStoreError`` if there is no way to lock others out, and what `body` throws.
    func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T
}

extension CredentialStore {
    /// Runs the closure while nobody else in this process runs one for the same object, or, if the
    /// store is no object, for a store of the same type.
    public func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T {
        let isObject = type(of: self) is AnyClass
        let id = isObject ? ObjectIdentifier(self as AnyObject) : ObjectIdentifier(Self.self)
        return try await LockRegistry.shared.withLock(.object(id), body)
    }

    /// Puts a new credential in the place of one that is no longer good, once for all who share the
    /// store: whoever comes second gets what the first has put there.
    ///
    /// The new credential is in the store before anybody has it, so that a refresh token that is
    /// good once is not lost with the process. What somebody has put there meanwhile without
    /// waiting wins, unless it is that of another login (`APIManager.logIn`): calls of one person must not
    /// go on as another. Who has logged out stays so; but what the refresher brings after it has
    /// logged out itself is a login. Call this on a task that nobody cancels: one that is
    /// cancelled lets others in at once, although the refresher may be using up the refresh token at
    /// that moment. What a refresher still brings is kept if the old credential is there by then; but
    /// those that heed the cancellation, as all of this package do, bring nothing any more.
    ///
    /// - Parameters:
    ///   - old: The credential that was refused or is over; nil if there was none.
    ///   - refresher: Gets the new one. It is given the stored credential, which is nil if
    ///     somebody has logged out.
    /// - Throws: What the refresher throws, ``CredentialError`` of the reason `.nothingToRefresh` if
    ///   somebody logs out meanwhile, or has logged in anew since the old one, ``CredentialStoreError``,
    ///   and `CancellationError` if the task is cancelled, unless somebody has stored another credential
    ///   meanwhile: it is returned, to nobody's harm, for who has given up goes on with nothing.
    public func renew(
        _ old: Credential?, with refresher: some CredentialRefresher
    ) async throws -> Credential {
        try await exclusively {
            let stored = try await read()
            if let stored, !stored.token.isEmpty, stored.token != old?.token {
                return try stored.handed(to: old)
            }
            // A store that cannot keep anything says so before a refresh token is spent on it.
            if let stored { try await keep(stored, inPlaceOf: stored) }
            do {
                return try await untilCancelled {
                    let new = try await refresher.refresh(stored)
                    var replaced = stored
                    // Of this store, and not of another one.
                    if Errand.current?.hasLoggedOut == true, try await read() == nil {
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

    /// Keeps the new credential if the old one is still there, in two steps.
    public func replace(
        _ old: Credential?, by new: Credential?
    ) async throws(CredentialStoreError) -> Credential? {
        let stored = try await read()
        guard stored?.token == old?.token else { return stored }
        if let new { try await save(new) } else { try await clear() }
        return new
    }
}

/// What a closure gives, or a `CancellationError` as soon as the task is cancelled. One that does not
/// heed that goes on, and nobody gets what it gives.
private func untilCancelled<T: Sendable>(
    _ body: @escaping @Sendable () async throws -> T
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
        task.cancel()
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

/// Why a store could not do what it was asked to.
public struct CredentialStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was asked.
    public enum Task: String, Sendable, Hashable {
        /// To read the credential.
        case read
        /// To keep a credential.
        case save
        /// To forget the credential.
        case clear
        /// To keep others out for a while.
        case lock
    }

    /// What was asked.
    public let task: Task
    /// What stood in the way; holds no secret.
    public let message: String
    /// Whether what is stored is of no use, so that a login would help: what it brings takes its place.
    public let needsLogin: Bool

    /// Makes an error; by default one that a login does not help with.
    public init(_ task: Task, _ message: String, needsLogin: Bool = false) {
        self.task = task
        self.message = message
        self.needsLogin = needsLogin
    }

    /// A sentence with both.
    public var description: String {
        "the store of credentials could not \(task.rawValue): \(message)"
    }
}
