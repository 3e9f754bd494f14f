import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("An operation with a prerequisite")
struct PrerequisiteErrorTests {
    @Test("an operation whose prerequisite was cancelled says so, and what was to start")
    func cancelled() async throws {
        let client = TestClient { _ in empty }
        let first = client.call()
        let second = client.manager.operation(UsersRequests.ping(), after: [first])
        first.cancel()
        let error = await #expect(throws: OperationError.self) { try await second.value }
        #expect(error?.cause is CancellationError)
        #expect(
            error?.description == "ping depends on users.get \(first.id), which was cancelled")
    }

    @Test("an operation whose prerequisite failed states why, briefly even for long chains")
    func failed() async throws {
        let client = TestClient { _ in .bytes(status: .notFound) }
        let first = client.call()
        let row = (0..<100).reduce(into: [first]) { row, _ in
            row.append(client.call(after: [row[row.count - 1]]))
        }
        for call in row.reversed() { call.start() }
        let second = await #expect(throws: OperationError.self) { try await row[1].value }
        #expect(
            second?.description
                .hasPrefix("users.get depends on users.get \(first.id), which failed: `users.get`")
                == true)
        let last = await #expect(throws: OperationError.self) { try await row[100].value }
        #expect((last?.description.count ?? 0) < 700)
        #expect(last?.cause is OperationError)
    }

    @Test("an operation that is invalid itself does not wait for its prerequisite")
    func refused() async throws {
        let client = TestClient { _ in empty }
        let wrong = client.manager.operation(
            UsersRequests.get(ids: ["1", "2", "3"]), after: [client.call()])
        wrong.start()
        await until { wrong.state.isTerminal }
        #expect(await failure(wrong)?.reason == .invalidRequest)
        #expect(client.transport.requests.isEmpty)
        let first = client.call()
        let late = client.manager.operation(
            UsersRequests.get(ids: ["1", "2", "3"]), after: [first])
        late.start()
        await until { late.state.isTerminal }
        #expect(first.state == .ready)
    }
}
