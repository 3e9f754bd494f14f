import Foundation
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// Whether something ends as cancelled.
private func isCancelled(_ body: () async throws -> Void) async -> Bool {
    do {
        try await body()
        return false
    } catch {
        return error is CancellationError
    }
}

@Suite("Operations that are cancelled together")
struct CancelTogetherTests {
    @Test("do not begin because others of them have made room")
    func queued() async {
        let arrived = Gate()
        let desk = Desk { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        let owner = OperationOwner("screen")
        let calls = (0..<100).map { _ in desk.call(CallOptions(queue: "one", owner: owner)) }
        for call in calls { call.start() }
        await arrived.wait()
        desk.manager.cancel(owner: owner)
        #expect(calls.allSatisfy { $0.state == .cancelled })
        #expect(calls.dropFirst().allSatisfy { $0.attempts.isEmpty })
        await until { desk.manager.engine.isIdle }
        #expect(desk.transport.requests.count == 1)
    }

    @Test("leave room for the next one of somebody else")
    func others() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let desk = gated(arrived, gate)
        let owner = OperationOwner("screen")
        let mine = (0..<3).map { _ in desk.call(CallOptions(queue: "one", owner: owner)) }
        for call in mine { call.start() }
        let other = desk.call(CallOptions(queue: "one"))
        other.start()
        await arrived.wait()
        desk.manager.cancel(owner: owner)
        gate.open()
        #expect(try await other.value == [])
    }

    /// A call that has the place of its queue, and two that share a request which waits there.
    private func sharing(_ desk: Desk, _ arrived: Gate) async -> [OperationHandle] {
        let options = CallOptions(queue: "one", owner: OperationOwner("screen"))
        let first = desk.call(options)
        first.start()
        await arrived.wait()
        let subscribers = (0..<2).map { _ in
            desk.manager.operation(EngineRequests.shared(id: 1), options: options)
        }
        for subscriber in subscribers { subscriber.start() }
        await desk.subscribers(2)
        return [first] + subscribers
    }

    @Test("do not begin their shared request either, or log out with it")
    func shared() async throws {
        let ways: [@Sendable (Desk) async throws -> Void] = [
            { $0.manager.cancelAll() }, { $0.manager.cancel(owner: OperationOwner("screen")) },
            { try await $0.manager.logOut($0.manager.operation(UsersRequests.ping())) },
        ]
        for (way, cancel) in ways.enumerated() {
            let arrived = Gate()
            let desk = Desk { request in
                if request.head.path?.contains("ping") == true { return .bytes() }
                arrived.open()
                await Gate().wait()
                return empty
            }
            let calls = await sharing(desk, arrived)
            try await cancel(desk)
            #expect(calls.allSatisfy { $0.state == .cancelled })
            await until { desk.manager.engine.isIdle }
            let isLoggedOut = way == 2
            #expect(desk.transport.requests.count == (isLoggedOut ? 2 : 1))
            #expect((try await desk.manager.credentials.read() == nil) == isLoggedOut)
        }
    }

