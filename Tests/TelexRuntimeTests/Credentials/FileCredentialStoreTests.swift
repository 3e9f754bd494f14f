import Foundation
import TelexTesting
import Testing

@testable import TelexCredentials
@testable import TelexRuntime

@Suite("A file with a credential")
struct FileCredentialStoreTests {
    private let place = TestPath()

    private func error(
        _ task: CredentialStoreError.Task, _ body: () async throws -> Void
    ) async -> String {
        let error = await #expect(throws: CredentialStoreError.self) { try await body() }
        #expect(error?.task == task)
        #expect(error?.description.contains(place.path) == true)
        #expect(error?.description.contains(secret) == false)
        return error?.description ?? ""
    }

    @Test("a credential file is not read if others may read it, and the error names the remedy")
    func open() async throws {
        try await place.store.save(Credential(token: secret))
        for mode in [0o644, 0o660, 0o604] as [mode_t] {
            chmod(place.path, mode)
            let text = await error(.read) { _ = try await place.store.read() }
            #expect(text.contains("mode \(String(mode, radix: 8))"))
            #expect(text.contains("chmod 600"))
        }
        chmod(place.path, 0o600)
        #expect(try await place.store.read()?.token == secret)
    }

    @Test("a file with a credential becomes private when it is replaced")
    func replaced() async throws {
        #expect(FileManager.default.createFile(atPath: place.path, contents: Data([1])))
        chmod(place.path, 0o666)
        try await place.store.save(Credential(token: secret))
        #expect(try place.mode(place.path) == 0o600)
        #expect(try await place.store.read()?.token == secret)
    }

    @Test("a credential file is not reached through a symbolic link, neither to read nor to write")
    func link() async throws {
        let target = TestPath()
        defer { withExtendedLifetime(target) {} }
        try await target.store.save(Credential(token: secret))
        symlink(target.path, place.path)
        let reading = await error(.read) { _ = try await place.store.read() }
        #expect(reading.contains("symbolic link"))
        let saving = await error(.save) { try await place.store.save(Credential(token: "new")) }
        #expect(saving.contains("symbolic link"))
        #expect(try await target.store.read()?.token == secret)
        try await place.store.clear()
        #expect(try await target.store.read()?.token == secret)
    }

