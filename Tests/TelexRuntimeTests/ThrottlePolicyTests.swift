import Foundation
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("Calls that come too soon after another")
struct ThrottlePolicyTests {
    private let store: PatientStore
    private let desk: Desk

    init() {
        store = PatientStore(Credential(token: secret))
        desk = Desk(store) { _ in empty }
    }

    private func delayed(_ options: CallOptions = CallOptions()) -> DataOperation<[User]> {
        desk.manager.operation(EngineRequests.delayed(), options: options)
    }

    private func latest(_ text: String) -> DataOperation<[User]> {
        desk.manager.operation(EngineRequests.latest(text: text))
    }

    private func date(in time: TimeInterval) -> Date {
        desk.clock.date.addingTimeInterval(time)
    }

    /// The requests that calls share and that wait for their moment.
    private var waiting: [OperationHandle] {
        let all = desk.manager.engine.state.withLock { Array($0.operations.values) }
        return all.filter { if case .waiting = $0.state { $0.isShared } else { false } }
    }

    /// What the requests that were sent say of a parameter.
    private func queries(_ name: String) -> [String] {
        desk.transport.requests.compactMap { request in
            let parts = request.head.path?.split { $0 == "?" || $0 == "&" } ?? []
            return parts.first { $0.hasPrefix("\(name)=") }
                .map { String($0.dropFirst(name.count + 1)) }
        }
    }

    @Test("wait for their moment where their method delays them, and say so")
    func waitForTheirMoment() async throws {
        let calls = (0..<3).map { _ in delayed() }
        for call in calls { call.start() }
        _ = try await calls[0].value
        #expect(calls[1].state == .waiting(until: date(in: 2)))
        #expect(calls[2].state == .waiting(until: date(in: 4)))
        let lines = desk.log.text.split(separator: "\n").filter { $0.hasPrefix("…") }
        let line =
            "… delayed waits for its turn, because the last start was too short a time ago"
        #expect(lines.map(String.init) == [line, line])
        desk.pass(.seconds(2))
        _ = try await calls[1].value
        #expect(calls[2].state == .waiting(until: date(in: 2)))
        desk.pass(.seconds(2))
        _ = try await calls[2].value
        #expect(desk.transport.requests.count == 3)
    }

    @Test(
        "end as others do while they wait: at the end of their time, or because nobody wants them")
    func endWhileTheyWait() async throws {
        _ = try await delayed().value
        let options = CallOptions(timeouts: Timeouts(total: .seconds(1)))
        let (hasty, mine, last) = (
            delayed(options), delayed(CallOptions(owner: OperationOwner("screen"))), delayed()
        )
        for call in [hasty, mine, last] { call.start() }
        desk.manager.cancel(owner: OperationOwner("screen"))
        #expect(mine.state == .cancelled)
        desk.pass(.seconds(1))
        let error = await failure(hasty)
        #expect(error?.reason == .timedOut(after: .seconds(1)) && error?.phase == .queue)
        #expect(last.state == .waiting(until: date(in: 1)))
        try await desk.manager.logOut()
        #expect(last.state.isTerminal)
        #expect(desk.transport.requests.count == 1)
        await until { desk.manager.engine.isIdle }
    }

    @Test("wait in groups that are suspended, and go on with them")
    func inGroups() async throws {
        _ = try await delayed().value
        let step = delayed()
        let group = desk.manager.group { group in try await group.run(step) }
        group.start()
        await step.reach { $0 == .waiting(until: date(in: 2)) }
        group.suspend()
        await step.reach { $0 == .suspended }
        desk.pass(.seconds(5))
        #expect(step.state == .suspended)
        group.resume()
        #expect(try await group.value == [])
    }

