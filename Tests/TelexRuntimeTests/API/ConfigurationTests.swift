import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The configuration of a manager")
struct ConfigurationTests {
    private let transport = InMemoryTransport { _ in .json(#"{"response":[]}"#) }

    private func hosts(_ manager: APIManager<TinyAPI>) async throws -> [String?] {
        let first = transport.requests.count
        _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        return transport.requests.dropFirst(first).map(\.head.authority)
    }

    @Test(
        "the configuration of a manager begins with the defaults, and has what the closure changes")
    func closure() async throws {
        let log = Log()
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: .memory(Credential(token: secret))
        ) {
            #expect($0.server == .first && $0.cache != nil)
            #expect($0.interceptors.isEmpty && $0.listeners.isEmpty && $0.refresher == nil)
            $0.server = .url("https://other.test/")
            $0.onEvent = { log.add($0.description) }
        }
        #expect(try await hosts(manager) == ["other.test"])
        #expect(log.text.contains("users.get"))
    }

    @Test("a configuration is a value: managers have copies, which later changes do not reach")
    func value() async throws {
        var configuration = APIManager<TinyAPI>.Configuration(
            transport: transport, credentials: .memory(Credential(token: secret)))
        configuration.server = .url("https://first.test/")
        let first = APIManager(configuration)
        configuration.server = .url("https://second.test/")
        let second = APIManager(configuration)
        #expect(try await hosts(first) == ["first.test"])
        #expect(try await hosts(second) == ["second.test"])
    }
}
