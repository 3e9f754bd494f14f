import TelexRuntime
import Testing

@Suite("A stub")
struct StubTests {
    @Test("fails by the name of its method until it has an answer")
    func empty() async {
        let stub = Stub<Void, Int>("things.count")
        await #expect(throws: FakeError("things.count")) { try await stub.operation(()).value }
    }

    @Test("answers with the arguments of the call, by name or one by one")
    func arguments() async throws {
        let stub = Stub<(ids: [String], count: Int), [String]>("things.get")
        stub { call in call.ids + ["\(call.count)"] }
        #expect(try await stub.operation((["a"], 2)).value == ["a", "2"])
        stub { ids, _ in ids }
        #expect(try await stub.operation((["a"], 2)).value == ["a"])
    }

    @Test("asks for its answer when the operation starts, so that it may be changed until then")
    func changes() async throws {
        let stub = Stub<Int, Int>("things.double")
        let operation = stub.operation(21)
        stub { $0 * 2 }
        #expect(try await operation.value == 42)
        stub { _ in throw FakeError("another") }
        #expect(try await operation.value == 42)
        await #expect(throws: FakeError("another")) { try await stub.operation(1).value }
    }
}
