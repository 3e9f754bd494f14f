import TelexJSON

/// A store that keeps a credential in memory.
public final class MemoryCredentialStore: CredentialStore {
    private let credential: Lock<Credential?>

    /// Makes a store, empty by default.
    public init(_ credential: Credential? = nil) {
        self.credential = Lock(credential)
    }

    /// Returns the credential; `nil` if there is none.
    public func read() async throws(CredentialStoreError) -> Credential? {
        credential.withLock { $0 }
    }

    /// Stores a credential in place of the old one.
    public func save(_ credential: Credential) async throws(CredentialStoreError) {
        self.credential.withLock { $0 = credential }
    }

    /// Replaces or removes a credential if it is still stored, in one step.
    public func replace(
        _ old: Credential?, by new: Credential?
    ) async throws(CredentialStoreError) -> Credential? {
        credential.withLock { stored in
            if stored?.token == old?.token { stored = new }
            return stored
        }
    }

    /// Removes the credential.
    public func clear() async throws(CredentialStoreError) {
        credential.withLock { $0 = nil }
    }
}

extension CredentialStore where Self == MemoryCredentialStore {
    /// Makes an empty store in memory.
    public static var memory: MemoryCredentialStore { MemoryCredentialStore() }

    /// Makes a store in memory with a credential.
    public static func memory(_ credential: Credential) -> MemoryCredentialStore {
        MemoryCredentialStore(credential)
    }
}
