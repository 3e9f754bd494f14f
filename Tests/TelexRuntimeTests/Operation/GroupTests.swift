import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A group")
struct GroupTests {
    @Test("a group runs its steps, and its value is what the body makes of theirs")
    func value() async throws {
        let client = TestClient { _ in empty }
        let group = client.manager.group { group in
            async let first = group.run(client.call())
            async let second = group.run(client.call())
            return try await first.count + second.count
        }
        #expect(group.state == .ready)
        #expect(try await group.value == 0)
        #expect(client.transport.requests.count == 2)
    }

    @Test("a group gives its owner, priority and tags to the operations of its body, at any depth")
    func inheritance() async throws {
        let client = TestClient { _ in empty }
        let (mine, other) = (OperationOwner("mine"), OperationOwner("other"))
        let group = client.manager.group(owner: mine, tags: ["a"], priority: .low) { group in
            let plain = client.call()
            let own = client.call(CallOptions(priority: .high, owner: other, tags: ["b"]))
            let inner = client.manager.group { inner in
                let call = client.call()
                _ = try await inner.run(call)
                return call
            }
            let innermost = try await group.run(inner)
            _ = try await (group.run(plain), group.run(own))
            let made: [OperationHandle] = [plain, own, inner, innermost]
            return made.map { ($0.owner, $0.tags, $0.priority) }
        }
        let seen = try await group.value
        #expect(seen.map(\.0) == [mine, other, mine, mine])
        #expect(seen.map(\.1) == [["a"], ["a", "b"], ["a"], ["a"]])
        #expect(seen.map(\.2) == [.low, .high, .low, .low])
        #expect(group.priority == .low)
        #expect(client.call().owner == nil)
        #expect(client.call().priority == .normal)
    }

    @Test("a group does not run itself, nor an operation that runs it or waits for its end")
    func circles() async throws {
        let client = TestClient { _ in empty }
        let own = Lock<[GroupOperation<Void>]>([])
        @Sendable func group(_ number: Int) -> GroupOperation<Void> { own.withLock { $0[number] } }
        let (one, other) = (
            client.manager.group("one") { try await $0.run(group(1)) },
            client.manager.group("other") { try await $0.run(group(0)) }
        )
        let itself = client.manager.group("itself") { try await $0.run(group(2)) }
        let late = client.manager.group("late") { body in
            _ = try await body.run(
                client.manager.operation(UsersRequests.ping(), after: [group(3)]))
        }
        own.withLock { $0 = [one, other, itself, late] }
        for group in [one, itself, late] {
            let error = await #expect(throws: OperationError.self) { try await group.value }
            #expect(error?.reason == .circle)
            #expect(error?.description.contains("cannot run in") == true)
        }
        own.withLock { $0 = [] }
        #expect(client.transport.requests.isEmpty)
    }

    @Test("a group does not run an operation that waits for the end of an outer group")
    func circleAround() async throws {
        let client = TestClient { _ in empty }
        let own = Lock<(outer: GroupOperation<Void>, call: NetworkOperation<Void>)?>(nil)
        let inner = client.manager.group("inner") { group in
            guard let call = own.withLock({ $0?.call }) else { return }
            try await group.run(call)
        }
        let middle = client.manager.group("middle") { try await $0.run(inner) }
        let outer = client.manager.group("outer") { try await $0.run(middle) }
        let call = client.manager.operation(UsersRequests.ping(), after: [outer])
        own.withLock { $0 = (outer, call) }
        outer.start()
        // If it waited, it would never end.
        await until { outer.state.isTerminal || call.state == .queued }
        outer.cancel()
        let error = await #expect(throws: OperationError.self) { try await outer.value }
        #expect(error?.reason == .circle && call.state == .ready)
        own.withLock { $0 = nil }
    }