    @Test("a credential file has to be a regular file: folder and pipe are errors, nothing hangs")
    func kinds() async throws {
        mkfifo(place.path, 0o600)
        #expect(
            await error(.read) { _ = try await place.store.read() }.contains("not a regular file"))
        unlink(place.path)
        mkdir(place.path, 0o700)
        #expect(
            await error(.read) { _ = try await place.store.read() }.contains("not a regular file"))
        _ = await error(.save) { try await place.store.save(Credential(token: secret)) }
        // A log-in would not repair it, in contrast to wrong permissions.
        let folder = await #expect(throws: CredentialStoreError.self) {
            try await place.store.read()
        }
        #expect(folder?.needsLogin == false)
        rmdir(place.path)
        try await place.store.save(Credential(token: secret))
        chmod(place.path, 0o644)
        let shared = await #expect(throws: CredentialStoreError.self) {
            try await place.store.read()
        }
        #expect(shared?.needsLogin == true)
    }

    @Test("a file with a credential replaces nothing else, such as a pipe or a device")
    func others() async throws {
        mkfifo(place.path, 0o600)
        let store = place.store
        let credential = Credential(token: secret)
        let texts = [
            await error(.save) { try await store.save(credential) },
            await error(.save) { _ = try await store.replace(nil, by: credential) },
            await error(.clear) { try await store.clear() },
            await error(.lock) { try await store.exclusively {} },
        ]
        for text in texts {
            #expect(text.contains("it is not a regular file; give the store the path of a file"))
        }
        var facts = stat()
        #expect(lstat(place.path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
        for name in [".lock", ".write.lock", ".write.tmp"] {
            #expect(access(place.path + name, F_OK) != 0)
        }
        // Checked only, because a mistake here would damage the system of a privileged user.
        #expect(throws: CredentialStoreError.self) {
            try PrivateFile(path: "/dev/null").check(.save)
        }
    }

    @Test(
        "a file of a credential with invalid contents is an error that does not show them",
        arguments: [
            "", secret, "{\"token\":\"\(secret)\"", "{\"\(secret)\":1}", "[\"\(secret)\"]",
            "{\"token\":7,\"values\":\"\(secret)\"}", "\u{0}\(secret)",
        ])
    func corrupt(content: String) async throws {
        try DiskFile.replace(place.path, with: Array(content.utf8))
        let text = await error(.read) { _ = try await place.store.read() }
        #expect(text.contains("does not hold a credential"))
        #expect(text.contains("log in again"))
    }

    @Test(
        "a credential file leaves no credential of an interrupted save, once written or cleared"
    )
    func leftover() async throws {
        let draft = place.path + ".write.tmp"
        func crash() throws { try DiskFile.replace(draft, with: Array(secret.utf8)) }
        try crash()
        try await place.store.save(Credential(token: "one"))
        #expect(DiskFile.size(draft) == nil)
        try crash()
        _ = try await place.store.replace(
            Credential(token: "one"), by: Credential(token: "two"))
        #expect(DiskFile.size(draft) == nil)
        try crash()
        try await place.store.clear()
        #expect(DiskFile.size(draft) == nil)
    }

    @Test(
        "an unusable place gets no credential file or anything beside it; the error says why",
        arguments: [
            ("/", "ends in a slash; give the path of a file in that folder"),
            ("/a\0b", "holds a NUL; give the path of a file"),
        ])
    func noFile(end: String, words: String) async throws {
        mkdir(place.path, 0o700)
        defer { try? FileManager.default.removeItem(atPath: place.path) }
        let store = FileCredentialStore(path: place.path + end)
        let credential = Credential(token: secret)
        let texts = [
            await error(.save) { try await store.save(credential) },
            await error(.save) { _ = try await store.replace(nil, by: credential) },
            await error(.read) { _ = try await store.read() },
            await error(.lock) { try await store.exclusively {} },
            await error(.clear) { try await store.clear() },
        ]
        #expect(texts.allSatisfy { $0.hasSuffix("its path \(words)") && !$0.contains("\0") })
        #expect(try names(in: place.path) == [])
    }

    @Test("a file with a credential needs a path")
    func noPath() async throws {
        let error = await #expect(throws: CredentialStoreError.self) {
            try await FileCredentialStore(path: "").save(Credential(token: secret))
        }
        #expect(error?.message == "its path is empty; give the path of a file")
        #expect(DiskFile.size(".write.lock") == nil)
    }

    @Test("a file with a credential may have a name as long as the system allows")
    func longName() async throws {
        let folder = TestPath()
        mkdir(folder.path, 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let store = FileCredentialStore(
            path: folder.path + "/" + String(repeating: "a", count: 255))
        try await store.save(Credential(token: secret))
        #expect(try await store.read()?.token == secret)
        try await store.exclusively {}
        try await store.clear()
        #expect(try await store.read() == nil)
        // Its lock files have names that fit and differ.
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.count == 2 && left.allSatisfy { $0.hasPrefix("aaa") && $0.contains("~") })
        let lock = { (name: String) in
            DiskFile.path(beside: "/" + String(repeating: name, count: 85), ".lock")
        }
        #expect(lock("äa") != lock("äb") && lock("äa").utf8.count < 255)
        #expect(DiskFile.path(beside: "/b/a", ".lock") == "/b/a.lock")
    }

    @Test("a credential file without its lock can be cleared, not written, and the error says so")
    func unlockable() async throws {
        try await place.store.save(Credential(token: secret))
        let lock = place.path + ".write.lock"
        unlink(lock)
        // A lock file of another user: it cannot be locked here.
        symlink("/nowhere", lock)
        let old = try await place.store.read()
        _ = await error(.lock) { try await place.store.save(Credential(token: "new")) }
        _ = await error(.lock) {
            _ = try await place.store.replace(old, by: Credential(token: "new"))
        }
        #expect(try await place.store.read()?.token == secret)
        #expect(await error(.lock) { try await place.store.clear() }.contains("symbolic link"))
        #expect(try await place.store.read() == nil)
    }

    @Test("a file with a credential accepts nothing that could not be read again")
    func tooLarge() async throws {
        try await place.store.save(Credential(token: secret))
        let large = Credential(token: String(repeating: "a", count: PrivateFile.limit))
        #expect(await error(.save) { try await place.store.save(large) }.contains("larger than"))
        #expect(try await place.store.read()?.token == secret)
    }

    @Test("a file of a credential without a usable token asks for a log-in, which repairs it")
    func useless() async throws {
        for content in ["{", "[]"] {
            try DiskFile.replace(place.path, with: Array(content.utf8))
            chmod(place.path, 0o600)
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport { _ in .json(#"{"response":[]}"#) },
                credentials: place.store, parameters: TinyAPI.Parameters()
            ) { $0.settings.clock = .stopped }
            let failed = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
            guard case .credentialStore? = failed?.reason else {
                Issue.record("\(String(describing: failed))")
                return
            }
            #expect(failed?.needsLogin == true)
            try await place.store.save(Credential(token: secret))
            #expect(try await manager.operation(UsersRequests.get(ids: ["1"])).value == [])
        }
    }

    @Test("a credential file's only writing process uses a temporary name that a crash leaves")
    func draft() throws {
        let file = PrivateFile(path: place.path)
        // A folder at that name shows that it is used.
        let draft = place.path + ".write.tmp"
        mkdir(draft, 0o700)
        defer { rmdir(draft) }
        #expect(throws: CredentialStoreError.self) {
            try file.replace(with: [1], isExclusive: true)
        }
        try file.replace(with: [1], isExclusive: false)
    }

    @Test("a file with a credential is not read if it is far too large")
    func large() async throws {
        let bytes = [UInt8](repeating: 0x20, count: PrivateFile.limit + 1)
        try DiskFile.replace(place.path, with: bytes)
        #expect(await error(.read) { _ = try await place.store.read() }.contains("larger than"))
    }

    @Test("a credential file's lock is a private file beside it, which has to be regular too")
    func lockFile() async throws {
        try await place.store.exclusively {}
        #expect(try place.mode(place.path + ".lock") == 0o600)
        unlink(place.path + ".lock")
        symlink("/nowhere", place.path + ".lock")
        let text = await error(.lock) { try await place.store.exclusively {} }
        #expect(text.contains("symbolic link"))
        let nowhere = FileCredentialStore(path: "/nowhere/at/all")
        await #expect(throws: CredentialStoreError.self) { try await nowhere.exclusively {} }
    }
}
