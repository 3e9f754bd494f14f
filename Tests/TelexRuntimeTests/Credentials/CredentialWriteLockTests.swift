import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The write lock of a credential file")
struct CredentialWriteLockTests {
    private let place = TestPath()

    /// Performs `work` on a store while another process holds the write lock, up to wait number
    /// `count`.
    ///
    /// - Returns: The lengths of the waits.
    private func behind(
        waits count: Int, _ work: @escaping @Sendable (FileCredentialStore) async throws -> Void
    ) async throws -> [Duration] {
        let waits = Lock<[Duration]>([])
        let (met, isOver) = (Gate(), Gate())
        let store = FileCredentialStore(path: place.path) { time in
            let isLast = waits.withLock { waits in
                waits.append(time)
                return waits.count == count
            }
            guard isLast else { return }
            met.open()
            await isOver.wait()
        }
        let other = FileLock(path: place.path + ".write.lock", pause: { _ in })
        let writer = try await other.withLock {
            let writer = Task { try await work(store) }
            writer.cancel()
            await met.wait()
            return writer
        }
        isOver.open()
        try await writer.value
        return waits.withLock { $0 }
    }

    @Test("a write lock is awaited with growing waits, no thread blocked, in cancelled tasks too")
    func waiting() async throws {
        let waits = try await behind(waits: 8) { try await $0.save(Credential(token: secret)) }
        #expect(waits == [1, 2, 4, 8, 16, 32, 50, 50].map { .milliseconds($0) })
        #expect(try await place.store.read()?.token == secret)
    }

    @Test(
        "the write lock of a credential file is not awaited if its process is stopped",
        arguments: [false, true])
    func stopped(forgets: Bool) async throws {
        try await place.store.save(Credential(token: secret))
        let waited = Lock(Duration.zero)
        let store = FileCredentialStore(path: place.path) { time in
            waited.withLock { $0 += time }
        }
        let other = FileLock(path: place.path + ".write.lock", pause: { _ in })
        let error = try await other.withLock {
            await #expect(throws: CredentialStoreError.self) {
                if forgets {
                    try await store.clear()
                } else {
                    try await store.save(Credential(token: "new"))
                }
            }
        }
        #expect(error?.task == .lock && error?.message.contains("is it stopped?") == true)
        #expect(waited.withLock { $0 } >= .seconds(10) && waited.withLock { $0 } < .seconds(11))
        #expect(try await place.store.read()?.token == (forgets ? nil : secret))
    }

    @Test("the write lock is awaited to clear the credential even if the task is cancelled")
    func clearing() async throws {
        try await place.store.save(Credential(token: secret))
        _ = try await behind(waits: 3) { try await $0.clear() }
        #expect(try await place.store.read() == nil)
    }
}
