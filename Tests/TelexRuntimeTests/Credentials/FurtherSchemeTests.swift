import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private final class EventLog: Sendable {
    private let all = Lock<[APIEvent.Kind]>([])

    var kinds: [APIEvent.Kind] { all.withLock { $0 } }

    func append(_ kind: APIEvent.Kind) { all.withLock { $0.append(kind) } }
}

/// An API with a token of a service besides that of the user. Its token server replies when a gate
/// is opened.
private struct Depot {
    static let definition = APIDefinition(
        name: "Depot", servers: [Server("main", "https://depot.test/")],
        auth: AuthRules(name: "user", token: .bearer, expired: [.status(401)], refresh: .app),
        schemes: [
            AuthRules(
                name: "service", token: .header("X-Service"), expired: [.status(403)],
                refresh: .request(
                    RefreshRequest(
                        "https://login.depot.test/token",
                        .form([
                            .init("grant_type", .constant("client_credentials")),
                            .init("client_secret", .secret("s3rvice-s3cret")),
                        ]))))
        ], traffic: TrafficLimits(concurrent: 100), retry: .never)

    let clock = VirtualClock()
    let asked = Gate()
    let mayReply = Gate()
    private let log = EventLog()
    let requests = Counter()
    let transport: InMemoryTransport
    let manager: APIManager<TestAPI>

    init(reply: @escaping @Sendable () -> TransportReply = { .json(#"{"access_token": "fresh"}"#) })
    {
        transport = InMemoryTransport { [asked, mayReply, requests] request in
            guard request.head.authority == "login.depot.test" else {
                let token = HTTPField.Name("X-Service").flatMap { request.head.headerFields[$0] }
                return .bytes(status: token == "worn" ? .forbidden : .ok)
            }
            _ = requests.next()
            asked.open()
            await mayReply.wait()
            return reply()
        }
        manager = TestAPI.manager(
            Self.definition, transport: transport, credentials: .memory(Credential(token: "user"))
        ) { [clock, log] in
            $0.schemes = ["service": .memory(Credential(token: "worn"))]
            $0.settings.clock = clock.runtimeClock
            $0.settings.refreshTimeout = .seconds(5)
            $0.onEvent = { log.append($0.kind) }
        }
    }

    func call(_ auth: Endpoint.Auth = .allOf(["user", "service"])) -> DataOperation<Void> {
        let draft = RequestTemplate(method: "\(auth)", endpoint: Endpoint(.get, "call", auth: auth))
        return manager.operation(RequestBuilder(draft).finishEmpty())
    }

    /// A call that waits for the refresh.
    func postponed() async -> DataOperation<Void> {
        let call = call()
        call.start()
        await asked.wait()
        await call.reach { $0 == .postponed }
        return call
    }

    func count(_ isCounted: (APIEvent.Kind) -> Bool) -> Int {
        log.kinds.count(where: isCounted)
    }
}

@Suite("The refresh of a further scheme's token")
struct FurtherSchemeTests {
    @Test("a scheme's refresh happens once for 50 calls, which are postponed until it ends")
    func once() async throws {
        let depot = Depot()
        let calls = (0..<50).map { _ in depot.call() }
        for call in calls { call.start() }
        for call in calls { await call.reach { $0 == .postponed } }
        depot.mayReply.open()
        for call in calls { try await call.value }
        #expect(depot.requests.value == 1)
        #expect(depot.count { if case .refreshStarted = $0 { true } else { false } } == 1)
        #expect(depot.count { if case .refreshEnded = $0 { true } else { false } } == 1)
        #expect(depot.count { if case .postponed = $0 { true } else { false } } == 50)
        let sent = depot.transport.requests.compactMap {
            $0.head.headerFields[HTTPField.Name("X-Service")!]
        }
        #expect(sent.count(where: { $0 == "fresh" }) == 50)
    }

    @Test("a scheme's refresh that times out fails the calls that wait for it; its token is kept")
    func timeOut() async throws {
        let depot = Depot()
        let call = await depot.postponed()
        await depot.clock.waitForSleepers(1)
        depot.clock.advance(by: .seconds(5))
        let error = await #expect(throws: APIError.self) { try await call.value }
        #expect(error?.cause is RefreshTimedOut)
        #expect(depot.count { if case .refreshFailed = $0 { true } else { false } } == 1)
        depot.mayReply.open()
        let scheme = SchemeKey(1)
        await depot.manager.engine.state.withLock { $0.refreshing[scheme]?.task }?.value
        try await depot.call().value
        #expect(depot.requests.value == 1)
    }

    @Test("the refresh of a further scheme's token does not hold up calls of another scheme")
    func independent() async throws {
        let depot = Depot()
        let call = await depot.postponed()
        try await depot.call(.required).value
        try await depot.call(.none).value
        #expect(call.state == .postponed)
        depot.mayReply.open()
        try await call.value
    }

    @Test("a scheme's refresh continues if its causing call is cancelled, and for a suspended one")
    func cancelled() async throws {
        let depot = Depot()
        let (first, second) = (await depot.postponed(), await depot.postponed())
        first.cancel()
        second.suspend()
        await #expect(throws: CancellationError.self) { try await first.value }
        depot.mayReply.open()
        let scheme = SchemeKey(1)
        await depot.manager.engine.state.withLock { $0.refreshing[scheme]?.task }?.value
        #expect(second.state == .suspended)
        second.resume()
        try await second.value
        #expect(depot.requests.value == 1)
    }

    @Test("a further scheme's refresh is not repeated in a pause that the token server asks for")
    func pause() async throws {
        let depot = Depot {
            .bytes(status: .tooManyRequests, fields: [.retryAfter: "60"])
        }
        depot.mayReply.open()
        for _ in 0..<2 {
            let error = await #expect(throws: APIError.self) { try await depot.call().value }
            #expect((error?.cause as? CredentialError)?.reason == .status(429))
            #expect(error?.retryAfter == .seconds(60))
        }
        #expect(depot.requests.value == 1)
        try await depot.call(.required).value
    }

    @Test("a further scheme's refresh is not repeated at once if the new token is refused too")
    func refusedAgain() async throws {
        let depot = Depot { .json(#"{"access_token": "worn"}"#) }
        depot.mayReply.open()
        let error = await #expect(throws: APIError.self) { try await depot.call().value }
        #expect(error?.reason == .status(403))
        #expect(depot.requests.value == 1)
    }
}
