import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("What comes after another")
struct PrerequisiteErrorTests {
    @Test("that was cancelled says so, and which one was to begin")
    func cancelled() async throws {
        let desk = Desk { _ in empty }
        let first = desk.call()
        let second = desk.manager.operation(UsersRequests.ping(), after: [first])
        first.cancel()
        let error = await #expect(throws: OperationError.self) { try await second.value }
        #expect(error?.cause is CancellationError)
        #expect(
            error?.description == "ping depends on users.get \(first.id), which was cancelled")
    }

    @Test("that failed says why, in few words however many come one after another")
    func failed() async throws {
        let desk = Desk { _ in .bytes(status: .notFound) }
        let first = desk.call()
        let row = (0..<100).reduce(into: [first]) { row, _ in
            row.append(desk.call(after: [row[row.count - 1]]))
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

    @Test("and is refused anyway does not wait for it")
    func refused() async throws {
        let desk = Desk { _ in empty }
        let wrong = desk.manager.operation(
            UsersRequests.get(ids: ["1", "2", "3"]), after: [desk.call()])
        wrong.start()
        await until { wrong.state.isTerminal }
        #expect(await failure(wrong)?.reason == .invalidRequest)
        #expect(desk.transport.requests.isEmpty)
        let first = desk.call()
        let late = desk.manager.operation(
            UsersRequests.get(ids: ["1", "2", "3"]), after: [first])
        late.start()
        await until { late.state.isTerminal }
        #expect(first.state == .ready)
    }
}
