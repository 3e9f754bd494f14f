import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A call on a constrained or an expensive network")
struct NetworkRulesTests {
    private let network = SimulatedNetwork(NetworkStatus(isConstrained: true))
    private let transport = InMemoryTransport { _ in .json(#"{"response":[]}"#) }

    private func call(_ rules: NetworkRules?) -> DataOperation<[User]> {
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: .memory(Credential(token: secret))
        ) {
            $0.settings.seed = 7
            $0.settings.network = network
        }
        return manager.operation(
            UsersRequests.get(ids: ["1"]), options: CallOptions(network: rules))
    }

    @Test("a call is sent by default, and on networks without the conditions that its rules name")
    func uses() async throws {
        _ = try await call(nil).value
        _ = try await call(NetworkRules(expensive: .fail)).value
        network.status = NetworkStatus(isExpensive: true)
        _ = try await call(NetworkRules(constrained: .fail)).value
        #expect(transport.requests.count == 3)
    }

    @Test("a call on a constrained or an expensive network waits for another network")
    func waits() async throws {
        let call = call(NetworkRules(constrained: .wait))
        let events = call.events
        call.start()
        #expect(call.state == .queued)
        network.status = NetworkStatus(isConstrained: true, isExpensive: true)
        #expect(call.state == .queued && transport.requests.isEmpty)
        network.status = NetworkStatus()
        _ = try await call.value
        var texts: [String] = []
        for await event in events { texts.append(event.description) }
        #expect(texts.contains { $0.contains("the network is constrained") })
    }

    @Test("a call on a constrained or an expensive network fails, and says which condition it has")
    func fails() async {
        let error = await failure(call(NetworkRules(constrained: .fail)))
        #expect(error?.reason == .network(.constrained) && error?.isRetryable == true)
        #expect(error?.phase == .queue && error?.fault == .network && error?.attempts == 0)
        #expect(error?.description.contains("the network is constrained") == true)
        network.status = NetworkStatus(isExpensive: true)
        let other = await failure(call(NetworkRules(constrained: .wait, expensive: .fail)))
        #expect(other?.reason == .network(.expensive) && transport.requests.isEmpty)
    }
}
