import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A stub")
struct StubTests {
    @Test("a stub without an answer fails with the name of its method")
    func empty() async {
        let stub = Stub<Void, Int>("things.count")
        await #expect(throws: FakeError("things.count")) { try await stub.operation(()).value }
    }

    @Test("a stub answers with the arguments of the call, by name or one by one")
    func arguments() async throws {
        let stub = Stub<(ids: [String], count: Int), [String]>("things.get")
        stub { call in call.ids + ["\(call.count)"] }
        #expect(try await stub.operation((["a"], 2)).value == ["a", "2"])
        stub { ids, _ in ids }
        #expect(try await stub.operation((["a"], 2)).value == ["a"])
    }

    @Test("a stub is asked for its answer when the operation starts, and may change until then")
    func changes() async throws {
        let stub = Stub<Int, Int>("things.double")
        let operation = stub.operation(21)
        stub { $0 * 2 }
        #expect(try await operation.value == 42)
        stub { _ in throw FakeError("another") }
        #expect(try await operation.value == 42)
        await #expect(throws: FakeError("another")) { try await stub.operation(1).value }
    }

    @Test("a stub records its calls in the order of their starts")
    func calls() async throws {
        let stub = Stub<Int, Int>("things.double")
        let (first, second) = (stub.operation(1), stub.operation(2))
        #expect(stub.calls == [])
        await #expect(throws: FakeError.self) { try await second.value }
        stub { $0 * 2 }
        _ = try await first.value
        #expect(stub.calls == [2, 1])
    }

    @Test("a stub delivers little more of a stream while that is suspended")
    func suspendedStream() async throws {
        let stub = Stub<Void, [Int]>("things.watch")
        stub { Array(1...100) }
        let (stream, read): (StreamOperation<Int>, Counter) = (stub.stream(()), Counter())
        let elements = stream.elements
        let reader = Task {
            for try await _ in elements where read.next() == 1 { stream.suspend() }
        }
        await until {
            stream.state.isTerminal
                || stream.live.withLock { $0.coldState?.heldAttempts.isEmpty == false }
        }
        #expect(read.value <= 20)
        stream.resume()
        try await reader.value
        #expect(read.value == 100)
    }

    @Test("a stub delivers the first elements of a broken stream, and then its error")
    func brokenStream() async {
        let stub = Stub<Void, [Int]>("things.watch")
        stub { throw BrokenStream([1, 2], then: FakeError("lost")) }
        let stream: StreamOperation<Int> = stub.stream(())
        var seen: [Int] = []
        do {
            for try await element in stream.elements { seen.append(element) }
            Issue.record("it ends as if it were whole")
        } catch { #expect(error as? FakeError == FakeError("lost")) }
        #expect(seen == [1, 2])
        stub { throw FakeError("at once") }
        let other: StreamOperation<Int> = stub.stream(())
        await #expect(throws: FakeError("at once")) { try await other.value }
    }
}
