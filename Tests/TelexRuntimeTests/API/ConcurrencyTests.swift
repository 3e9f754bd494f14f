import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("Many calls")
struct ConcurrencyTests {
    @Test("a thousand calls at once all end, each with its own value")
    func thousand() async throws {
        let (manager, transport) = tiny { request in
            let id = request.head.path?.split(separator: "user_ids=").last?.prefix { $0 != "&" }
            return .json(#"{"response":[{"id":\#(id ?? "0"),"name":"n"}]}"#)
        }
        let operations = (0..<1_000).map { manager.operation(UsersRequests.get(ids: ["\($0)"])) }
        for operation in operations { operation.start() }
        for (number, operation) in operations.enumerated() {
            #expect(try await operation.value.first?.id == "\(number)")
        }
        #expect(transport.requests.count == 1_000)
    }

    @Test("a thousand stalled calls are cancelled, and the transport is cancelled too")
    func cancelled() async {
        let gate = Gate()
        let (manager, _) = tiny { _ in .chunks([[123]], after: gate) }
        let operations = (0..<1_000).map { manager.operation(UsersRequests.get(ids: ["\($0)"])) }
        for operation in operations { operation.start() }
        for operation in operations { operation.cancel() }
        for operation in operations {
            #expect(operation.state == .cancelled)
            await #expect(throws: CancellationError.self) { try await operation.value }
        }
    }

    @Test("one call reports its life in events, in order")
    func events() async throws {
        let log = Log()
        let (manager, _) = tiny(onEvent: { log.add($0.description) }) { request in
            request.head.path == "/there"
                ? .json("{}") : .bytes(status: .found, fields: .location("/there"))
        }
        try await manager.operation(UsersRequests.ping()).value
        let expected = [
            "▷ ping is started",
            "→ ping: curl -X GET 'https://api.tiny.test/method/ping?v=5.199' -H 'Accept-Language: en'",
            "← ping: 302, no type, 0 bytes", "↪ ping: 302 to https://api.tiny.test/there",
            "→ ping: curl -X GET 'https://api.tiny.test/there' -H 'Accept-Language: en'",
            "← ping: 200, application/json, 2 bytes",
            "✓ ping",
        ]
        #expect(log.text == expected.joined(separator: "\n"))
    }
}