    @Test("are found by the queue that their shared request waits in")
    func sharedQueue() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let desk = gated(arrived, gate)
        let calls = (0..<2).map { _ in
            desk.manager.operation(
                EngineRequests.shared(id: 1), options: CallOptions(queue: "one"))
        }
        for call in calls { call.start() }
        await arrived.wait()
        desk.manager.cancel { $0.queue == "one" }
        #expect(calls.allSatisfy { $0.state == .cancelled })
        gate.open()
    }

    @Test("leave the shared request to whoever else waits for it")
    func sharedWithOthers() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let desk = gated(arrived, gate)
        let calls = await sharing(desk, arrived)
        let other = desk.manager.operation(
            EngineRequests.shared(id: 1), options: CallOptions(queue: "one"))
        other.start()
        await desk.subscribers(3)
        desk.manager.cancel(owner: OperationOwner("screen"))
        gate.open()
        #expect(try await other.value == [])
        #expect(calls.allSatisfy { $0.state == .cancelled })
    }

    @Test("hold their shared request as long as all of them are suspended")
    func sharedAndHeld() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let desk = gated(arrived, gate)
        let calls = await sharing(desk, arrived)
        for subscriber in calls.dropFirst() { subscriber.suspend() }
        gate.open()
        #expect(try await desk.call(CallOptions(queue: "one")).value == [])
        #expect(desk.transport.requests.count == 2)
        #expect(desk.transport.requests.allSatisfy { $0.head.path?.contains("shared") != true })
        calls[1].resume()
        await until { calls[1].state == .succeeded }
        #expect(calls[2].state == .suspended)
        calls[2].resume()
        await until { calls[2].state == .succeeded }
        #expect(desk.transport.requests.count == 3)
    }

    @Test("as a group begin no step that comes after")
    func laterSteps() async {
        let (began, gate, tried) = (Gate(), Gate(), Gate())
        let desk = Desk { _ in empty }
        let late = desk.call()
        let group = desk.manager.group { group in
            began.open()
            await gate.wait()
            defer { tried.open() }
            return try await group.run(late)
        }
        group.start()
        await began.wait()
        group.cancel()
        gate.open()
        await tried.wait()
        #expect(late.state == .ready)
        #expect(desk.transport.requests.isEmpty)
    }

    /// Twenty calls of one queue, of which one is on its way, and what shares their fate.
    private func queue(
        _ desk: Desk, _ arrived: Gate, _ cancel: @Sendable ([DataOperation<[User]>]) async -> Void
    ) async {
        let calls = (0..<20).map { _ in desk.call(CallOptions(queue: "one")) }
        await cancel(calls)
        await until { desk.manager.engine.isIdle }
        #expect(calls.count { !$0.attempts.isEmpty } == 1)
        #expect(desk.transport.requests.count == 1)
    }

    private func stalled(_ arrived: Gate) -> Desk { gated(arrived, Gate()) }

    /// A server that says when it is asked, and answers when it may.
    private func gated(_ arrived: Gate, _ gate: Gate) -> Desk {
        Desk { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
    }

    @Test("as a group do not begin either if the body awaits them at once")
    func structured() async {
        let arrived = Gate()
        let desk = stalled(arrived)
        await queue(desk, arrived) { calls in
            let group = desk.manager.group { group in
                await withTaskGroup { tasks in
                    for call in calls { tasks.addTask { _ = try? await group.run(call) } }
                }
            }
            group.start()
            await arrived.wait()
            await until { calls.allSatisfy { $0.state != .ready } }
            group.cancel()
            // Another thread may be carrying out what the last start has led to.
            await until { calls.allSatisfy { $0.state == .cancelled } }
        }
    }

    @Test("do not begin because what is outside of their group has made room")
    func levels() async {
        let arrived = Gate()
        let desk = stalled(arrived)
        await queue(desk, arrived) { calls in
            let owner = OperationOwner("screen")
            let inner = desk.manager.group { group in
                for call in calls.dropFirst() { Task { try await group.run(call) } }
                await Gate().wait()
            }
            let outer = desk.manager.group("outer", owner: owner) { group in
                Task { try await group.run(calls[0]) }
                await arrived.wait()
                try await group.run(inner)
            }
            outer.start()
            await until { calls.allSatisfy { $0.state != .ready } }
            desk.manager.cancel(owner: owner)
            #expect(calls.allSatisfy { $0.state == .cancelled })
        }
    }

    @Test("do not begin because those of an outer scope have made room")
    func scopes() async {
        let arrived = Gate()
        let desk = stalled(arrived)
        let outer = OperationScope(desk.manager)
        let inner = outer.child()
        let scopes = [outer] + Array(repeating: inner, count: 9)
        let calls = scopes.map { desk.call(CallOptions(queue: "one", owner: $0.owner)) }
        for call in calls { call.start() }
        await arrived.wait()
        outer.cancel()
        #expect(calls.allSatisfy { $0.state == .cancelled })
        await until { desk.manager.engine.isIdle }
        #expect(calls.count { !$0.attempts.isEmpty } == 1)
    }

    @Test(
        "as a group let go of tasks of the body's own, those that are held and those that come later"
    )
    func ownTasksAtTheEnd() async {
        let (began, held, late) = (Gate(), Gate(), Gate())
        let desk = Desk { _ in empty }
        let calls = [desk.call(), desk.call()]
        let tasks = Mutex<[Task<Bool, Never>]>([])
        let group = desk.manager.group { group in
            for (gate, call) in zip([held, late], calls) {
                let task = Task {
                    await gate.wait()
                    return await isCancelled { _ = try await group.run(call) }
                }
                tasks.withLock { $0.append(task) }
            }
            began.open()
            await Gate().wait()
        }
        group.start()
        await began.wait()
        group.suspend()
        held.open()
        await until { group.live.withLock { $0.coldState?.heldAttempts.isEmpty == false } }
        group.cancel()
        late.open()
        for task in tasks.withLock({ $0 }) { #expect(await task.value) }
        #expect(calls.allSatisfy { $0.state == .ready })
    }

    @Test("as a group begin no other step in a task of the body's own")
    func ownStepsAtTheEnd() async throws {
        let arrived = Gate()
        let desk = stalled(arrived)
        let calls = [desk.call(), desk.call()]
        let task = Mutex<Task<Bool, Never>?>(nil)
        let group = desk.manager.group { group in
            let own = Task {
                await isCancelled { for call in calls { _ = try await group.attempt(call) } }
            }
            task.withLock { $0 = own }
            await Gate().wait()
        }
        group.start()
        await arrived.wait()
        group.cancel()
        let own = try #require(task.withLock { $0 })
        #expect(await own.value)
        #expect(calls.map(\.state) == [.cancelled, .ready])
        #expect(desk.transport.requests.count == 1)
    }

    @Test("as a group include what the body runs in a task of its own")
    func ownTasks() async {
        let (arrived, never) = (Gate(), Gate())
        let desk = Desk { _ in
            arrived.open()
            await never.wait()
            return empty
        }
        let call = desk.call()
        let group = desk.manager.group { group in
            let task = Task { try await group.run(call) }
            await never.wait()
            return try await task.value
        }
        group.start()
        await arrived.wait()
        group.cancel()
        #expect(call.state == .cancelled)
        never.open()
        await until { desk.manager.engine.isIdle }
    }
}

@Suite("The progress of a group")
struct LateFollowerTests {
    @Test("is whole for whoever follows only after some steps")
    func late() async throws {
        let (half, rest) = (Gate(), Gate())
        let desk = Desk { _ in empty }
        let steps = ["one", "two", "three"].map { OperationProgress.Step($0) }
        let group = desk.manager.group(steps: steps) { group in
            _ = try await group.run(desk.call(), step: "one")
            _ = try await group.run(desk.call(), step: "two")
            half.open()
            await rest.wait()
            desk.clock.advance(by: .seconds(1))
            _ = try await group.run(desk.call(), step: "three")
            await Gate().wait()
        }
        group.start()
        await half.wait()
        var progress = group.progress.makeAsyncIterator()
        rest.open()
        var last: OperationProgress?
        while last?.steps.last?.fraction != 1 { last = await progress.next() }
        #expect(last?.fraction == 1)
        group.cancel()
    }
}
