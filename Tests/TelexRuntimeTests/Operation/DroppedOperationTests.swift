import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("An operation without a handle to start it")
struct DroppedOperationTests {
    @Test("an operation without a handle to start it ends the streams of its observers")
    func streams() async throws {
        var operation: NetworkOperation<Int>? = NetworkOperation { 1 }
        let states = try #require(operation?.states)
        let events = try #require(operation?.events)
        let progress = try #require(operation?.progress)
        operation = nil
        var seen: [OperationState] = []
        for await state in states { seen.append(state) }
        #expect(seen == [.ready])
        for await event in events { Issue.record("\(event)") }
        for await step in progress { #expect(!step.hasStarted) }
    }
}
