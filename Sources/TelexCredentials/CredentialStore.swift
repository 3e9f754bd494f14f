/// A store for the credential of one API, which may outlive the process.
///
/// A store must keep the whole credential: the value, or the JSON that ``Credential/write(to:)``
/// writes. A credential that is reassembled from its parts loses its login identity. A call could
/// then continue with the token of another user after a login in another process.
public protocol CredentialStore: Sendable {
    /// A closure that runs exclusively, outside any actor.
    ///
    /// Without `@concurrent`, the type would differ in modules in which asynchronous functions run
    /// on their caller's actor (`NonisolatedNonsendingByDefault`).
    typealias Exclusive<T> = @concurrent @Sendable () async throws -> T

    /// Returns the credential; `nil` if there is none.
    func read() async throws(CredentialStoreError) -> Credential?
    /// Stores a credential in place of the old one.
    func save(_ credential: Credential) async throws(CredentialStoreError)
    /// Removes the credential; does nothing if there is none.
    func clear() async throws(CredentialStoreError)
    /// Replaces `old` by `new` if `old` is still stored, where `nil` stands for no credential.
    /// Credentials are compared by their tokens. With `new` equal to `nil`, the credential is
    /// removed, so that a log-out knows which credential it removed.
    ///
    /// The default implementation calls `read` and then `save` or `clear`. A change between the two
    /// steps is lost, so that a log-out could be undone. ``MemoryCredentialStore`` and
    /// ``FileCredentialStore`` do both in one step; `KeychainCredentialStore` at least never undoes
    /// a log-out. Other stores should be atomic, too, if they can.
    ///
    /// - Returns: The credential that is stored now: `new`, or a credential that other code stored;
    ///   `nil` if it was removed.
    func replace(
        _ old: Credential?, by new: Credential?
    ) async throws(CredentialStoreError) -> Credential?
    /// Runs the closure exclusively among all users of the store, so that a credential is read,
    /// refreshed and saved once. Other code may still read, save and clear during the closure.
    ///
    /// Waiting callers enter one at a time. A closure must not enter the same store again, because
    /// it would deadlock.
    ///
    /// The default implementation is exclusive within the process: among all users of one object,
    /// or among all values of one type. A store that several processes share should be exclusive
    /// among them, as ``FileCredentialStore`` is.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits,
    ///   ``CredentialStoreError`` if the store cannot be locked, and the errors of `body`.
    func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T
}

extension CredentialStore {
    /// Runs the closure exclusively within this process: for the same object, or, if the store is
    /// not an object, for all stores of the same type.
    public func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T {
        let isObject = type(of: self) is AnyClass
        let id = isObject ? ObjectIdentifier(self as AnyObject) : ObjectIdentifier(Self.self)
        return try await LockRegistry.shared.withLock(.object(id), body)
    }

    /// Replaces the credential in two steps.
    public func replace(
        _ old: Credential?, by new: Credential?
    ) async throws(CredentialStoreError) -> Credential? {
        let stored = try await read()
        guard stored?.token == old?.token else { return stored }
        if let new { try await save(new) } else { try await clear() }
        return new
    }
}

/// The failure of a credential store.
public struct CredentialStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation that failed.
    public enum Task: String, Sendable, Hashable {
        /// Reading the credential.
        case read
        /// Saving a credential.
        case save
        /// Removing the credential.
        case clear
        /// Locking the store.
        case lock
    }

    /// The operation that failed.
    public let task: Task
    /// The reason of the failure, without secrets.
    public let message: String
    /// Whether the stored content is unusable, so that a login helps, whose credential replaces it.
    public let needsLogin: Bool

    /// Makes an error; by default, a login does not help.
    public init(_ task: Task, _ message: String, needsLogin: Bool = false) {
        self.task = task
        self.message = message
        self.needsLogin = needsLogin
    }

    /// The operation and the reason, as a sentence.
    public var description: String {
        "the credential store could not \(task.rawValue): \(message)"
    }
}

/// The result of reading a credential store.
package typealias StoredCredential = Result<Credential?, CredentialStoreError>
