import GalleryClient
import HTTPTypes
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

@Suite("The page on tests")
struct TestingWithFaultsPageTests {
    @Test("the page on tests fakes a group")
    func fakes() async throws {
        let pictures = PicturesFake()
        pictures.onGet { id in Picture(id: id, title: "Dusk") }
        pictures.onRename { call in Picture(id: call.id, title: call.title) }
        pictures.onWatch { [Picture(id: 1, title: "Dawn"), Picture(id: 2, title: "Dusk")] }
        let title = try await pictures.get(id: 7).value.title
        #expect(title == "Dusk")
        #expect(try await pictures.rename(id: 7, title: "Dawn").value.title == "Dawn")
        #expect(pictures.onRename.calls.map(\.title) == ["Dawn"])
        var seen: [Int] = []
        for try await picture in pictures.watch().elements { seen.append(picture.id) }
        #expect(seen == [1, 2])
        await #expect(throws: FakeError.self) { try await pictures.list().value }
    }

    @Test("the page on tests fails as a call does")
    func errors() async throws {
        let pictures = PicturesFake()
        pictures.onRename { _ in
            throw APIError.fake("pictures.rename", .status(403), code: "15", message: "not yours")
        }
        var isTold = false
        do {
            _ = try await pictures.rename(id: 7, title: "Dusk").value
        } catch let error as APIError where error.code(in: Gallery.self) == .notYours {
            isTold = true
            #expect(error.status == 403 && error.phase == .status && error.fault == .caller)
            #expect(error.message == "not yours" && error.method == "pictures.rename")
        }
        #expect(isTold)
    }

    @Test("the page on tests answers in memory")
    func memory() async throws {
        let transport = InMemoryTransport { request in
            .json(#"{"id": 7, "title": "Dusk"}"#)
        }
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials)
        let picture = try await gallery.pictures.get(id: 7).value
        let sent = transport.requests.map(\.head.path)
        #expect(picture.title == "Dusk")
        #expect(sent == ["/v1/pictures/7"])
    }

    @Test("the page on tests puts behaviours together")
    func behaviours() async throws {
        try await withPath { path in
            let bytes = [UInt8](repeating: 7, count: 3000)
            let tokens = TokenService()
            let file = FileOnServer(bytes, entityTag: "\"v1\"")
            let files = tokens.protecting(file.answer)
            let transport = InMemoryTransport(serving: { request in
                request.path == "/token" ? tokens.refresh(request) : files(request)
            })
            let first = tokens.issue()
            let gallery = APIManager<Gallery>(
                transport: transport,
                credentials: .memory(
                    Credential(token: first.access, refreshToken: first.refresh)))
            file.cutNextReply(after: 1000)
            tokens.expireAccessTokens()
            let saved = try await gallery.pictures.original(id: 7, to: path).value
            #expect(saved.bytes == 3000 && file.bodyBytesSent == 3000)
            #expect(tokens.counts.refreshes == 1)
        }
    }

    @Test("the page on tests answers on a socket")
    func sockets() async throws {
        let server = try LoopbackServer { _ in .truncated(Array(#"{"id"#.utf8), declaring: 100) }
        defer { server.stop() }
        let gallery = APIManager<Gallery>(transport: .urlSession, credentials: credentials) {
            $0.server = .url("http://\(server.authority)/")
        }
        let call = gallery.pictures.get(id: 7, options: CallOptions(retry: .never))
        let error = await #expect(throws: APIError.self) { try await call.value }
        #expect(error?.fault == .network)
    }

    @Test("the page on tests lets time pass")
    func time() async throws {
        let clock = VirtualClock()
        let limiter = RateLimiter(1, per: .seconds(60), clock: clock)
        let gallery = APIManager<Gallery>(
            transport: InMemoryTransport(serving: limiter.limiting { _ in .text("[]") }),
            credentials: credentials
        ) {
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
        }
        _ = try await gallery.pictures.list().value
        let second = gallery.pictures.list().start()
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        _ = try await second.value
        #expect(clock.now == .seconds(60))
        #expect(limiter.refusedCount == 0)
    }

    @Test("the page on tests waits for a retry, whatever else there is to wait for")
    func retry() async throws {
        let clock = VirtualClock()
        let transport = InMemoryTransport(
            serving: LoopbackServer.inTurn([.bytes(status: 503), .text("[]")]))
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
        }
        let call = gallery.pictures.list().start()
        await clock.waitForSleeper(until: clock.now + .seconds(5))
        clock.advance(by: .seconds(5))
        _ = try await call.value
        #expect(transport.requests.count == 2)
    }

    @Test("the page on tests holds a transport to the catalogue")
    func catalogue() async throws {
        // What URLSession on Linux cannot help is among these; all else is with the transports'
        // tests.
        let lost = [401, 403, 413].flatMap { status in
            [Fault.RefusalEnd.closed, .reset].map { Fault.refusedUpload(status: status, $0).name }
        }
        let leftOut = Set(
            Fault.catalogue.filter { $0.needsSocket || $0.crashesURLSessionOnLinux }.map(\.name)
                + lost)
        #expect(Fault.catalogue.contains { !leftOut.contains($0.name) })
        for fault in Fault.catalogue where !leftOut.contains(fault.name) {
            let problems = try await fault.problems(with: MyTransport())
            #expect(problems == [], "\(fault.name)")
        }
    }
}

private struct MyTransport: Transport {
    private let base = URLSessionTransport()

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        try await base.send(request)
    }
}
