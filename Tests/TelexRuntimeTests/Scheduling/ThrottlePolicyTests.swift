import Foundation
import TelexTesting
import Testing

@testable import TelexRuntime
@_spi(Engine) @testable import TelexScheduling

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("Calls within a throttle interval")
struct ThrottlePolicyTests {
    private let store: BlockingStore
    private let client: TestClient

    init() {
        store = BlockingStore(Credential(token: secret))
        client = TestClient(store) { _ in empty }
    }

    private func delayed(_ options: CallOptions = CallOptions()) -> DataOperation<[User]> {
        client.manager.operation(EngineRequests.delayed(), options: options)
    }

    private func latest(_ text: String) -> DataOperation<[User]> {
        client.manager.operation(EngineRequests.latest(text: text))
    }

    private func date(in time: TimeInterval) -> Date {
        client.clock.date.addingTimeInterval(time)
    }

    /// The shared requests that wait for their moment.
    private var waiting: [OperationHandle] {
        let all = client.manager.engine.state.withLock { Array($0.operations.values) }
        return all.filter { if case .waiting = $0.state { $0.isShared } else { false } }
    }

    /// The values of a parameter in the requests that were sent.
    private func queries(_ name: String) -> [String] {
        client.transport.requests.compactMap { request in
            let parts = request.head.path?.split { $0 == "?" || $0 == "&" } ?? []
            return parts.first { $0.hasPrefix("\(name)=") }
                .map { String($0.dropFirst(name.count + 1)) }
        }
    }

    @Test("throttled calls wait for their moment if their method delays them, and report it")
    func waitForTheirMoment() async throws {
        let calls = (0..<3).map { _ in delayed() }
        for call in calls { call.start() }
        _ = try await calls[0].value
        #expect(calls[1].state == .waiting(until: date(in: 2)))
        #expect(calls[2].state == .waiting(until: date(in: 4)))
        let lines = client.log.text.split(separator: "\n").filter { $0.hasPrefix("…") }
        let line =
            "… delayed is queued, because the throttle's interval since the last start is not over"
        #expect(lines.map(String.init) == [line, line])
        client.pass(.seconds(2))
        _ = try await calls[1].value
        #expect(calls[2].state == .waiting(until: date(in: 2)))
        client.pass(.seconds(2))
        _ = try await calls[2].value
        #expect(client.transport.requests.count == 3)
    }

    @Test(
        "throttled calls end as usual while they wait: by their time-out or a cancellation")
    func endWhileTheyWait() async throws {
        _ = try await delayed().value
        let options = CallOptions(timeouts: Timeouts(total: .seconds(1)))
        let (hasty, mine, last) = (
            delayed(options), delayed(CallOptions(owner: OperationOwner("screen"))), delayed()
        )
        for call in [hasty, mine, last] { call.start() }
        client.manager.cancel(owner: OperationOwner("screen"))
        #expect(mine.state == .cancelled)
        client.pass(.seconds(1))
        let error = await failure(hasty)
        #expect(error?.reason == .timedOut(after: .seconds(1)) && error?.phase == .queue)
        #expect(last.state == .waiting(until: date(in: 1)))
        try await client.manager.logOut()
        #expect(last.state.isTerminal)
        #expect(client.transport.requests.count == 1)
        await until { client.manager.engine.isIdle }
    }

    @Test("calls within a throttle interval wait in suspended groups, and continue with them")
    func inGroups() async throws {
        _ = try await delayed().value
        let step = delayed()
        let group = client.manager.group { group in try await group.run(step) }
        group.start()
        await step.reach { $0 == .waiting(until: date(in: 2)) }
        group.suspend()
        await step.reach { $0 == .suspended }
        client.pass(.seconds(5))
        #expect(step.state == .suspended)
        group.resume()
        #expect(try await group.value == [])
    }

