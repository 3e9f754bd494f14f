import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// An API with a rate of one call a minute, and whose files go to other servers.
private enum Paced {
    enum APIMethod: String, CaseIterable, APIMethodName {
        case ping, upload, send

        var endpoint: Endpoint {
            switch self {
            case .ping: Endpoint(.get, "ping")
            case .upload: Endpoint(.post, "{address}")
            case .send: Endpoint(.post, "{address}", server: "files")
            }
        }
    }

    static let definition = APIDefinition(
        name: "Paced",
        servers: [
            Server("main", "https://paced.test/v1/"),
            Server(
                "shop", "https://{shop}.paced.test:8443/", variables: [ServerVariable("shop")]),
            Server("files", "https://files.paced.test/"),
        ],
        traffic: TrafficLimits(rate: RequestRate(1, per: .seconds(60))), retry: .never)

    static func ping() -> APIRequest<Void> { RequestBuilder(APIMethod.ping).finishEmpty() }

    static func upload(
        to address: String, by method: APIMethod = .upload
    ) -> APIRequest<Void> {
        var request = RequestBuilder(method)
        request.address("address", address)
        return request.finishEmpty()
    }
}

@Suite("A call to an absolute address")
struct OutsideHostTests {
    private let clock = VirtualClock()
    private let transport = InMemoryTransport { _ in .bytes() }

    private func manager(_ server: ServerChoice = .first) -> APIManager<TestAPI> {
        TestAPI.manager(Paced.definition, transport: transport) {
            $0.server = server
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
        }
    }

    @Test("an address on an outside host neither counts for the API's rate nor waits for it")
    func rate() async throws {
        let manager = manager()
        for number in 1...3 {
            try await manager.operation(Paced.upload(to: "https://up.test/\(number)")).value
        }
        try await manager.operation(Paced.ping()).value
        try await manager.operation(Paced.upload(to: "https://up.test/4")).value
        #expect(clock.now == .zero)
        let second = manager.operation(Paced.ping())
        second.start()
        #expect(second.state == .queued)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        try await second.value
        #expect(transport.requests.count == 6)
    }

    @Test("an address on a host of the API's counts and waits like any other call")
    func own() async throws {
        let manager = manager()
        try await manager.operation(Paced.upload(to: "https://paced.test/up")).value
        let second = manager.operation(Paced.upload(to: "https://files.paced.test/up"))
        second.start()
        #expect(second.state == .queued)
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        try await second.value
    }

    private func plan<Output>(
        _ pipeline: CallPipeline, _ request: APIRequest<Output>, _ options: CallOptions? = nil
    ) -> CallPlan {
        CallPlan(
            pipeline: pipeline, request: request.content,
            overrides: options.flatMap(CallOverrides.init))
    }

    @Test(
        "an absolute address belongs to the API on a host of its servers, or of the chosen one",
        arguments: [
            ("https://paced.test/up", false), ("https://PACED.test:444/up", false),
            ("https://files.paced.test/", false), ("https://a.paced.test/", false),
            ("https://b.paced.test/", true), ("https://paced.test.evil/", true),
            ("https://up.test/paced.test", true),
        ])
    func hosts(address: String, isOutsideAPI: Bool) {
        let pipeline = manager(.named("shop", ["shop": "a"])).factory.pipeline
        let scheduling = plan(pipeline, Paced.upload(to: address)).scheduling
        #expect(scheduling.slot?.isOutsideAPI == isOutsideAPI)
    }

    @Test(
        "an absolute address at the manager's server is the API's, whatever the call's server",
        arguments: [
            ("https://mine.test/up", false), ("https://paced.test/up", false),
            ("https://other.test/up", false), ("https://up.test/up", true),
        ])
    func managerHost(address: String, isOutsideAPI: Bool) {
        let pipeline = manager(.url("https://mine.test/v1/")).factory.pipeline
        let overrides = CallOptions(server: .url("https://other.test/"))
        let scheduling = plan(pipeline, Paced.upload(to: address), overrides).scheduling
        #expect(scheduling.slot?.isOutsideAPI == isOutsideAPI)
        guard !address.contains("other") else { return }
        let method = plan(pipeline, Paced.upload(to: address, by: .send)).scheduling
        #expect(method.slot?.isOutsideAPI == isOutsideAPI)
    }
}
