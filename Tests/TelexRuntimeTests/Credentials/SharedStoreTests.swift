import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// Counts its refreshes, and returns tokens with the count in them.
private final class CountingRefresher: CredentialRefresher {
    private let asked = Lock<[Credential?]>([])

    var olds: [Credential?] { asked.withLock { $0 } }

    func refresh(_ old: Credential?) async throws -> Credential {
        let count = asked.withLock { asked in
            asked.append(old)
            return asked.count
        }
        await Task.yield()
        return Credential(token: "new \(count)", refreshToken: "once \(count)")
    }
}

/// A store of an app, without critical sections.
struct ForeignStore: CredentialStore {
    let base: MemoryCredentialStore

    func read() async throws(CredentialStoreError) -> Credential? { try await base.read() }
    func save(_ new: Credential) async throws(CredentialStoreError) { try await base.save(new) }
    func clear() async throws(CredentialStoreError) { try await base.clear() }
}

@Suite("A shared store")
struct SharedStoreTests {
    private static let old = Credential(token: "old", refreshToken: "once")

    /// Requests a new credential in many tasks at once.
    private func renew(_ stores: [any CredentialStore]) async throws -> CountingRefresher {
        let refresher = CountingRefresher()
        try await stores[0].save(Self.old)
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let store = stores[number % stores.count]
                    let new = try await store.renew(Self.old, with: refresher)
                    #expect(new.token == "new 1")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].read()?.refreshToken == "once 1")
        return refresher
    }

    @Test("a shared store renews a credential once, in memory, in a foreign store and in a file")
    func once() async throws {
        let memory = MemoryCredentialStore()
        let foreign = ForeignStore(base: MemoryCredentialStore())
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        for stores in [[memory], [foreign, foreign], [place.store, place.store]]
            as [[any CredentialStore]]
        {
            #expect(try await renew(stores).olds == [Self.old])
        }
    }

    @Test("a shared store refreshes once even where only the file lock separates its users")
    func fileOnce() async throws {
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        // Each spelling is a section of its own within the process, as each process would be.
        let folder = place.path.split(separator: "/").dropLast().joined(separator: "/")
        let name = place.path.split(separator: "/").last ?? ""
        let paths = ["/\(folder)/\(name)", "/\(folder)/./\(name)", "/\(folder)/././\(name)"]
        // Waits until the lock is free, because a store gives up after a number of pauses.
        let turn = FileLock(path: place.path + ".write.lock", pause: { _ in await Task.yield() })
        let stores = paths.map { path in
            FileCredentialStore(path: path) { _ in
                await Task.yield()
                try await turn.withLock {}
            }
        }
        #expect(try await renew(stores).olds == [Self.old])
    }

    @Test("a shared store passes a refresher the stored credential, which is nil after a log-out")
    func loggedOut() async throws {
        let refresher = CountingRefresher()
        _ = try await MemoryCredentialStore().renew(Self.old, with: refresher)
        #expect(refresher.olds == [nil])
    }

