import Foundation
import TelexTesting
import Testing

@testable import TelexRuntime

/// A store that fails.
private struct BrokenStore: CredentialStore {
    func read() async throws(CredentialStoreError) -> Credential? {
        throw CredentialStoreError(.read, "the disk is gone")
    }

    func save(_ credential: Credential) async throws(CredentialStoreError) {
        throw CredentialStoreError(.save, "the disk is gone")
    }

    func clear() async throws(CredentialStoreError) {}
}

@Suite("Before its first call, a manager")
struct BootstrapTests {
    private let faults = Log()

    /// - Parameter isReachable: Whether hosts accept connections.
    private func manager(
        _ credentials: any CredentialStore = .memory(Credential(token: secret)),
        definition: APIDefinition = TinyAPI.definition, server: ServerChoice = .first,
        isReachable: Bool = true
    ) -> APIManager<TestAPI> {
        let probe = ReachabilityProbe(
            hasLink: { true }, resolves: { _ in true }, connects: { _, _ in isReachable })
        return TestAPI.manager(
            definition, transport: InMemoryTransport { _ in .bytes() }, credentials: credentials
        ) {
            $0.server = server
            $0.settings = EngineSettings(
                clock: .stopped, diagnosis: DiagnosisRules(probe: probe),
                onFault: { [faults] in faults.add($0) })
        }
    }

    @Test("before its first call, a manager finds a credential and a reachable server")
    func ready() async {
        let report = await manager().bootstrap()
        #expect(report.isReady && report.hasCredential)
        #expect(await !manager(.memory).bootstrap().hasCredential)
    }

    @Test("a manager finds each unreachable host of the spec, or else the server, before any call")
    func unreachable() async {
        let report = await manager(isReachable: false).bootstrap()
        #expect(report.unreachable.map(\.host) == ["api.tiny.test"])
        #expect(report.unreachable.first?.broken == .connect && !report.isReady)
        var definition = TinyAPI.definition
        definition.reachability = ["https://a.test/", "https://b.test:8443/"]
        let named = await manager(definition: definition, isReachable: false).bootstrap()
        #expect(named.unreachable.map(\.host) == ["a.test", "b.test"])
    }

    @Test("a manager finds, before its first call, a store that fails and a server its API lacks")
    func problems() async {
        let report = await manager(BrokenStore(), server: .named("prod")).bootstrap()
        #expect(report.storeError?.message == "the disk is gone" && !report.hasCredential)
        #expect(report.serverProblem?.rule == "server" && !report.isReady)
    }

    @Test("a manager prints a store that fails, once, although no one listens")
    func faultChannel() async {
        let manager = manager(BrokenStore())
        for _ in 0..<3 {
            let call = manager.operation(UsersRequests.get(ids: ["1"]))
            #expect(await failure(call)?.phase == .auth)
        }
        #expect(faults.text.components(separatedBy: "the disk is gone").count == 2)
        #expect(faults.text.contains("fault in Tiny") && !faults.text.contains(secret))
    }
}