    @Test("wait once for all who share a request, which makes room when all of them are gone")
    func waitTogether() async throws {
        func call(_ id: Int) -> DataOperation<[User]> {
            desk.manager.operation(EngineRequests.delayedTogether(id: id))
        }
        _ = try await call(1).value
        let pairs = [[call(2), call(2)], [call(3), call(3)]]
        for (index, pair) in pairs.enumerated() {
            for call in pair { call.start() }
            await desk.subscribers(2 * (index + 1))
        }
        #expect(waiting.count == 2)
        for call in pairs[0] { call.cancel() }
        await until { waiting.count == 1 }
        pairs[1][0].cancel()
        await desk.subscribers(1)
        desk.pass(.milliseconds(1_900))
        #expect(desk.transport.requests.count == 1)
        desk.pass(.milliseconds(100))
        #expect(try await pairs[1][1].value == [])
        #expect(queries("id") == ["1", "3"])
    }

    @Test("make way for the last one where that is the one that counts, all who share a request")
    func makeWay() async throws {
        _ = try await latest("s").value
        let replaced = [latest("se"), latest("se")]
        for call in replaced { call.start() }
        await desk.subscribers(2)
        let last = latest("sea")
        last.start()
        for call in replaced {
            let error = await failure(call)
            #expect(error?.reason == .replaced)
            #expect(error?.phase == .queue && error?.fault == .caller && error?.attempts == 0)
            #expect(error?.isRetryable == false && error?.retryAfter == nil)
            #expect(
                error?.description == """
                    `latest` of Tiny failed: a later start took its place before it was sent
                    """)
        }
        desk.pass(.seconds(2))
        #expect(try await last.value == [])
        #expect(queries("text") == ["s", "sea"])
    }

    @Test("that share requests are sent in their order, however long the store takes for one")
    func order() async throws {
        func call(_ id: Int) -> DataOperation<[User]> {
            desk.manager.operation(EngineRequests.delayedTogether(id: id))
        }
        _ = try await call(1).value
        let calls = (2...4).map(call)
        store.holdNext()
        for call in calls { call.start() }
        await until { waiting.count >= 2 }
        store.gate.open()
        await until { waiting.count == 3 }
        for count in 2...4 {
            desk.pass(.seconds(2))
            await until { desk.transport.requests.count == count }
        }
        #expect(queries("id") == ["1", "2", "3", "4"])
        for call in calls { #expect(try await call.value == []) }
    }

    @Test("that share requests end where the latest counts, however long the store takes for one")
    func latestInOrder() async throws {
        _ = try await latest("s").value
        let (older, last) = (latest("se"), latest("sea"))
        store.holdNext()
        for call in [older, last] { call.start() }
        await until { waiting.count == 1 }
        store.gate.open()
        await desk.subscribers(1)
        desk.pass(.seconds(2))
        #expect(try await last.value == [])
        #expect(await failure(older)?.reason == .replaced)
        #expect(queries("text") == ["s", "sea"])
    }

    @Test("make way for a later one that needs no start, since it joins a request on its way")
    func makeWayForRider() async throws {
        let gate = Gate()
        let desk = Desk { _ in
            await gate.wait()
            return empty
        }
        func search(_ text: String) -> DataOperation<[User]> {
            desk.manager.operation(EngineRequests.latest(text: text))
        }
        let calls = [search("s"), search("se"), search("s")]
        for (index, call) in calls.enumerated() {
            call.start()
            if index < 2 { await desk.subscribers(index + 1) }
        }
        gate.open()
        #expect(try await calls[2].value == [])
        desk.pass(.seconds(2))
        #expect(await failure(calls[1])?.reason == .replaced)
        #expect(try await calls[0].value == [])
        #expect(desk.transport.requests.count == 1)
    }

    @Test("are sent at once where they tell the server of a log-out")
    func logOut() async throws {
        for call in [
            { desk.manager.operation(EngineRequests.throttled(id: 1)) }, { delayed() },
            { latest("s") },
        ] as [() -> DataOperation<[User]>] {
            try await desk.manager.logIn(Credential(token: secret))
            _ = try await call().value
            let revokedCredential = call()
            let task = Task { try await desk.manager.logOut(revokedCredential) }
            await until {
                revokedCredential.state.isTerminal || isWaiting(revokedCredential)
            }
            desk.pass(.seconds(2))
            #expect(try await task.value == [])
            #expect(revokedCredential.state == .succeeded)
        }
    }

    private func isWaiting(_ operation: OperationHandle) -> Bool {
        if case .waiting = operation.state { true } else { false }
    }
}
