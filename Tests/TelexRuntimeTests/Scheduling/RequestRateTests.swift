import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// An API with a rate of one call a minute, and a token.
private enum Metered {
    enum APIMethod: String, CaseIterable, APIMethodName {
        case ping, file

        var endpoint: Endpoint {
            switch self {
            case .ping: Endpoint(.get, "ping")
            case .file: Endpoint(.get, "file", operation: OperationRules(kind: .download))
            }
        }
    }

    static let definition = APIDefinition(
        name: "Metered",
        servers: [Server("main", "https://metered.test/"), Server("other", "https://other.test/")],
        auth: AuthRules(token: .bearer, expired: [.status(401)]),
        traffic: TrafficLimits(rate: RequestRate(1, per: .seconds(60))), retry: .never)

    static func ping() -> APIRequest<Void> { RequestBuilder(APIMethod.ping).finishEmpty() }

    static func file(to path: String) -> APIRequest<DownloadedFile> {
        RequestBuilder(APIMethod.file).finishDownload(to: path)
    }
}

@Suite("The rate of an API")
struct RequestRateTests {
    private let clock = VirtualClock()

    private func manager(
        _ transport: any Transport, expiry: Date? = nil
    ) -> APIManager<TestAPI> {
        TestAPI.manager(
            Metered.definition, transport: transport,
            credentials: MemoryCredentialStore(Credential(token: "old", expiry: expiry))
        ) {
            $0.refresher = .app { _ in Credential(token: "new") }
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
        }
    }

    /// Advances the clock by the minute that a call waits.
    private func passMinute() async {
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
    }

    @Test("an API's rate does not count a call whose token proves expired before anything is sent")
    func expired() async throws {
        let transport = InMemoryTransport { _ in .bytes() }
        try await manager(transport, expiry: Date(timeIntervalSince1970: 0))
            .operation(Metered.ping()).value
        #expect(clock.now == .zero)
        #expect(transport.requests.map { $0.head.headerFields[.authorization] } == ["Bearer new"])
    }

    @Test("the rate of an API counts a call whose token the server refused")
    func refused() async throws {
        let transport = InMemoryTransport { request in
            let isNew = request.head.headerFields[.authorization] == "Bearer new"
            return .bytes(status: isNew ? .ok : .unauthorized)
        }
        let call = manager(transport).operation(Metered.ping())
        call.start()
        await passMinute()
        try await call.value
        #expect(clock.now == .seconds(60))
        #expect(transport.requests.count == 2)
    }

    @Test("the rate of an API counts redirected requests on the API's hosts, and none elsewhere")
    func redirects() async throws {
        let places = [
            ("https://metered.test/pong", 110), ("https://other.test/pong", 110),
            ("https://cdn.test/pong", 60),
        ]
        for (place, wait) in places {
            let clock = VirtualClock()
            let moved = Gate()
            let transport = InMemoryTransport { request in
                guard request.head.path == "/ping" else { return .bytes() }
                // More than half a minute after the first request.
                await moved.wait()
                return .bytes(status: .found, fields: .location(place))
            }
            let manager = TestAPI.manager(
                Metered.definition, transport: transport,
                credentials: .memory(Credential(token: secret))
            ) {
                $0.settings.clock = clock.runtimeClock
                $0.settings.seed = 7
            }
            let calls = (0..<2).map { _ in manager.operation(Metered.ping()) }
            for call in calls { call.start() }
            clock.advance(by: .seconds(50))
            moved.open()
            try await calls[0].value
            while calls[1].state == .queued {
                clock.advance(by: .seconds(10))
                manager.engine.send(.tick)
            }
            try await calls[1].value
            #expect(clock.now == .seconds(wait))
        }
    }