    @Test("a throttled request waits once for all subscribers, and is released with the last one")
    func waitTogether() async throws {
        func call(_ id: Int) -> DataOperation<[User]> {
            client.manager.operation(EngineRequests.delayedTogether(id: id))
        }
        _ = try await call(1).value
        let pairs = [[call(2), call(2)], [call(3), call(3)]]
        for (index, pair) in pairs.enumerated() {
            for call in pair { call.start() }
            await client.subscribers(2 * (index + 1))
        }
        #expect(waiting.count == 2)
        for call in pairs[0] { call.cancel() }
        await until { waiting.count == 1 }
        pairs[1][0].cancel()
        await client.subscribers(1)
        client.pass(.milliseconds(1_900))
        #expect(client.transport.requests.count == 1)
        client.pass(.milliseconds(100))
        #expect(try await pairs[1][1].value == [])
        #expect(queries("id") == ["1", "3"])
    }

    @Test(
        "a later start under policy `latest` replaces a throttled call, with all subscribers")
    func makeWay() async throws {
        _ = try await latest("s").value
        let replaced = [latest("se"), latest("se")]
        for call in replaced { call.start() }
        await client.subscribers(2)
        let last = latest("sea")
        last.start()
        for call in replaced {
            let error = await failure(call)
            #expect(error?.reason == .replaced)
            #expect(error?.phase == .queue && error?.fault == .caller && error?.attempts == 0)
            #expect(error?.isRetryable == false && error?.retryAfter == nil)
            #expect(
                error?.description == """
                    `latest` of Tiny failed: a later start replaced it before it was sent
                    """)
        }
        client.pass(.seconds(2))
        #expect(try await last.value == [])
        #expect(queries("text") == ["s", "sea"])
    }

    @Test("throttled calls that share requests are sent in order, however slow a store is")
    func order() async throws {
        func call(_ id: Int) -> DataOperation<[User]> {
            client.manager.operation(EngineRequests.delayedTogether(id: id))
        }
        _ = try await call(1).value
        let calls = (2...4).map(call)
        store.holdNext()
        for call in calls { call.start() }
        await until { waiting.count >= 2 }
        store.gate.open()
        await until { waiting.count == 3 }
        for count in 2...4 {
            client.pass(.seconds(2))
            await until { client.transport.requests.count == count }
        }
        #expect(queries("id") == ["1", "2", "3", "4"])
        for call in calls { #expect(try await call.value == []) }
    }

    @Test("throttled calls that share requests give way to the latest, however slow a store is")
    func latestInOrder() async throws {
        _ = try await latest("s").value
        let (older, last) = (latest("se"), latest("sea"))
        store.holdNext()
        for call in [older, last] { call.start() }
        await until { waiting.count == 1 }
        store.gate.open()
        await client.subscribers(1)
        client.pass(.seconds(2))
        #expect(try await last.value == [])
        #expect(await failure(older)?.reason == .replaced)
        #expect(queries("text") == ["s", "sea"])
    }

    @Test("a throttled call is replaced by a later one that joins a request in flight")
    func makeWayForRider() async throws {
        let gate = Gate()
        let client = TestClient { _ in
            await gate.wait()
            return empty
        }
        func search(_ text: String) -> DataOperation<[User]> {
            client.manager.operation(EngineRequests.latest(text: text))
        }
        let calls = [search("s"), search("se"), search("s")]
        for (index, call) in calls.enumerated() {
            call.start()
            if index < 2 { await client.subscribers(index + 1) }
        }
        gate.open()
        #expect(try await calls[2].value == [])
        client.pass(.seconds(2))
        #expect(await failure(calls[1])?.reason == .replaced)
        #expect(try await calls[0].value == [])
        #expect(client.transport.requests.count == 1)
    }

    @Test("calls in a throttle interval are sent at once if they inform the server of a log-out")
    func logOut() async throws {
        for call in [
            { client.manager.operation(EngineRequests.throttled(id: 1)) }, { delayed() },
            { latest("s") },
        ] as [() -> DataOperation<[User]>] {
            try await client.manager.logIn(Credential(token: secret))
            _ = try await call().value
            let revokedCredential = call()
            let task = Task { try await client.manager.logOut(revokedCredential) }
            await until {
                revokedCredential.state.isTerminal || isWaiting(revokedCredential)
            }
            client.pass(.seconds(2))
            #expect(try await task.value == [])
            #expect(revokedCredential.state == .succeeded)
        }
    }

    private func isWaiting(_ operation: OperationHandle) -> Bool {
        if case .waiting = operation.state { true } else { false }
    }
}
