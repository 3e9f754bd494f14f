import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("The start of a group")
struct GroupStartTests {
    private let inQueue = GroupStart(queue: "one")

    @Test("a group's start waits for a queue place, which the group before it holds until its end")
    func queue() async throws {
        let (gate, client) = (Gate(), TestClient { _ in empty })
        let first = client.manager.group("first", start: inQueue) { _ in await gate.wait() }
        let second = client.manager.group("second", start: inQueue) { _ in }
        let call = client.call(CallOptions(queue: "one"))
        for operation in [first, second, call] as [OperationHandle] { operation.start() }
        #expect(first.queue == "one" && first.state == .running(attempt: 1))
        #expect(second.state == .queued && call.state == .queued)
        gate.open()
        try await second.value
        #expect(first.state == .succeeded)
        _ = try await call.value
    }

    @Test("the start of a group covers the steps of the body, which need no place in the queue")
    func steps() async throws {
        let client = TestClient { _ in empty }
        let group = client.manager.group("outer", start: inQueue) { group in
            _ = try await group.run(client.call(CallOptions(queue: "one")))
            let inner = client.manager.group("inner", start: inQueue) { inner in
                _ = try await inner.run(client.call(CallOptions(queue: "one")))
            }
            try await group.run(inner)
        }
        try await group.value
        #expect(client.transport.requests.count == 2)
    }

    @Test("the start of a group does not cover a call from outside that waits for the queue")
    func outside() async {
        let client = TestClient { _ in empty }
        let call = client.call(CallOptions(queue: "one"))
        let group = client.manager.group("group", start: inQueue) { try await $0.run(call) }
        let error = await #expect(throws: OperationError.self) { try await group.value }
        #expect(error?.reason == .circle && client.transport.requests.isEmpty)
    }

    @Test("the start of a group fails with a queue that the API does not have")
    func unknown() async {
        let group = TestClient { _ in empty }.manager.group(start: GroupStart(queue: "on")) { _ in }
        let error = await #expect(throws: APIError.self) { try await group.value }
        #expect(error?.reason == .invalidRequest && error?.phase == .build)
        #expect(error?.violations.first?.expected == "a queue of the API; did you mean `one`?")
    }

    @Test("a group start is refused while one of its name and key runs, and for an interval after")
    func throttled() async throws {
        let (gate, client) = (Gate(), TestClient { _ in empty })
        @Sendable func group(_ key: String = "") -> GroupOperation<Void> {
            client.manager.group(
                "sync", start: GroupStart(throttle: Throttle(.seconds(2), from: .end), key: key)
            ) { _ in await gate.wait() }
        }
        let (first, next) = (group(), group())
        #expect(next.throttledUntil == nil)
        first.start()
        let soon = client.clock.date.addingTimeInterval(2)
        #expect(next.throttledUntil == soon)
        let error = await #expect(throws: OperationError.self) { try await next.value }
        #expect(error?.reason == .throttled(until: soon))
        gate.open()
        try await first.value
        #expect(group("other").throttledUntil == nil)
        try await group("other").value
        client.pass(.seconds(1))
        #expect(group().throttledUntil == soon)
        client.pass(.seconds(1))
        #expect(group().throttledUntil == nil)
        try await group().value
    }

    @Test("the start of a group shares the run of an equal group, whose steps belong to no owner")
    func coalesced() async throws {
        let (gate, runs, client) = (Gate(), Counter(), TestClient { _ in empty })
        @Sendable func group(_ key: String, _ owner: String) -> GroupOperation<Int> {
            client.manager.group(
                "feed", owner: OperationOwner(owner),
                start: GroupStart(isCoalesced: true, key: key)
            ) { group in
                let number = runs.next()
                await gate.wait()
                return try await number + group.run(client.call()).count
            }
        }
        let (first, second, other) = (group("1", "a"), group("1", "b"), group("2", "b"))
        for group in [first, second, other] { group.start() }
        client.manager.cancel(owner: OperationOwner("a"))
        gate.open()
        #expect(first.state == .cancelled)
        #expect(try await second.value != other.value)
        #expect(runs.value == 2 && client.transport.requests.count == 2)
        #expect(try await group("1", "a").value == 3)
    }
}
