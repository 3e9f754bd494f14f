import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// Whether the body throws a cancellation.
private func isCancelled(_ body: () async throws -> Void) async -> Bool {
    do {
        try await body()
        return false
    } catch {
        return error is CancellationError
    }
}

@Suite("Operations that are cancelled together")
struct BulkCancellationTests {
    @Test("operations cancelled together do not start because cancelled ones of them made room")
    func queued() async {
        let arrived = Gate()
        let client = TestClient { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        let owner = OperationOwner("screen")
        let calls = (0..<100).map { _ in client.call(CallOptions(queue: "one", owner: owner)) }
        for call in calls { call.start() }
        await arrived.wait()
        client.manager.cancel(owner: owner)
        #expect(calls.allSatisfy { $0.state == .cancelled })
        #expect(calls.dropFirst().allSatisfy { $0.attempts.isEmpty })
        await until { client.manager.engine.isIdle }
        #expect(client.transport.requests.count == 1)
    }

    @Test("operations cancelled together leave room for the next operation of another owner")
    func others() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = gated(arrived, gate)
        let owner = OperationOwner("screen")
        let mine = (0..<3).map { _ in client.call(CallOptions(queue: "one", owner: owner)) }
        for call in mine { call.start() }
        let other = client.call(CallOptions(queue: "one"))
        other.start()
        await arrived.wait()
        client.manager.cancel(owner: owner)
        gate.open()
        #expect(try await other.value == [])
    }

    /// A call that occupies its queue, and two calls that share a request which waits in that
    /// queue.
    private func sharing(_ client: TestClient, _ arrived: Gate) async -> [OperationHandle] {
        let options = CallOptions(queue: "one", owner: OperationOwner("screen"))
        let first = client.call(options)
        first.start()
        await arrived.wait()
        let subscribers = (0..<2).map { _ in
            client.manager.operation(EngineRequests.shared(id: 1), options: options)
        }
        for subscriber in subscribers { subscriber.start() }
        await client.subscribers(2)
        return [first] + subscribers
    }

    @Test("operations cancelled together neither start their shared request nor log out with it")
    func shared() async throws {
        let ways: [@Sendable (TestClient) async throws -> Void] = [
            { $0.manager.cancelAll() }, { $0.manager.cancel(owner: OperationOwner("screen")) },
            { try await $0.manager.logOut($0.manager.operation(UsersRequests.ping())) },
        ]
        for (way, cancel) in ways.enumerated() {
            let arrived = Gate()
            let client = TestClient { request in
                if request.head.path?.contains("ping") == true { return .bytes() }
                arrived.open()
                await Gate().wait()
                return empty
            }
            let calls = await sharing(client, arrived)
            try await cancel(client)
            #expect(calls.allSatisfy { $0.state == .cancelled })
            await until { client.manager.engine.isIdle }
            let isLoggedOut = way == 2
            #expect(client.transport.requests.count == (isLoggedOut ? 2 : 1))
            #expect((try await client.manager.credentials.read() == nil) == isLoggedOut)
        }
    }

