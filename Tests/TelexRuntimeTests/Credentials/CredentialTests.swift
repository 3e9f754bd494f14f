import Foundation
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A credential")
struct CredentialTests {
    @Test("a credential is kept in a file that only its owner can read, and replaced in one step")
    func file() async throws {
        let path = temporaryPath()
        defer { for name in [path, path + ".write.lock"] { try? DiskFile.remove(name) } }
        let store: any CredentialStore = .file(path)
        #expect(try await store.read() == nil)
        let full = Credential(
            token: secret, values: ["user_id": "7"], expiry: Date(timeIntervalSince1970: 12.5),
            refreshToken: "r")
        try await store.save(Credential(token: "old"))
        try await store.save(full)
        #expect(try await store.read() == full)
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let name = URL(filePath: path).lastPathComponent
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.filter { $0.hasPrefix(name) }.sorted() == [name, "\(name).write.lock"])
        try await store.clear()
        try await store.clear()
        #expect(try await store.read() == nil)
    }

    @Test("a credential that cannot be kept or read is a typed error")
    func fileErrors() async throws {
        let nowhere = FileCredentialStore(path: "/nowhere/at/all")
        let saving = await #expect(throws: CredentialStoreError.self) {
            try await nowhere.save(Credential(token: secret))
        }
        #expect(saving?.task == .save)
        #expect(saving?.description.contains("/nowhere/at/all") == true)
        let path = temporaryPath()
        defer { try? DiskFile.remove(path) }
        try DiskFile.replace(path, with: Array("{\"token\":\"\(secret)\"".utf8))
        let reading = await #expect(throws: CredentialStoreError.self) {
            try await FileCredentialStore(path: path).read()
        }
        #expect(reading?.task == .read)
        #expect(reading?.description.contains(secret) == false)
    }

    @Test("a credential without a token counts as missing: it is refreshed, and not sent")
    func emptyToken() async throws {
        let (bare, sent) = tiny(credential: Credential(token: "")) { _ in .bytes() }
        let error = await failure(bare.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.reason == .noCredential && error?.needsLogin == true)
        #expect(sent.requests.isEmpty)
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { request in
                #expect(request.head.path?.contains(secret) == true)
                return .json(#"{"response":[]}"#)
            },
            credentials: .memory(Credential(token: "", refreshToken: "once"))
        ) {
            $0.refresher = .app { old in
                #expect(old?.refreshToken == "once")
                return Credential(token: secret)
            }
            $0.settings.clock = .stopped
        }
        #expect(try await manager.operation(UsersRequests.get(ids: ["1"])).value == [])
    }

    @Test("a credential in a missing folder is an error of the folder that asks for no log-in")
    func missingFolder() async throws {
        let path = "/nowhere/at/all"
        let store = FileCredentialStore(path: path)
        let saving = await #expect(throws: CredentialStoreError.self) {
            try await store.save(Credential(token: secret))
        }
        #expect(saving?.message.hasSuffix("its folder does not exist; create it first") == true)
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .bytes() }, credentials: store
        ) {
            $0.refresher = .app { _ in Credential(token: secret) }
            $0.settings.clock = .stopped
        }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.description.contains("its folder does not exist; create it first") == true)
        #expect(error?.description.contains("log in") == false)
        #expect(error?.needsLogin == false)
    }

    @Test("a credential that is missing, expired or refused differs from a temporary failure")
    func needsLogin() async {
        func error(
            _ credential: Credential?, _ reply: TransportReply = .bytes(),
            refresher: (any CredentialRefresher)? = nil
        ) async -> APIError? {
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport { _ in reply },
                credentials: MemoryCredentialStore(credential)
            ) {
                $0.refresher = refresher
                $0.settings.clock = .stopped
            }
            return await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        }
        let token = Credential(token: secret)
        let refused = TransportReply.json(#"{"error":{"error_code":5}}"#)
        #expect(await error(nil)?.needsLogin == true)
        let old = Credential(token: secret, expiry: Date(timeIntervalSince1970: 0))
        #expect(await error(old)?.needsLogin == true)
        #expect(await error(token, refused)?.needsLogin == true)
        for (reason, expected) in [
            (CredentialError.Reason.expired, true), (.status(503), false),
            (.transport(TransportError(.offline, "no network")), false),
        ] {
            let refresher = AppCredentialRefresher { _ in throw CredentialError(reason, "no") }
            #expect(await error(token, refused, refresher: refresher)?.needsLogin == expected)
        }
        #expect(await error(token, .bytes(status: .notFound))?.needsLogin == false)
    }

    @Test("a credential in memory is forgotten when it is cleared")
    func memory() async throws {
        let store: any CredentialStore = .memory
        try await store.save(Credential(token: "a"))
        #expect(try await store.read()?.token == "a")
        try await store.clear()
        #expect(try await store.read() == nil)
    }

    @Test("a credential that is missing or expired stops a call before it is sent, with a remedy")
    func missing() async {
        let (manager, transport) = tiny(credential: nil) { _ in .json(#"{"response":[]}"#) }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.phase == .auth)
        #expect(error?.reason == .noCredential)
        #expect(error?.description.contains("hand the credential to `logIn`") == true)
        let old = Credential(token: secret, expiry: Date(timeIntervalSince1970: 100))
        let clock = VirtualClock(date: Date(timeIntervalSince1970: 100)).runtimeClock
        let (late, _) = tiny(credential: old, clock: clock) { _ in .bytes() }
        #expect(
            await failure(late.operation(UsersRequests.get(ids: [])))?.reason == .credentialExpired)
        #expect(await failure(late.operation(UsersRequests.ping())) == nil)
        #expect(transport.requests.isEmpty)
    }

    @Test("a credential is read for each call, not once")
    func perCall() async throws {
        let (manager, transport) = tiny { _ in .json(#"{"response":[]}"#) }
        _ = try await manager.operation(UsersRequests.get(ids: [])).value
        try await manager.credentials.save(Credential(token: "second"))
        _ = try await manager.operation(UsersRequests.get(ids: [])).value
        let paths = transport.requests.map { $0.head.path ?? "" }
        #expect(paths[0].hasSuffix("owner_id=7&access_token=\(secret)"))
        #expect(paths[1].hasSuffix("user_ids=&access_token=second"))
    }

    @Test("a credential is placed where the spec says")
    func placement() throws {
        func field(_ token: AuthRules.Placement) throws -> [String] {
            let template = RequestTemplate(method: "m", endpoint: Endpoint(.get, "m"))
            let fields = try template.fields(token, Credential(token: "T"))
            return fields.map { "\($0.name): \($0.value)" }
        }
        #expect(try field(.bearer) == ["Authorization: Bearer T"])
        #expect(try field(.header("X-Key")) == ["X-Key: T"])
        #expect(
            try field(.header("Authorization", prefix: "Client-ID")) == [
                "Authorization: Client-ID T"
            ])
        #expect(
            try field(.header("Authorization", prefix: "Key ")) == ["Authorization: Key T"])
        #expect(try field(.cookie("sid")) == ["Cookie: sid=T"])
    }

    @Test("a credential is not dropped if its header field is invalid: the call fails")
    func badHeader() {
        let template = RequestTemplate(method: "m", endpoint: Endpoint(.get, "m"))
        for name in ["X/Token", "", ":path"] {
            #expect(throws: (any Error).self) {
                try template.fields(.header(name), Credential(token: "T"))
            }
        }
    }

    @Test("a credential that cannot be in a header is an error, not a dropped header")
    func badToken() async {
        let template = RequestTemplate(method: "m", endpoint: Endpoint(.get, "m"))
        #expect(throws: (any Error).self) {
            try template.fields(.bearer, Credential(token: "a\r\nX: y"))
        }
    }
}
