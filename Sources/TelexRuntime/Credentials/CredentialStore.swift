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
