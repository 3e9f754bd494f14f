import Foundation
import HTTPTypes
import RuntimeTestSupport
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A cached method")
struct CacheTests {
    private static let minute: HTTPFields = [.cacheControl: "max-age=60"]

    private let server = VersionedServer(Self.minute)

    @Test("a cached method sends nothing while its reply is fresh, and counts against no limit")
    func fresh() async throws {
        let client = CacheClient(rate: RequestRate(1, per: .seconds(3600)), serving: server.script)
        let first = try await client.list().response
        #expect(first.source == .network && first.value == [1])
        client.clock.advance(by: .seconds(20))
        for _ in 1...3 {
            let again = try await client.list().response
            #expect(again.source == .cache && again.value == [1])
            #expect(again.head?.headerFields[.age] == "20")
            #expect(again.body == Array("[1]".utf8))
        }
        #expect(client.count == 1)
        #expect(client.log.text.contains("⌂ list: a stored reply, 20.0 seconds old"))
    }

    @Test("a cached method asks whether its reply is current after that")
    func validation() async throws {
        let client = CacheClient(serving: server.script)
        _ = try await client.list().value
        client.clock.advance(by: .seconds(60))
        let same = try await client.list().response
        #expect(same.source == .revalidated && same.value == [1])
        #expect(same.head?.status == .ok)
        #expect(client.fields[.ifNoneMatch] == #""1""#)
        #expect(try await client.list().response.source == .cache)
        client.clock.advance(by: .seconds(60))
        server.change()
        let new = try await client.list().response
        #expect(new.source == .network && new.value == [2])
        #expect(client.count == 3)
    }

    @Test("a cached method asks the same and reloads beside other features, such as cookies")
    func otherFeatures() async throws {
        let client = CacheClient(keepsCookies: true, serving: server.script)
        _ = try await client.list().value
        client.clock.advance(by: .seconds(60))
        #expect(try await client.list().response.source == .revalidated)
        #expect(client.fields[.ifNoneMatch] == #""1""#)
        _ = try await client.list(use: .reload).value
        #expect(client.fields[.cacheControl] == "no-cache")
    }

    @Test("a cached method has a lifetime of its own if the reply names none")
    func ownLifetime() async throws {
        let client = CacheClient(serving: VersionedServer().script)
        _ = try await client.list(CacheRules(fresh: .seconds(5))).value
        client.clock.advance(by: .seconds(4))
        #expect(try await client.list(CacheRules(fresh: .seconds(5))).response.source == .cache)
        #expect(try await client.list(CacheRules()).response.source == .revalidated)
    }

    @Test("a method is asked for each time without `cache` or a cache, or in an ephemeral session")
    func uncached() async throws {
        let client = CacheClient(serving: server.script)
        for _ in 1...2 { _ = try await client.list(nil).value }
        for _ in 1...2 { _ = try await client.list(session: .ephemeral).value }
        for _ in 1...2 { _ = try await client.list(use: .off).value }
        #expect(client.count == 6)
        let without = CacheClient(cache: nil, serving: server.script)
        for _ in 1...2 { _ = try await without.list().value }
        #expect(without.count == 2)
    }

    @Test("a cached method keeps replies of other arguments apart")
    func arguments() async throws {
        let client = CacheClient { request in
            .json(request.head.path == "/list?page=2" ? "[2]" : "[1]", fields: Self.minute)
        }
        for _ in 1...2 {
            #expect(try await client.list(page: 2).value == [2])
            #expect(try await client.list(page: 1).value == [1])
        }
        #expect(client.count == 2)
    }

