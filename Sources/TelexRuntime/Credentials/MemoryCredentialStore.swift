import Synchronization

/// Keeps a credential as long as the store itself lives.
public final class MemoryCredentialStore: CredentialStore {
    private let credential: Mutex<Credential?>

    /// Empty by default.
    public init(_ credential: Credential? = nil) {
        self.credential = Mutex(credential)
    }

    /// The credential; nil if there is none.
    public func read() async throws(CredentialStoreError) -> Credential? {
        credential.withLock { $0 }
    }

    /// Keeps a credential in place of the old one.
    public func save(_ credential: Credential) async throws(CredentialStoreError) {
        self.credential.withLock { $0 = credential }
    }

    /// Keeps a credential, or none, in place of an old one, if that is still there, in one step.
    public func replace(
        _ old: Credential?, by new: Credential?
    ) async throws(CredentialStoreError) -> Credential? {
        credential.withLock { stored in
            if stored?.token == old?.token { stored = new }
            return stored
        }
    }

    /// Forgets the credential.
    public func clear() async throws(CredentialStoreError) {
        credential.withLock { $0 = nil }
    }
}

extension CredentialStore where Self == MemoryCredentialStore {
    /// A new store that keeps a credential as long as it lives.
    public static var memory: MemoryCredentialStore { MemoryCredentialStore() }

    /// A new store in memory that has a credential already.
    public static func memory(_ credential: Credential) -> MemoryCredentialStore {
        MemoryCredentialStore(credential)
    }
}