    @Test("operations cancelled together are found by the queue where their shared request waits")
    func sharedQueue() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = gated(arrived, gate)
        let calls = (0..<2).map { _ in
            client.manager.operation(
                EngineRequests.shared(id: 1), options: CallOptions(queue: "one"))
        }
        for call in calls { call.start() }
        await arrived.wait()
        client.manager.cancel { $0.queue == "one" }
        #expect(calls.allSatisfy { $0.state == .cancelled })
        gate.open()
    }

    @Test("operations cancelled together leave the shared request to other calls that wait for it")
    func sharedWithOthers() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = gated(arrived, gate)
        let calls = await sharing(client, arrived)
        let other = client.manager.operation(
            EngineRequests.shared(id: 1), options: CallOptions(queue: "one"))
        other.start()
        await client.subscribers(3)
        client.manager.cancel(owner: OperationOwner("screen"))
        gate.open()
        #expect(try await other.value == [])
        #expect(calls.allSatisfy { $0.state == .cancelled })
    }

    @Test("operations that share a request suspend it as long as all of them are suspended")
    func sharedAndHeld() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = gated(arrived, gate)
        let calls = await sharing(client, arrived)
        for subscriber in calls.dropFirst() { subscriber.suspend() }
        gate.open()
        #expect(try await client.call(CallOptions(queue: "one")).value == [])
        #expect(client.transport.requests.count == 2)
        #expect(client.transport.requests.allSatisfy { $0.head.path?.contains("shared") != true })
        calls[1].resume()
        await until { calls[1].state == .succeeded }
        #expect(calls[2].state == .suspended)
        calls[2].resume()
        await until { calls[2].state == .succeeded }
        #expect(client.transport.requests.count == 3)
    }

    @Test("a group whose operations are cancelled starts no later step")
    func laterSteps() async {
        let (began, gate, tried) = (Gate(), Gate(), Gate())
        let client = TestClient { _ in empty }
        let late = client.call()
        let group = client.manager.group { group in
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
        #expect(client.transport.requests.isEmpty)
    }

    /// Twenty calls of one queue, one of which is in flight, and the operations cancelled with
    /// them.
    private func queue(
        _ client: TestClient, _ arrived: Gate,
        _ cancel: @Sendable ([DataOperation<[User]>]) async -> Void
    ) async {
        let calls = (0..<20).map { _ in client.call(CallOptions(queue: "one")) }
        await cancel(calls)
        await until { client.manager.engine.isIdle }
        #expect(calls.count { !$0.attempts.isEmpty } == 1)
        #expect(client.transport.requests.count == 1)
    }

    private func stalled(_ arrived: Gate) -> TestClient { gated(arrived, Gate()) }

    /// A server that signals each request, and replies when it may.
    private func gated(_ arrived: Gate, _ gate: Gate) -> TestClient {
        TestClient { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
    }

    @Test("a step of a cancelled group does not start if the body awaits it at once")
    func structured() async {
        let arrived = Gate()
        let client = stalled(arrived)
        await queue(client, arrived) { calls in
            let group = client.manager.group { group in
                await withTaskGroup { tasks in
                    for call in calls { tasks.addTask { _ = try? await group.run(call) } }
                }
            }
            group.start()
            await arrived.wait()
            await until { calls.allSatisfy { $0.state != .ready } }
            group.cancel()
            // Another thread may still perform the actions of the last start.
            await until { calls.allSatisfy { $0.state == .cancelled } }
        }
    }

    @Test("operations cancelled together do not start because ones outside their group made room")
    func levels() async {
        let arrived = Gate()
        let client = stalled(arrived)
        await queue(client, arrived) { calls in
            let owner = OperationOwner("screen")
            let inner = client.manager.group { group in
                for call in calls.dropFirst() { Task { try await group.run(call) } }
                await Gate().wait()
            }
            let outer = client.manager.group("outer", owner: owner) { group in
                Task { try await group.run(calls[0]) }
                await arrived.wait()
                try await group.run(inner)
            }
            outer.start()
            await until { calls.allSatisfy { $0.state != .ready } }
            client.manager.cancel(owner: owner)
            #expect(calls.allSatisfy { $0.state == .cancelled })
        }
    }

    @Test("operations cancelled together do not start because those of an outer scope made room")
    func scopes() async {
        let arrived = Gate()
        let client = stalled(arrived)
        let outer = OperationScope(client.manager)
        let inner = outer.child()
        let scopes = [outer] + Array(repeating: inner, count: 9)
        let calls = scopes.map { client.call(CallOptions(queue: "one", owner: $0.owner)) }
        for call in calls { call.start() }
        await arrived.wait()
        outer.cancel()
        #expect(calls.allSatisfy { $0.state == .cancelled })
        await until { client.manager.engine.isIdle }
        #expect(calls.count { !$0.attempts.isEmpty } == 1)
    }

    @Test(
        "a cancelled group releases the tasks of its body, suspended and later ones too"
    )
    func ownTasksAtTheEnd() async {
        let (began, held, late) = (Gate(), Gate(), Gate())
        let client = TestClient { _ in empty }
        let calls = [client.call(), client.call()]
        let tasks = Lock<[Task<Bool, Never>]>([])
        let group = client.manager.group { group in
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

    @Test("a cancelled group starts no other step in a task of its body")
    func ownStepsAtTheEnd() async throws {
        let arrived = Gate()
        let client = stalled(arrived)
        let calls = [client.call(), client.call()]
        let task = Lock<Task<Bool, Never>?>(nil)
        let group = client.manager.group { group in
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
        #expect(client.transport.requests.count == 1)
    }

    @Test("a cancelled group cancels what its body runs in a task of its own")
    func ownTasks() async {
        let (arrived, never) = (Gate(), Gate())
        let client = TestClient { _ in
            arrived.open()
            await never.wait()
            return empty
        }
        let call = client.call()
        let group = client.manager.group { group in
            let task = Task { try await group.run(call) }
            await never.wait()
            return try await task.value
        }
        group.start()
        await arrived.wait()
        group.cancel()
        #expect(call.state == .cancelled)
        never.open()
        await until { client.manager.engine.isIdle }
    }
}

@Suite("The progress of a group")
struct LateProgressSubscriberTests {
    @Test("the progress of a group is complete for a subscriber that arrives after some steps")
    func late() async throws {
        let (half, rest) = (Gate(), Gate())
        let client = TestClient { _ in empty }
        let steps = ["one", "two", "three"].map { OperationProgress.Step($0) }
        let group = client.manager.group(steps: steps) { group in
            _ = try await group.run(client.call(), step: "one")
            _ = try await group.run(client.call(), step: "two")
            half.open()
            await rest.wait()
            client.clock.advance(by: .seconds(1))
            _ = try await group.run(client.call(), step: "three")
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