    @Test("a cached method shares one request among equal calls")
    func shared() async throws {
        let gate = Gate()
        let client = CacheClient { _ in
            await gate.wait()
            return .json("[1]", fields: Self.minute)
        }
        let calls = (1...5).map { _ in client.list() }
        for call in calls { call.start() }
        await until { client.count == 1 }
        gate.open()
        for call in calls { #expect(try await call.value == [1]) }
        #expect(client.count == 1)
    }

    @Test("a cached method stores no reply that fails or cannot be mapped")
    func failures() async throws {
        let bodies = Lock(["{}", "[1]", "[2]"])
        let client = CacheClient { _ in
            .json(bodies.withLock { $0.removeFirst() }, fields: Self.minute)
        }
        await #expect(throws: APIError.self) { try await client.list().value }
        for _ in 1...2 { #expect(try await client.list().value == [1]) }
        #expect(client.count == 2)
    }

    @Test("a cached method asks the server if a stored reply cannot be mapped any more")
    func unmappable() async throws {
        let client = CacheClient(serving: server.script)
        let text = RequestBuilder(
            TestAPI.APIMethod(
                "list",
                Endpoint(.get, "list", auth: .none, operation: OperationRules(cache: .init())))
        )
        var words = text
        words.header("Accept-Language", "en")
        _ = try await client.list().value
        let error = await failure(client.manager.operation(words.finish { $0.value() as String? }))
        #expect(error?.reason == .unexpectedReply)
        #expect(client.count == 2)
    }

    @Test("a cached method asks again at a 304 for another version, and fails at an unasked one")
    func strange304() async throws {
        let client = CacheClient { request in
            guard request.head.headerFields[.ifNoneMatch] != nil else {
                return .json("[1]", fields: [.eTag: #""1""#])
            }
            return .bytes(status: .notModified, fields: [.eTag: #""2""#])
        }
        for _ in 1...2 {
            #expect(try await client.list().response.source == .network)
        }
        #expect(client.count == 3)
        let broken = CacheClient { _ in .bytes(status: .notModified) }
        #expect(await failure(broken.list())?.reason == .status(304))
    }

    @Test("a cached method stores no reply of a redirect, and sends it no validator")
    func redirect() async throws {
        let isMoved = Lock(false)
        let client = CacheClient { request in
            if request.head.path == "/other" { return .json("[2]", fields: [.eTag: #""1""#]) }
            return isMoved.withLock { $0 }
                ? .bytes(status: .found, fields: [.location: "/other"])
                : .json("[1]", fields: [.eTag: #""1""#])
        }
        _ = try await client.list().value
        isMoved.withLock { $0 = true }
        #expect(try await client.list().value == [2])
        #expect(client.fields[.ifNoneMatch] == nil)
        isMoved.withLock { $0 = false }
        #expect(try await client.list(use: .offline).value == [1])
    }

    @Test(
        "a cached method forgets what another method has changed, with any query",
        arguments: [200, 303, 500])
    func invalidation(status: Int) async throws {
        let client = CacheClient { request in
            if request.head.method == .get { return .json("[1]", fields: Self.minute) }
            return .bytes(status: .init(code: status))
        }
        _ = try await client.list().value
        _ = try await client.list(page: 2).value
        _ = try? await client.change(.delete).value
        _ = try await client.list().value
        _ = try await client.list(page: 2).value
        #expect(client.count == (status < 400 ? 5 : 3))
    }

    private struct Translator: Interceptor {
        let field: HTTPField.Name

        func intercept(
            _ request: TransportRequest, of call: InterceptedCall,
            next: (TransportRequest) async throws -> TransportReply
        ) async throws -> TransportReply {
            var request = request
            request.head.headerFields[field] = "de"
            return try await next(request)
        }
    }

    @Test("a cached method keeps no reply whose owner only an interceptor knows")
    func foreignOwner() async throws {
        let client = CacheClient(
            interceptors: [Translator(field: .authorization)], serving: server.script)
        _ = try await client.list().value
        #expect(try await client.list().response.source == .network)
        #expect(await failure(client.list(use: .offline))?.reason == .notCached)
    }

    @Test("a cached method asks each time if an interceptor decides what the reply varies by")
    func interceptor() async throws {
        for (field, source) in [(.acceptLanguage, .network), (.userAgent, .cache)]
            as [(HTTPField.Name, ReplySource)]
        {
            let client = CacheClient(interceptors: [Translator(field: field)]) { _ in
                .json("[1]", fields: [.cacheControl: "max-age=60", .vary: "accept-language"])
            }
            _ = try await client.list().value
            #expect(try await client.list().response.source == source)
        }
    }

    @Test("a cached method returns a stored reply once it is resumed")
    func suspended() async throws {
        let client = CacheClient(serving: server.script)
        _ = try await client.list().value
        let call = client.list()
        call.start()
        call.suspend()
        call.resume()
        #expect(try await call.value == [1])
        let cancelled = client.list()
        cancelled.start()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}

@Suite("A cached method whose server fails")
struct StaleReplyTests {
    private func client(
        _ control: String = "max-age=60", retry: RetryPolicy = .never,
        _ failure: @escaping @Sendable () async throws(TransportError) -> TransportReply
    ) async throws -> CacheClient {
        let isFirst = Lock(true)
        let client = CacheClient(retry: retry) { _ throws(TransportError) in
            let isFirst = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard !isFirst else { return .json("[1]", fields: [.cacheControl: control]) }
            return try await failure()
        }
        _ = try await client.list().value
        client.clock.advance(by: .seconds(100))
        return client
    }

    @Test("a cached method whose server fails uses an older reply at once, instead of retrying")
    func older() async throws {
        let retry = RetryPolicy(backoff: Backoff(initial: .seconds(1), jitter: 0))
        let client = try await client(retry: retry) { () throws(TransportError) in
            throw TransportError(.offline, "no network")
        }
        let rules = CacheRules(staleIfError: .seconds(50))
        let response = try await client.list(rules).response
        #expect(response.source == .stale && response.value == [1])
        #expect(response.head?.headerFields[.age] == "100")
        #expect(client.count == 2)
        #expect(
            client.log.text.contains("⌂ list: a stored reply past its lifetime, 100.0 seconds old"))
    }

    @Test(
        "a cached method whose server fails fails if the older reply may not be used",
        arguments: [
            ("max-age=60", nil), ("max-age=60", 40), ("max-age=60, must-revalidate", 500),
            ("max-age=60, stale-if-error=40", 500),
        ])
    func tooOld(control: String, limit: Int?) async throws {
        let client = try await client(control) { .bytes(status: .serviceUnavailable) }
        let rules = CacheRules(staleIfError: limit.map { .seconds($0) })
        #expect(await failure(client.list(rules))?.reason == .status(503))
    }

    @Test(
        "a cached method whose server fails fails with the server's refusal",
        arguments: [401, 403, 404, 429])
    func refusal(status: Int) async throws {
        let client = try await client { .bytes(status: .init(code: status)) }
        let error = await failure(client.list(CacheRules(staleIfError: .seconds(500))))
        #expect(error?.reason == .status(status))
    }

    @Test("a cached method whose server fails uses an older reply after an attempt's time-out")
    func timeOut() async throws {
        let arrived = Gate()
        let client = try await client { () throws(TransportError) in
            arrived.open()
            await Gate().wait()
            throw .cancelled
        }
        let call = client.list(
            CacheRules(staleIfError: .seconds(500)),
            options: CallOptions(timeouts: Timeouts(attempt: .seconds(3))))
        call.start()
        await arrived.wait()
        client.clock.advance(by: .seconds(3))
        #expect(try await call.response.source == .stale)
    }
}

@Suite("The cache option of a call")
struct CacheUseTests {
    private let server = VersionedServer([.cacheControl: "max-age=60"])

    @Test("`offline` sends nothing, and fails if nothing is stored")
    func offline() async throws {
        let client = CacheClient(serving: server.script)
        let error = await failure(client.list(use: .offline))
        #expect(error?.reason == .notCached && error?.attempts == 0)
        #expect(await failure(client.list(nil, use: .offline))?.reason == .notCached)
        #expect(client.count == 0)
        _ = try await client.list().value
        client.clock.advance(by: .seconds(1_000))
        let response = try await client.list(use: .offline).response
        #expect(response.source == .stale && client.count == 1)
    }

    @Test("`cached` asks the server only if nothing is stored")
    func cached() async throws {
        let client = CacheClient(serving: server.script)
        #expect(try await client.list(use: .cached).response.source == .network)
        client.clock.advance(by: .seconds(1_000))
        #expect(try await client.list(use: .cached).response.source == .stale)
    }

    @Test("`validate` and `reload` ask the server although the reply is fresh")
    func asking() async throws {
        let client = CacheClient(serving: server.script)
        _ = try await client.list().value
        #expect(try await client.list(use: .validate).response.source == .revalidated)
        #expect(try await client.list(use: .reload).response.source == .network)
        #expect(client.fields[.ifNoneMatch] == nil && client.fields[.cacheControl] == "no-cache")
        server.change()
        #expect(try await client.list(use: .reload).value == [2])
        #expect(try await client.list().response.source == .cache)
        #expect(try await client.list().value == [2])
    }
}

@Suite("The owner of stored replies")
struct CacheOwnerTests {
    private let folder = NSTemporaryDirectory() + "telex-cache-\(UUID().uuidString)"
    private static let bearer = AuthRules(token: .bearer)

    /// Replies with the length of the token, and echoes its request.
    private static let script: InMemoryTransport.Script = { request in
        let token = request.head.headerFields[.authorization] ?? ""
        return .json("[\(token.utf8.count)]", fields: [.cacheControl: "max-age=60"])
    }

    private func client(
        _ credentials: any CredentialStore, cache: HTTPCache, auth: AuthRules = Self.bearer
    ) -> CacheClient {
        CacheClient(credentials, auth: auth, cache: cache, serving: Self.script)
    }

    private var files: [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (names ?? []).filter { $0.contains("/") }
    }

    @Test("stored replies belong to the login: another one sees nothing, and log-out removes them")
    func logins() async throws {
        let cache = HTTPCache(disk: .folder(folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = client(.memory, cache: cache)
        let rules = CacheRules(store: .disk)
        try await client.manager.logIn(Credential(token: "a"))
        for _ in 1...2 { _ = try await client.list(rules, auth: .required).value }
        #expect(client.count == 1 && files.count == 1)
        try await client.manager.logIn(Credential(token: "bb"))
        #expect(files.isEmpty)
        let other = try await client.list(rules, auth: .required).response
        #expect(other.source == .network && files.count == 1)
        try await client.manager.logOut()
        #expect(files.isEmpty)
        #expect(await failure(client.list(rules, auth: .required))?.reason == .noCredential)
        #expect(try await client.list(rules).response.source == .network)
    }

    @Test("a reply's owner stays the same after a refresh or restart, or with an expired token")
    func restart() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = MemoryCredentialStore()
        let rules = CacheRules(store: .disk)
        let first = client(store, cache: HTTPCache(disk: .folder(folder)))
        try await first.manager.logIn(Credential(token: "a"))
        _ = try await first.list(rules, auth: .required).value
        let old = try #require(try await store.read())
        let expiry = Date(timeIntervalSince1970: 0)
        try await store.save(Credential(token: "b", expiry: expiry).continuing(old))
        let second = client(store, cache: HTTPCache(disk: .folder(folder)))
        #expect(try await second.list(rules, auth: .required).response.source == .cache)
        #expect(second.count == 0)
    }

    @Test("the owner of replies leaves no trace of a token on disk, nor of one without a login")
    func secrets() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let token = "secret-token-of-anna"
        let rules = CacheRules(store: .disk)
        for auth in [Self.bearer, AuthRules(token: .query("access_token"))] {
            let cache = HTTPCache(disk: .folder(folder))
            let unnamed = client(.memory(Credential(token: token)), cache: cache, auth: auth)
            _ = try await unnamed.list(rules, auth: .required).value
            #expect(try await unnamed.list(rules, auth: .required).response.source == .cache)
            #expect(files.isEmpty)
            let named = client(.memory, cache: cache, auth: auth)
            try await named.manager.logIn(Credential(token: token))
            _ = try await named.list(rules, auth: .required).value
            let file = try #require(files.first)
            let content = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
            #expect(!String(decoding: content, as: UTF8.self).contains(token))
            try await named.manager.logOut()
        }
    }

    private struct Secret: JSONReadable {
        static func read(from json: inout JSONReader) -> Secret? {
            let keys = JSONKeys(
                required: ["pin"], optional: [], nullable: [], sensitive: ["pin"])
            var pin = 0
            guard json.beginObject(keys) else { return nil }
            while json.nextField() != nil { json.int(&pin) }
            return json.endObject() ? Secret() : nil
        }
    }

    @Test(
        "the owner of stored replies writes no sensitive value to disk", arguments: [false, true])
    func sensitive(isParameter: Bool) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = CacheClient(cache: HTTPCache(disk: .folder(folder))) { _ in
            .json(isParameter ? "{}" : #"{"pin": 1}"#, fields: [.cacheControl: "max-age=60"])
        }
        let rules = OperationRules(cache: CacheRules(store: .disk))
        func call() -> DataOperation<String> {
            var request = RequestBuilder(
                TestAPI.APIMethod("pin", Endpoint(.get, "pin", auth: .none, operation: rules)))
            if isParameter { request.query("code", "1234", sensitive: true) }
            return client.manager.operation(
                request.finish { json in
                    isParameter
                        ? json.value() as JSONValue? == nil ? nil : ""
                        : Secret.read(from: &json).map { _ in "" }
                })
        }
        _ = try await call().value
        #expect(try await call().response.source == .cache)
        #expect(files.isEmpty)
    }

    @Test("the owner of stored replies gets no reply that arrives after the log-out")
    func logOutInFlight() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = CacheClient(auth: Self.bearer) { _ in
            arrived.open()
            await gate.wait()
            return .json("[1]", fields: [.cacheControl: "max-age=60"])
        }
        try await client.manager.logIn(Credential(token: "a"))
        let call = client.list(auth: .required)
        call.start()
        await arrived.wait()
        try await client.manager.logOut()
        gate.open()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(await failure(client.list(use: .offline, auth: .required))?.reason == .notCached)
    }
}
