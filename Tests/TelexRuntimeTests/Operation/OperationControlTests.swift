import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("The control of an operation")
struct OperationControlTests {
    @Test("the control of an operation suspends and resumes it without another request")
    func suspends() async throws {
        let (arrived, gate, rest) = (Gate(), Gate(), Gate())
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return .chunks([Array(#"{"response":[]}"#.utf8)], after: rest)
        }
        let call = client.call()
        #expect(call.toggle() == .running(attempt: 1))
        await arrived.wait()
        #expect(call.toggle() == .suspended)
        gate.open()
        #expect(call.toggle() == .running(attempt: 1))
        rest.open()
        #expect(try await call.value == [])
        #expect(call.toggle() == .succeeded)
        #expect(client.transport.requests.count == 1)
    }

    @Test("an operation's start returns the operation, also with a closure, and so does a group's")
    func started() async throws {
        let client = TestClient { _ in empty }
        let call = client.call().start()
        #expect(call.start { _ in } === call && call.start(on: MainActor.shared) { _ in } === call)
        #expect(try await call.value == [])
        let group = client.manager.group { group in try await group.run(client.call()) }.start()
        #expect(try await group.value == [])
        #expect(client.transport.requests.count == 2)
    }

    @Test("an operation can be suspended between attempts, and then waits for the next one's time")
    func stopsBetweenAttempts() async throws {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() == 1 ? .bytes(status: .serviceUnavailable) : empty
        }
        let call = client.call(TestClient.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        #expect(call.toggle() == .suspended)
        call.resume()
        #expect(call.state.description == "waiting until it may be sent")
        #expect(sent.value == 1)
        client.clock.advance(by: .seconds(1))
        #expect(try await call.value == [])
        #expect(sent.value == 2)
        // Another thread may not have published the resumption yet.
        #expect(client.log.text.contains("▶ users.get is resumed"))
    }

    @Test("the control of an operation cancels it between two attempts without an error")
    func cancelledBetweenAttempts() async {
        let client = TestClient { _ in .bytes(status: .serviceUnavailable) }
        let call = client.call(TestClient.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test("the control of an operation suspends reading of its reply")
    func readsNothing() async throws {
        let own = Lock<OperationHandle?>(nil)
        let (read, isStarted) = (Counter(), Gate())
        let client = TestClient { _ in
            await isStarted.wait()
            let body = ReplyBody(length: nil) { () async throws(TransportError) in
                let number = read.next()
                if number == 1 { own.withLock { $0 }?.suspend() }
                return [Array(#"{"response""#.utf8), Array(":[]}".utf8), nil][number - 1]
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }
        let call = client.call()
        own.withLock { $0 = call }
        call.start()
        isStarted.open()
        await until { call.live.withLock { $0.coldState?.heldAttempts.isEmpty == false } }
        #expect(read.value == 1)
        call.resume()
        #expect(try await call.value == [])
    }

    @Test("an operation's control does not delay the refusal of an invalid request behind a queue")
    func invalid() async throws {
        let gate = Gate()
        let client = TestClient { _ in
            await gate.wait()
            return empty
        }
        let only = CallOptions(queue: "one")
        let first = client.call(only)
        first.start()
        let wrong = client.manager.operation(
            UsersRequests.get(ids: ["1", "2", "3"]), options: only)
        #expect(await failure(wrong)?.phase == .build)
        #expect(client.transport.requests.count <= 1 && first.state == .running(attempt: 1))
        gate.open()
        _ = try await first.value
    }

    @Test("an operation gives its queue slot away while suspended, and waits for one afterwards")
    func givesTurn() async throws {
        let gate = Gate()
        let client = TestClient { _ in
            await gate.wait()
            return empty
        }
        let only = CallOptions(queue: "one")
        let first = client.call(only)
        let second = client.call(only)
        first.start()
        second.start()
        #expect(second.state == .queued)
        first.suspend()
        #expect(second.state == .running(attempt: 1))
        first.resume()
        #expect(first.state == .queued)
        gate.open()
        #expect(try await first.value == [])
        #expect(try await second.value == [])
    }

    @Test("an owner's cancellation cancels all its operations, in whatever state, and no others")
    func owner() async throws {
        let gate = Gate()
        let client = TestClient { request in
            await gate.wait()
            return empty
        }
        let scope = OperationScope(client.manager)
        let mine = (0..<5).map { _ in client.call(CallOptions(owner: scope.owner)) }
        let theirs = client.call(CallOptions(owner: OperationOwner("them"), tags: ["a"]))
        for call in mine.dropFirst() { call.start() }
        mine[1].suspend()
        theirs.start()
        scope.cancel()
        #expect(mine.map(\.state) == [.ready] + Array(repeating: .cancelled, count: 4))
        #expect(theirs.state == .running(attempt: 1))
        client.manager.cancel(tag: "a")
        #expect(theirs.state == .cancelled)
    }

    @Test("an operation is cancelled with the end of its scope or of its owner object")
    func scopes() async {
        let client = TestClient { _ in
            await Gate().wait()
            return empty
        }
        final class Screen: Sendable {
            let manager: APIManager<TinyAPI>
            init(_ manager: APIManager<TinyAPI>) { self.manager = manager }
            deinit { manager.cancel(owner: self) }
        }
        var scope: OperationScope? = OperationScope(client.manager)
        let inner = scope?.child()
        var screen: Screen? = Screen(client.manager)
        let calls = [
            client.call(CallOptions(owner: scope?.owner)),
            client.call(CallOptions(owner: screen.map { OperationOwner(of: $0) })),
            client.call(CallOptions(owner: inner?.owner)),
        ]
        for call in calls { call.start() }
        scope?.cancel()
        #expect(calls.map(\.state) == [.cancelled, .running(attempt: 1), .cancelled])
        scope = nil
        screen = nil
        #expect(calls[1].state == .cancelled)
    }

    @Test("an operation is cancelled with the end of an outer scope, as with its cancellation")
    func scopesInScopes() async {
        let client = TestClient { _ in
            await Gate().wait()
            return empty
        }
        for isFreed in [false, true] {
            var outer: OperationScope? = OperationScope(client.manager)
            let middle = outer?.child()
            let inner = middle?.child()
            let calls = [outer, middle, inner].map {
                client.call(CallOptions(owner: $0?.owner))
            }
            for call in calls { call.start() }
            if isFreed { outer = nil } else { outer?.cancel() }
            #expect(calls.map(\.state) == [.cancelled, .cancelled, .cancelled])
            let later = client.call(CallOptions(owner: inner?.owner))
            later.start()
            #expect(later.state == .running(attempt: 1))
            middle?.cancel()
            #expect(later.state == .cancelled)
        }
    }

    @Test("the control of an operation keeps it when an inner or sibling scope ends")
    func scopesBesideScopes() async {
        let client = TestClient { _ in
            await Gate().wait()
            return empty
        }
        let outer = OperationScope(client.manager)
        var gone: OperationScope? = outer.child()
        let beside = outer.child()
        let calls = [outer, gone, beside].map { client.call(CallOptions(owner: $0?.owner)) }
        for call in calls { call.start() }
        gone = nil
        #expect(
            calls.map(\.state) == [.running(attempt: 1), .cancelled, .running(attempt: 1)])
        let late = outer.child()
        let call = client.call(CallOptions(owner: late.owner))
        call.start()
        outer.cancel()
        #expect((calls + [call]).allSatisfy { $0.state == .cancelled })
    }

    @Test("an operation starts when its prerequisites have succeeded, and fails if one has not")
    func dependencies() async throws {
        let gate = Gate()
        let client = TestClient { _ in
            await gate.wait()
            return empty
        }
        let first = client.call()
        let second = client.call(after: [first])
        let third = client.call(after: [second, first])
        let lost = client.call()
        let orphan = client.call(after: [lost])
        for call in [third, second, first, orphan] { call.start() }
        #expect([second.state, third.state, orphan.state] == [.queued, .queued, .queued])
        gate.open()
        #expect(try await third.value == [])
        lost.cancel()
        await #expect(throws: OperationError.self) { try await orphan.value }
    }

    @Test("an operation fails with a reason if a prerequisite has no handle to start it")
    func lostDependency() async {
        let client = TestClient { _ in empty }
        let orphan = client.call(after: [client.call()])
        let error = await #expect(throws: OperationError.self) { try await orphan.value }
        #expect(error?.description.hasSuffix("which was released before it was started") == true)
        #expect(error?.description.hasPrefix("users.get depends on users.get ") == true)
    }

    @Test("a thread can wait for an operation, but not a thread of the cooperative pool")
    func blocking() async throws {
        let client = TestClient { _ in empty }
        let call = client.call()
        func wait() throws -> [User] { try call.waitSync() }
        #expect(throws: BlockingError.self) { try wait() }
        let value = Lock<[User]?>(nil)
        await withCheckedContinuation { done in
            client.call().start { result in
                value.withLock { $0 = try? result.get() }
                done.resume()
            }
        }
        #expect(value.withLock { $0 } == [])
    }

    @Test(
        "an operation publishes its last state to all observers, also during concurrent reads"
    )
    func lateReaders() async throws {
        let operation = Lock<DataOperation<[User]>?>(nil)
        let (manager, _) = tiny(onEvent: { event in
            guard case .succeeded = event.kind else { return }
            _ = operation.withLock { $0 }.map { ($0.states, $0.events) }
        }) { _ in empty }
        let call = manager.operation(UsersRequests.get(ids: []))
        operation.withLock { $0 = call }
        let (states, events) = (call.states, call.events)
        _ = try await call.value
        var last: OperationState?
        for await state in states { last = state }
        #expect(last == .succeeded)
        var lines: [String] = []
        for await event in events { lines.append(event.description) }
        #expect(lines.last?.hasPrefix("✓") == true, "\(lines)")
        var late = call.states.makeAsyncIterator()
        #expect(await late.next() == .succeeded)
        #expect(await late.next() == nil)
        operation.withLock { $0 = nil }
    }

    @Test("an operation releases its request and closures at the end, while handles exist")
    func letsGo() async throws {
        final class Model: Sendable {}
        let client = TestClient { _ in empty }
        let (group, model) = {
            let model = Model()
            let group = client.manager.group { _ in withExtendedLifetime(model) {} }
            return (group, WeakReference(model))
        }()
        #expect(model.object != nil)
        try await group.value
        await until { model.object == nil }
        #expect(group.state == .succeeded)
    }

    @Test("the control of an operation ends it as cancelled if its own work cancels its task")
    func cancelsItself() async {
        let client = TestClient { _ in empty }
        let group = client.manager.group { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            try Task.checkCancellation()
        }
        await #expect(throws: CancellationError.self) { try await group.value }
        #expect(group.state == .cancelled)
    }

    @Test("the control of an operation reports the history of its attempts")
    func response() async throws {
        let client = TestClient { _ in .json(#"{"response":[]}"#, fields: [.eTag: "\"1\""]) }
        let response = try await client.call().response
        #expect(response.value == [])
        #expect(response.head?.headerFields[.eTag] == "\"1\"")
        #expect(response.body == Array(#"{"response":[]}"#.utf8))
        #expect(response.attempts.map(\.status) == [200])
        #expect(response.metrics.total >= response.metrics.working)
    }
}