    @Test("a group runs an operation that waits for the end of a sibling group")
    func noCircleBeside() async throws {
        let client = TestClient { _ in empty }
        let (arrived, gate) = (Gate(), Gate())
        let own = Lock<NetworkOperation<Void>?>(nil)
        let inner = client.manager.group("inner") { group in
            guard let call = own.withLock({ $0 }) else { return }
            try await group.run(call)
        }
        let before = client.manager.group("before") { _ in
            arrived.open()
            await gate.wait()
        }
        own.withLock { $0 = client.manager.operation(UsersRequests.ping(), after: [before]) }
        let outer = client.manager.group("outer") { try await $0.run(inner) }
        before.start()
        await arrived.wait()
        outer.start()
        gate.open()
        try await outer.value
        own.withLock { $0 = nil }
    }

    @Test(
        "a group does not run an operation that runs it, though both begin at once",
        arguments: 0..<50)
    func racingCircles(_ round: Int) async throws {
        let client = TestClient { _ in empty }
        let own = Lock<[GroupOperation<Void>]>([])
        @Sendable func group(_ number: Int) -> GroupOperation<Void> { own.withLock { $0[number] } }
        let (one, other) = (
            client.manager.group("one") { try await $0.run(group(1)) },
            client.manager.group("other") { try await $0.run(group(0)) }
        )
        own.withLock { $0 = [one, other] }
        one.start()
        other.start()
        for group in [one, other] {
            await #expect(throws: OperationError.self) { try await group.value }
        }
        own.withLock { $0 = [] }
    }

    @Test(
        "a group that is cancelled cancels all its steps at any depth, though no reply arrives")
    func cancels() async {
        let arrived = Counter()
        let all = Gate()
        let client = TestClient { _ in
            if arrived.next() == 16 { all.open() }
            await Gate().wait()
            return empty
        }
        @Sendable func tree(_ depth: Int) -> GroupOperation<Void> {
            client.manager.group { group in
                if depth == 0 {
                    _ = try await group.run(client.call())
                    return
                }
                async let left: Void = group.run(tree(depth - 1))
                async let right: Void = group.run(tree(depth - 1))
                _ = try await (left, right)
            }
        }
        let root = tree(4)
        root.start()
        await all.wait()
        let calls = client.manager.operations
        #expect(calls.count == 31 + 16)
        root.cancel()
        for call in calls { await call.reach { $0.isTerminal } }
        #expect(calls.allSatisfy { $0.state == .cancelled })
        await until { client.manager.engine.isIdle }
    }

    @Test("a group ends with the first error, and cancels its other steps")
    func firstError() async {
        let client = TestClient { request in
            if request.head.path?.contains("user_ids=1") == true {
                return .bytes(status: .notFound)
            }
            await Gate().wait()
            return empty
        }
        let slow = client.manager.operation(UsersRequests.get(ids: ["2"]))
        let group = client.manager.group { group in
            async let stuck = group.run(slow)
            let users = try await group.run(client.call())
            return try await users + stuck
        }
        #expect(await failure(group)?.reason == .status(404))
        #expect(slow.state == .cancelled)
    }

    @Test("a group may continue after an error with `attempt`")
    func continues() async throws {
        let client = TestClient { _ in .bytes(status: .notFound) }
        let group = client.manager.group { group in
            let result = try await group.attempt(client.call())
            if case .failure(let error as APIError) = result { return error.status }
            return nil
        }
        #expect(try await group.value == 404)
    }

    @Test("a group that is suspended suspends its steps, and starts none")
    func suspends() async throws {
        let gate = Gate()
        let arrived = Gate()
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let first = client.call()
        let group = client.manager.group { group in
            _ = try await group.run(first)
            return try await group.run(client.call())
        }
        group.start()
        await arrived.wait()
        group.suspend()
        await first.reach { $0 == .suspended }
        gate.open()
        #expect(client.transport.requests.count == 1)
        group.resume()
        #expect(try await group.value == [])
        #expect(client.transport.requests.count == 2)
    }