    @Test("a shared store keeps the old credential if there is no new one")
    func failing() async throws {
        let store = MemoryCredentialStore(Self.old)
        let error = CredentialError(.refused(.invalidGrant), "no")
        await #expect(throws: error) {
            try await store.renew(Self.old, with: AppCredentialRefresher { _ in throw error })
        }
        #expect(try await store.read() == Self.old)
        #expect(try await store.renew(Self.old, with: CountingRefresher()).token == "new 1")
    }

    @Test("a shared store uses no refresh token if the result could not be stored")
    func full() async throws {
        struct FullStore: CredentialStore {
            let stored: Credential
            func read() async throws(CredentialStoreError) -> Credential? { stored }
            func save(_ new: Credential) async throws(CredentialStoreError) {
                throw CredentialStoreError(.save, "the disk is full")
            }
            func clear() async throws(CredentialStoreError) {}
        }
        let refresher = CountingRefresher()
        await #expect(throws: CredentialStoreError.self) {
            try await FullStore(stored: Self.old).renew(Self.old, with: refresher)
        }
        #expect(refresher.olds.isEmpty)
    }

    @Test("a shared store does not overwrite a credential that was stored meanwhile")
    func replaced() async throws {
        let store = ForeignStore(base: MemoryCredentialStore(Credential(token: "another")))
        let kept = try await store.replace(Self.old, by: Credential(token: "new"))
        #expect(kept?.token == "another")
        #expect(try await store.read()?.token == "another")
    }

    @Test("a shared store returns no credential that it could not store")
    func unsaved() async throws {
        let nowhere = FileCredentialStore(path: "/nowhere/at/all")
        await #expect(throws: CredentialStoreError.self) {
            try await nowhere.renew(nil, with: CountingRefresher())
        }
    }

    @Test("a shared store waits for another owner of the lock, and stops when cancelled")
    func waiting() async throws {
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        let met = Gate()
        let first = FileLock(path: place.path + ".lock", pause: { _ in })
        let second = FileCredentialStore(path: place.path) { _ in
            met.open()
            await Task.yield()
        }
        try await first.withLock {
            let waiter = Task { try await second.exclusively { _ = Issue.record("it was let in") } }
            await met.wait()
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
        }
        #expect(try await second.exclusively { true })
    }
}

extension SharedStoreTests {
    /// A copy of the open file at a path, as a starting process inherits it.
    private func copy(ofOpenFileAt path: String) throws -> Int32 {
        var named = stat()
        try #require(stat(path, &named) == 0)
        let open = (Int32(3)..<1_024).first { number in
            var facts = stat()
            return fstat(number, &facts) == 0 && facts.st_ino == named.st_ino
                && facts.st_dev == named.st_dev
        }
        return dup(try #require(open))
    }

    @Test("a shared store is free after its owner leaves, even if a process is starting")
    func starting() async throws {
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        let path = place.path + ".lock"
        let lock = FileLock(path: path, pause: { _ in throw CancellationError() })
        let copied = try await lock.withLock { try copy(ofOpenFileAt: path) }
        defer { close(copied) }
        #expect(try await lock.withLock { true })
    }
}

#if os(macOS) || os(Linux)
    @Suite("A store that processes share")
    struct ProcessStoreTests {
        /// Writes a line for each refresh.
        struct LoggingRefresher: CredentialRefresher {
            let log: String

            func refresh(_ old: Credential?) async throws -> Credential {
                let file = try #require(fopen(log, "a"))
                fputs("asked\n", file)
                fclose(file)
                // Lets the other processes arrive. A slow machine only makes the check weaker,
                // never fail.
                for _ in 0..<10_000 { await Task.yield() }
                return Credential(token: "new after \(old?.token ?? "")")
            }
        }

        @Test("a store that processes share refreshes a credential once for all of them")
        func once() async throws {
            let place = TestPath()
            defer { withExtendedLifetime(place) {} }
            let path = place.path
            let log = TestPath()
            defer { withExtendedLifetime(log) {} }
            try await place.store.save(Credential(token: "old"))
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask { [log = log.path] in
                        await #expect(processExitsWith: .success) {
                            [path = path as String, log = log as String] in
                            let store = FileCredentialStore(path: path)
                            let new = try await store.renew(
                                Credential(token: "old"), with: LoggingRefresher(log: log))
                            #expect(new.token == "new after old")
                        }
                    }
                }
            }
            #expect(try String(contentsOfFile: log.path, encoding: .utf8) == "asked\n")
        }

        @Test("a store that processes share is free when the process inside dies")
        func death() async throws {
            let place = TestPath()
            defer { withExtendedLifetime(place) {} }
            let path = place.path
            await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
                try await FileCredentialStore(path: path).exclusively { () -> Void in exit(7) }
            }
            #expect(try place.mode(path + ".lock") == 0o600)
            #expect(try await place.store.exclusively { true })
        }
    }
#endif
