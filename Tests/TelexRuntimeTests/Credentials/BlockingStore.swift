import TelexJSON
import TelexRuntime
import TelexTesting

/// A credential store, one read of which waits for a gate.
final class BlockingStore: CredentialStore {
    let (held, gate) = (Gate(), Gate())
    private let stored: MemoryCredentialStore
    private let holds = Lock(false)

    init(_ credential: Credential) { stored = MemoryCredentialStore(credential) }

    /// Makes the next read wait at the gate.
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