    @Test("a group that is suspended between two steps starts the next when it resumes")
    func suspendedBetweenSteps() async throws {
        let client = TestClient { _ in empty }
        let (between, next) = (Gate(), Gate())
        let second = client.call()
        let group = client.manager.group { group in
            _ = try await group.run(client.call())
            between.open()
            await next.wait()
            return try await group.run(second)
        }
        group.start()
        await between.wait()
        group.suspend()
        await until { group.isHeld }
        next.open()
        await until {
            second.state != .ready
                || group.live.withLock { $0.coldState?.heldAttempts.isEmpty == false }
        }
        #expect(second.state == .ready)
        group.resume()
        #expect(try await group.value == [])
    }

    @Test("a group that is suspended while it starts a step suspends that step, too")
    func suspendedWithinStep() async throws {
        let client = TestClient { _ in
            await Gate().wait()
            return empty
        }
        let child = client.call()
        let group = client.manager.group { group in try await group.run(child) }
        let told = Counter()
        group.tracker.forward { [weak group] _ in if told.next() == 1 { group?.suspend() } }
        group.start()
        await group.reach { $0 == .suspended }
        await until { child.live.withLock { $0.isRegistered } }
        await child.reach { $0 == .suspended }
        #expect(child.state == .suspended)
        group.cancel()
    }

    @Test("a group that is cancelled does not continue after a failed `attempt`")
    func cancelledAttempt() async {
        let (arrived, ended) = (Gate(), Gate())
        let client = TestClient { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        let wentOn = Lock(false)
        let group = client.manager.group { group in
            defer { ended.open() }
            _ = try await group.attempt(client.call())
            wentOn.withLock { $0 = true }
        }
        group.start()
        await arrived.wait()
        group.cancel()
        await ended.wait()
        #expect(!wentOn.withLock { $0 })
    }

    @Test("a group distinguishes steps of the same name")
    func equalSteps() async throws {
        let client = TestClient { _ in empty }
        let group = client.manager.group { group in
            _ = try await group.run(client.call())
            return try await group.run(client.call())
        }
        let progress = group.progress
        _ = try await group.value
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.steps.map(\.label) == ["users.get", "users.get"])
    }

    @Test("a group publishes its steps and their progress")
    func progress() async throws {
        let client = TestClient { _ in empty }
        let group = client.manager.group(steps: [.init("one"), .init("two", weight: 3)]) { group in
            _ = try await group.run(client.call(), step: "one")
            client.clock.advance(by: .seconds(1))
            return try await group.run(client.call(), step: "two")
        }
        let progress = group.progress
        _ = try await group.value
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.fraction == 1)
        #expect(last?.steps.map(\.label) == ["one", "two"])
    }

    @Test("a group counts the bytes of all steps, and publishes the steps of inner groups")
    func bytes() async throws {
        let client = TestClient { request in
            request.head.path?.contains("save") == true ? .json(#"{"response":"1"}"#) : empty
        }
        let group = client.manager.group { group in
            let inner = client.manager.group { group in
                _ = try await group.run(client.call(), step: "one")
                return try await group.run(client.call(), step: "two")
            }
            _ = try await group.run(inner, step: "both")
            client.clock.advance(by: .seconds(1))
            return try await group.run(client.call(), step: "three")
        }
        let progress = group.progress
        _ = try await group.value
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.received == 3 * #"{"response":[]}"#.utf8.count)
        #expect(last?.sent == 0 && last?.remaining == nil)
        #expect(last?.steps.map(\.label) == ["both", "three"])
        #expect(last?.steps.map { $0.steps.map(\.label) } == [["one", "two"], []])
    }

    @Test("a group is complete when it has succeeded, whatever else was planned")
    func unusedSteps() async throws {
        let client = TestClient { _ in empty }
        let group = client.manager.group(steps: [.init("one"), .init("two")]) { group in
            try await group.run(client.call(), step: "one")
        }
        let progress = group.progress
        _ = try await group.value
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.fraction == 1)
    }
}
