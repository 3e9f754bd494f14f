import TelexTesting
import Testing

@testable import TelexRuntime

/// Changes of a store between its last read and the save of the new credential.
@Suite("While a new credential is stored")
struct LogOutRaceTests {
    private static let old = Credential(token: "old", refreshToken: "once")

    /// Performs `other` on a store as soon as there is a new credential for it.
    private func renew(
        _ store: any CredentialStore, during other: @escaping @Sendable () async throws -> Void
    ) async throws -> Credential? {
        try await store.save(Self.old)
        let isFetched = Gate()
        let refresher = AppCredentialRefresher { old in
            guard old != nil else { throw CredentialError(.nothingToRefresh, "nobody is in") }
            isFetched.open()
            return Credential(token: "new")
        }
        async let change: Void = {
            await isFetched.wait()
            try await other()
        }()
        _ = try? await store.renew(Self.old, with: refresher)
        try await change
        return try await store.read()
    }

    private func inBothStores(
        _ check: (any CredentialStore, any CredentialStore) async throws -> Void
    ) async throws {
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        let memory = MemoryCredentialStore()
        for _ in 0..<100 {
            try await check(memory, memory)
            // Two objects, as in two processes.
            try await check(place.store, FileCredentialStore(path: place.path))
        }
    }

    @Test("a log-out while a new credential is stored stays in effect")
    func logOut() async throws {
        try await inBothStores { store, other in
            let left = try await renew(store) { try await other.clear() }
            #expect(left == nil)
        }
    }

    @Test(
        "a log-in of another user gets no error about the previous refresh token"
    )
    func refused() async throws {
        let somebody = Credential(token: "somebody")
        let store = MemoryCredentialStore(Self.old)
        let refresher = AppCredentialRefresher { _ in
            try await store.save(somebody)
            throw CredentialError(.refused(.invalidGrant), "the refresh token is over")
        }
        #expect(try await store.renew(Self.old, with: refresher) == somebody)
        let honest = AppCredentialRefresher { _ in
            throw CredentialError(.refused(.invalidGrant), "the refresh token is over")
        }
        await #expect(throws: CredentialError.self) {
            try await store.renew(somebody, with: honest)
        }
    }

    @Test("a credential is cleared only if it is still the expected one")
    func forgotten() async throws {
        let new = Credential(token: "new")
        try await inBothStores { store, other in
            try await store.save(new)
            #expect(try await other.replace(Self.old, by: nil) == new)
            #expect(try await other.replace(nil, by: nil) == new)
            #expect(try await store.read() == new)
            #expect(try await other.replace(new, by: nil) == nil)
            #expect(try await store.read() == nil)
        }
        let simple = ForeignStore(base: MemoryCredentialStore(new))
        #expect(try await simple.replace(Self.old, by: nil) == new)
        #expect(try await simple.replace(new, by: nil) == nil)
        #expect(try await simple.base.read() == nil)
    }

    @Test("a log-in of another user while a new credential is stored stays in effect")
    func logIn() async throws {
        let somebody = Credential(token: "somebody")
        try await inBothStores { store, other in
            let left = try await renew(store) { try await other.save(somebody) }
            #expect(left == somebody)
        }
    }
}
