import Synchronization
import TelexRuntime
import TelexTesting

/// A store, one of whose reads takes long.
final class PatientStore: CredentialStore {
    let (held, gate) = (Gate(), Gate())
    private let stored: MemoryCredentialStore
    private let holds = Mutex(false)

    init(_ credential: Credential) { stored = MemoryCredentialStore(credential) }

    /// The next one who reads has to wait at the gate.
    func holdNext() { holds.withLock { $0 = true } }

    func read() async throws(CredentialStoreError) -> Credential? {
        let credential = try await stored.read()
        let waits = holds.withLock { holds in
            defer { holds = false }
            return holds
        }
        guard waits else { return credential }
        held.open()
        await gate.wait()
        return credential
    }

    func save(_ credential: Credential) async throws(CredentialStoreError) {
        try await stored.save(credential)
    }

    func clear() async throws(CredentialStoreError) { try await stored.clear() }
}