    /// Sends each request several times.
    private struct Repeating: Interceptor {
        let count: Int
        var host: String?

        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            var request = request
            if let host { request.head.authority = host }
            for _ in 1..<count { try await next(request).body.cancel() }
            return try await next(request)
        }
    }

    @Test(
        "an API's rate counts requests an interceptor repeats on its hosts, and none elsewhere",
        arguments: [(nil, 100), ("other.test", 100), ("cdn.test", 60)] as [(String?, Int)])
    func sentAgain(host: String?, wait: Int) async throws {
        let half = Gate()
        let sent = Counter()
        let transport = InMemoryTransport { _ in
            // The second request is sent later than the first.
            if sent.next() == 1 { await half.wait() }
            return .bytes()
        }
        let manager = TestAPI.manager(
            Metered.definition, transport: transport,
            credentials: .memory(Credential(token: secret))
        ) {
            $0.interceptors = [Repeating(count: 2, host: host)]
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
        }
        let calls = (0..<2).map { _ in manager.operation(Metered.ping()) }
        for call in calls { call.start() }
        await until { sent.value == 1 }
        clock.advance(by: .seconds(40))
        half.open()
        try await calls[0].value
        while calls[1].state == .queued {
            clock.advance(by: .seconds(10))
            manager.engine.send(.tick)
        }
        try await calls[1].value
        #expect(clock.now == .seconds(wait))
        #expect(sent.value == 4)
    }

    /// A store that runs a closure for each read.
    private struct BusyStore: CredentialStore {
        let whenRead: @Sendable () async -> Void

        func read() async throws(CredentialStoreError) -> Credential? {
            await whenRead()
            return Credential(token: secret)
        }

        func save(_ credential: Credential) async throws(CredentialStoreError) {}

        func clear() async throws(CredentialStoreError) {}
    }

    /// Returns a manager, and a call that is suspended just before it sends anything.
    private func held(
        _ transport: InMemoryTransport
    ) async -> (APIManager<TestAPI>, DataOperation<Void>) {
        let own = Lock<OperationHandle?>(nil)
        let isStarted = Gate()
        let manager = TestAPI.manager(
            Metered.definition, transport: transport,
            credentials: BusyStore {
                await isStarted.wait()
                own.withLock { $0.take() }?.suspend()
            }
        ) {
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
        }
        let call = manager.operation(Metered.ping())
        own.withLock { $0 = call }
        call.start()
        isStarted.open()
        await until { call.live.withLock { $0.coldState?.heldAttempts.isEmpty == false } }
        return (manager, call)
    }

    @Test("an API's rate at once resumes a call that has sent nothing if no other call was sent")
    func heldAlone() async throws {
        let transport = InMemoryTransport { _ in .bytes() }
        let (manager, call) = await held(transport)
        call.resume()
        try await call.value
        #expect(transport.requests.count == 1)
        let next = manager.operation(Metered.ping())
        next.start()
        #expect(next.state == .queued)
        next.cancel()
    }

    @Test("an API's rate delays a resumed call that sent nothing if others were sent meanwhile")
    func heldBeforeSending() async throws {
        let transport = InMemoryTransport { _ in .bytes() }
        let (manager, call) = await held(transport)
        try await manager.operation(Metered.ping()).value
        call.resume()
        #expect(call.state == .queued && transport.requests.count == 1)
        await passMinute()
        try await call.value
        #expect(transport.requests.count == 2)
    }

    @Test("the rate counts a download's second request if its partial file is another document's")
    func askedAgain() async throws {
        try await withFile { path in
            let sent = Counter()
            let transport = InMemoryTransport { [clock] _ in
                switch sent.next() {
                case 1:
                    return .chunks(
                        [[9]], length: 3, then: TransportError(.connectionLost, "x"),
                        fields: [.eTag: "\"1\""])
                case 2:
                    // Nearly a minute before the third.
                    clock.advance(by: .seconds(50))
                    return .bytes(
                        [2, 3], status: .partialContent,
                        fields: [.eTag: "\"2\"", .contentRange: "bytes 1-2/3"])
                default: return .bytes([1, 2, 3], fields: [.eTag: "\"2\""])
                }
            }
            let manager = manager(transport)
            _ = await failure(manager.operation(Metered.file(to: path)))
            let download = manager.operation(Metered.file(to: path))
            download.start()
            await passMinute()
            #expect(try await download.value.bytes == 3)
            #expect(sent.value == 3 && clock.now == .seconds(110))
            let call = manager.operation(Metered.ping())
            call.start()
            clock.advance(by: .seconds(50))
            manager.engine.send(.tick)
            #expect(call.state == .queued)
            clock.advance(by: .seconds(10))
            try await call.value
        }
    }

    /// Aborts a reply that exceeds the buffer of a suspended reader.
    private final class GivingUp: Transport {
        let (sent, begun, more) = (Counter(), Gate(), Gate())

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
            let number = sent.next()
            guard number == 1 else {
                guard number == 2 else { return .bytes() }
                return .bytes(
                    [3], status: .partialContent,
                    fields: [.eTag: "\"1\"", .contentRange: "bytes 2-2/3"])
            }
            let step = Counter()
            let body = ReplyBody(length: 3) { () async throws(TransportError) in
                switch step.next() {
                case 1: return [1]
                case 2:
                    self.begun.open()
                    await self.more.wait()
                    return request.maximumUnreadBytes?() == nil ? [2, 3] : [2]
                default: throw .readerHeld
                }
            }
            let head = HTTPResponse(status: .ok, headerFields: [.eTag: "\"1\""])
            return TransportReply(head: head, body: body)
        }
    }

    @Test(
        "the rate delays and counts requests for the rest of a download aborted while suspended"
    )
    func heldTooLong() async throws {
        try await withFile { path in
            let transport = GivingUp()
            let manager = manager(transport)
            let download = manager.operation(Metered.file(to: path))
            download.start()
            await transport.begun.wait()
            download.suspend()
            transport.more.open()
            await until {
                download.live.withLock { $0.coldState?.heldAttempts.isEmpty == false }
            }
            manager.engine.send(.pauseHost("metered.test", .seconds(70)))
            clock.advance(by: .seconds(60))
            let states = download.states
            download.resume()
            // It continues with the buffered bytes, and then waits for its host.
            let later = states.drop { $0 != .running(attempt: 1) }
            #expect(await later.contains { $0 == .queued } && transport.sent.value == 1)
            clock.advance(by: .seconds(11))
            #expect(try await download.value.bytes == 3)
            #expect(transport.sent.value == 2 && download.attempts.count == 1)
            let call = manager.operation(Metered.ping())
            call.start()
            clock.advance(by: .seconds(59))
            manager.engine.send(.tick)
            #expect(call.state == .queued)
            clock.advance(by: .seconds(1))
            try await call.value
        }
    }

    @Test("the rate of an API does not delay a resumed download that continues its reply")
    func resumed() async throws {
        try await withFile { path in
            let (begun, more) = (Gate(), Gate())
            let manager = manager(
                InMemoryTransport { _ in
                    let step = Counter()
                    let body = ReplyBody(length: 2) { () async throws(TransportError) in
                        switch step.next() {
                        case 1: return [1]
                        case 2:
                            begun.open()
                            await more.wait()
                            return [2]
                        default: return nil
                        }
                    }
                    return TransportReply(head: HTTPResponse(status: .ok), body: body)
                })
            let download = manager.operation(Metered.file(to: path))
            download.start()
            await begun.wait()
            download.suspend()
            more.open()
            download.resume()
            let file = try await download.value
            #expect(file.bytes == 2)
            #expect(clock.now == .zero)
        }
    }
}
