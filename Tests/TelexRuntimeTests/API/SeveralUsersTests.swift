import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A call that might share the request of another user")
struct SeveralUsersTests {
    /// A reply for an identified user.
    private func name(_ request: SentRequest) -> TransportReply {
        let parts = request.head.path?.split { $0 == "?" || $0 == "&" } ?? []
        let token = parts.first { $0.hasPrefix("access_token=") }?.dropFirst(13) ?? ""
        return .json(#"{"response":[{"id":1,"name":"\#(token)"}]}"#)
    }

    private func names(_ call: DataOperation<[User]>) async throws -> [String] {
        try await call.value.map(\.name)
    }

    @Test("a call gets no reply to another user, whichever login made the request")
    func otherUser() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = TestClient { request in
            guard request.head.path?.contains("id=1") == true else { return empty }
            arrived.open()
            await gate.wait()
            return name(request)
        }
        func call(_ id: Int) -> DataOperation<[User]> {
            client.manager.operation(EngineRequests.delayedTogether(id: id))
        }
        try await client.manager.logIn(Credential(token: "anna"))
        _ = try await call(9).value
        let (first, second) = (call(1), call(1))
        first.start()
        await client.subscribers(1)
        try await client.manager.logIn(Credential(token: "robert"))
        client.pass(.seconds(2))
        await arrived.wait()
        try await client.manager.logIn(Credential(token: "anna"))
        second.start()
        await client.subscribers(2)
        client.pass(.seconds(2))
        gate.open()
        #expect(try await names(second) == ["anna"])
        // As a call that shares nothing would.
        #expect(try await names(first) == ["robert"])
    }

    @Test("a call that might share a request waits while the credential of that request is read")
    func unknownUser() async throws {
        let (store, gate) = (BlockingStore(Credential(token: "anna")), Gate())
        let transport = InMemoryTransport { request in
            await gate.wait()
            return name(request)
        }
        let manager = APIManager<TinyAPI>(transport: transport, credentials: store) {
            $0.settings.clock = .stopped
        }
        func call() -> DataOperation<[User]> {
            manager.operation(EngineRequests.shared(id: 1))
        }
        let calls = [call(), call(), call()]
        store.holdNext()
        calls[0].start()
        await store.held.wait()
        try await manager.logIn(Credential(token: "robert"))
        for call in calls.dropFirst() { call.start() }
        store.gate.open()
        await until { transport.requests.count == 2 }
        gate.open()
        #expect(try await names(calls[0]) == ["anna"])
        for call in calls.dropFirst() { #expect(try await names(call) == ["robert"]) }
        #expect(transport.requests.count == 2)
    }

    @Test("a call shares a request that has sent no token, whichever was stored when it was made")
    func unshown() async throws {
        let gate = Gate()
        let client = TestClient { request in
            await gate.wait()
            return name(request)
        }
        let options = CallOptions(queue: "one")
        let first = client.call(options)
        first.start()
        func call() -> DataOperation<[User]> {
            client.manager.operation(EngineRequests.shared(id: 1), options: options)
        }
        let calls = [call(), call()]
        calls[0].start()
        try await client.manager.credentials.save(Credential(token: "newer"))
        calls[1].start()
        await client.subscribers(2)
        gate.open()
        for call in calls { #expect(try await names(call) == ["newer"]) }
        #expect(client.transport.requests.count == 2)
    }
}
