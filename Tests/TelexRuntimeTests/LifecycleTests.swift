import HTTPTypes
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

/// Calls of the tiny API whose server and time a test has in its hands.
struct Desk {
    let clock = VirtualClock()
    let transport: InMemoryTransport
    let manager: APIManager<Tiny>
    let log = Log()

    init(
        _ credentials: any CredentialStore = .memory(Credential(token: secret)),
        _ script: @escaping InMemoryTransport.Script
    ) {
        transport = InMemoryTransport(script)
        manager = APIManager<Tiny>(
            transport: transport, credentials: credentials,
            settings: EngineSettings(clock: clock.runtimeClock, seed: 7),
            onEvent: { [log] in log.add($0.description) })
    }

    func call(
        _ options: CallOptions = CallOptions(), after: [OperationHandle] = []
    ) -> DataOperation<[User]> {
        manager.operation(UsersRequests.get(ids: ["1"]), options: options, after: after)
    }

    /// Lets time pass. The engine has heard of it afterwards: what is done next comes after all that
    /// was to happen in that time.
    func pass(_ time: Duration) {
        clock.advance(by: time)
        manager.engine.send(.tick)
    }

    /// Returns once so many calls wait for the requests that they share. Nothing is told of that.
    func subscribers(_ count: Int) async {
        await until { manager.engine.subscriberCount == count }
    }

    static let retrying = CallOptions(
        retry: RetryPolicy(backoff: Backoff(initial: .seconds(1), jitter: 0)))
}

extension Engine {
    /// How many calls wait for the requests of `EngineRequests.shared`.
    fileprivate var subscriberCount: Int {
        let all = state.withLock { $0.operations.values }.filter(\.isShared)
        return all.reduce(0) { count, shared in
            let users = shared as? DataOperation<[User]>
            return count + (users?.live.withLock { $0.waiters.count } ?? 0)
        }
    }
}

extension OperationHandle {
    /// Returns once the operation is in such a state; at its end at the latest.
    func reach(_ isThere: (OperationState) -> Bool) async {
        for await state in states where isThere(state) { return }
    }
}

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A call that fails for a while")
struct RetryTests {
    @Test("is sent again, later each time, and tells why")
    func backsOff() async throws {
        let sent = Counter()
        let desk = Desk { _ in sent.next() < 3 ? .bytes(status: .serviceUnavailable) : empty }
        let call = desk.call(Desk.retrying)
        call.start()
        for _ in 0..<2 {
            await desk.clock.waitForSleepers(1)
            #expect(call.state.description == "waiting until it may be sent")
            desk.clock.advanceToNextDeadline()
        }
        #expect(try await call.value == [])
        #expect(desk.clock.now == .seconds(3))
        #expect(
            desk.log.text.contains("↻ users.get is sent again in 1.0 seconds, because status 503"))
        #expect(desk.log.text.contains("in 2.0 seconds"))
    }

    @Test("waits as long as the server says or a little longer, and nobody else asks meanwhile")
    func retryAfter() async throws {
        let sent = Counter()
        let desk = Desk { _ in
            sent.next() == 1
                ? .bytes(status: .tooManyRequests, fields: [.retryAfter: "30"]) : empty
        }
        let call = desk.call(Desk.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        let other = desk.call()
        other.start()
        #expect(other.state == .queued)
        await desk.clock.waitForSleepers(1)
        desk.clock.advance(by: .seconds(30))
        #expect(try await other.value == [])
        desk.clock.advance(by: .seconds(1))
        #expect(try await call.value == [])
        #expect(sent.value == 3)
    }

    @Test(
        "waits as long as the body says, which knows better than a field, and so does its host",
        arguments: ["1", "60"])
    func retryAfterInBody(field: String) async throws {
        let sent = Counter()
        let desk = Desk { _ in
            sent.next() == 1
                ? .json(
                    #"{"error":{"error_code":9,"retry_after":2.5}}"#, status: .tooManyRequests,
                    fields: [.retryAfter: field]) : empty
        }
        let call = desk.call(Desk.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        await desk.clock.waitForSleepers(1)
        desk.clock.advance(by: .seconds(1.5))
        let other = desk.call()
        other.start()
        #expect(other.state == .queued)
        desk.clock.advance(by: .seconds(1))
        #expect(try await other.value == [])
        desk.clock.advance(by: .seconds(1))
        #expect(try await call.value == [])
        #expect(desk.log.text.contains("its host is left alone for 2.5 seconds"))
    }

    @Test("waits as long as a field says if the body says no time, and so does its host")
    func noRetryAfterInBody() async throws {
        let sent = Counter()
        let desk = Desk { _ in
            sent.next() == 1
                ? .json(
                    #"{"error":{"error_code":9,"retry_after":0}}"#, status: .tooManyRequests,
                    fields: [.retryAfter: "30"]) : empty
        }
        let call = desk.call(Desk.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        #expect(call.attempts.first.map { ($0.error as? APIError)?.retryAfter } == .seconds(30))
        #expect(desk.log.text.contains("its host is left alone for 30.0 seconds"))
        await desk.clock.waitForSleepers(1)
        desk.clock.advance(by: .seconds(31))
        #expect(try await call.value == [])
    }

    @Test("leaves a host alone as long as a field says if the body breaks off")
    func retryAfterOfBrokenBody() async throws {
        let desk = Desk { _ in
            .chunks(
                [[0x7B]], length: 9, then: TransportError(.connectionLost, "it broke off"),
                status: .serviceUnavailable, fields: [.retryAfter: "30"])
        }
        _ = await failure(desk.call(CallOptions(retry: .never)))
        #expect(desk.log.text.contains("its host is left alone for 30.0 seconds"))
    }

    @Test("waits as long as the body of a 200 says that names a retryable code")
    func retryAfterInside200() async throws {
        let sent = Counter()
        let desk = Desk { _ in
            sent.next() == 1
                ? .json(#"{"error":{"error_code":6,"retry_after":"40"}}"#) : empty
        }
        let call = desk.call(Desk.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        #expect(desk.log.text.contains("is sent again in 40"))
        // The rest of the API is at work.
        #expect(try await desk.call().value == [])
        await desk.clock.waitForSleepers(1)
        desk.clock.advance(by: .seconds(41))
        #expect(try await call.value == [])
    }

    @Test(
        "keeps nobody from a host that answers, and says that it will answer more",
        arguments: [
            ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "30"],
            ["X-RateLimit-Remaining": "5", "Retry-After": "30"],
        ])
    func hints(_ names: [String: String]) async throws {
        var fields: HTTPFields = [:]
        for (name, value) in names { fields[try #require(HTTPField.Name(name))] = value }
        let desk = Desk { [fields] _ in .json(#"{"response":[]}"#, fields: fields) }
        #expect(try await desk.call().value == [])
        let next = desk.call()
        next.start()
        #expect(next.state != .queued)
        #expect(try await next.value == [])
    }

    @Test("gives up after as many attempts as it may make")
    func givesUp() async {
        let desk = Desk { _ in .bytes(status: .serviceUnavailable) }
        let call = desk.call(Desk.retrying)
        call.start()
        for _ in 0..<2 {
            await desk.clock.waitForSleepers(1)
            desk.clock.advanceToNextDeadline()
        }
        let error = await failure(call)
        #expect(error?.reason == .status(503))
        #expect(error?.attempts == 3)
        #expect(call.attempts.map(\.status) == [503, 503, 503])
    }

    @Test("is sent again after any answer that its policy names, if that does no harm twice")
    func namedAnswers() async throws {
        let sent = Counter()
        let desk = Desk { _ in
            sent.next() < 3
                ? .json(#"{"error":{"error_code":77}}"#, status: .conflict)
                : .json(#"{"response":[]}"#)
        }
        let named = RetryPolicy(on: [.code("77")], backoff: Backoff(initial: .zero))
        #expect(try await desk.call(CallOptions(retry: named)).value == [])
        #expect(sent.value == 3)
        let post = Desk { _ in .json(#"{"error":{"error_code":77}}"#, status: .conflict) }
        let error = await failure(
            post.manager.operation(
                UsersRequests.save(name: "a", password: "secret"),
                options: CallOptions(retry: named)))
        #expect(error?.attempts == 1 && post.transport.requests.count == 1)
    }

    @Test("is not sent again if that could do something twice")
    func notIdempotent() async {
        let desk = Desk { _ throws(TransportError) in throw TransportError(.connectionLost, "x") }
        let call = desk.manager.operation(
            UsersRequests.save(name: "a", password: "secret"), options: Desk.retrying)
        let error = await failure(call)
        #expect(error?.attempts == 1)
        #expect(desk.transport.requests.count == 1)
    }

    @Test("stops being repeated when too much is repeated: 1.1 requests for a call, at last")
    func budget() async {
        let desk = Desk { _ in .bytes(status: .serviceUnavailable) }
        var options = Desk.retrying
        options.retry?.backoff = Backoff(initial: .zero)
        for _ in 0..<200 { _ = await failure(desk.call(options)) }
        let before = desk.transport.requests.count
        for _ in 0..<1_000 { _ = await failure(desk.call(options)) }
        #expect(desk.transport.requests.count - before <= 1_100)
    }

    @Test("of many that a server turns away until later, none is given up")
    func turnedAway() async throws {
        let (sent, allSent) = (Counter(), Gate())
        let desk = Desk { _ in
            let number = sent.next()
            if number == 100 { allSent.open() }
            await allSent.wait()
            return number <= 100
                ? .bytes(status: .tooManyRequests, fields: [.retryAfter: "1"]) : empty
        }
        let calls = (0..<100).map { _ in desk.call(Desk.retrying) }
        for call in calls { call.start() }
        for call in calls { await call.reach { if case .waiting = $0 { true } else { false } } }
        // A tenth of the wait is added at most.
        desk.clock.advance(by: .milliseconds(1_100))
        for call in calls { #expect(try await call.value == []) }
        #expect(sent.value == 200)
    }

    @Test(
        "of many that find a server in trouble, few are sent again",
        arguments: [
            (.tooManyRequests, [:]), (.tooManyRequests, [.retryAfter: "0"]),
            (.serviceUnavailable, [.retryAfter: "0"]),
        ] as [(HTTPResponse.Status, HTTPFields)])
    func troubled(_ status: HTTPResponse.Status, _ fields: HTTPFields) async {
        let desk = Desk { _ in .bytes(status: status, fields: fields) }
        var options = Desk.retrying
        options.retry?.backoff = Backoff(initial: .zero)
        for _ in 0..<50 { _ = await failure(desk.call(options)) }
        // The reserve, and a tenth of a retry for each call.
        #expect(desk.transport.requests.count <= 50 + 10 + 5)
    }

    @Test("waits as it would without a word of the server's, if that says not to wait at all")
    func noTimeToWait() async {
        let desk = Desk { _ in .bytes(status: .tooManyRequests, fields: [.retryAfter: "0"]) }
        let call = desk.call(Desk.retrying)
        let (states, start) = (call.states, desk.clock.date)
        call.start()
        let wait = await states.first { if case .waiting = $0 { true } else { false } }
        #expect(wait == .waiting(until: start.addingTimeInterval(1)))
        call.cancel()
    }

    @Test("ends when all of it takes too long")
    func totalTimeout() async {
        let desk = Desk { _ in .bytes(status: .serviceUnavailable) }
        var options = Desk.retrying
        options.timeouts = Timeouts(total: .milliseconds(1_500))
        let call = desk.call(options)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        desk.clock.advance(by: .milliseconds(1_500))
        #expect(await failure(call)?.reason == .timedOut(after: .milliseconds(1_500)))
    }
}

/// What does not keep an object.
private struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?

    init(_ object: Object) {
        self.object = object
    }
}

@Suite("An operation under control")
struct ControlTests {
    @Test("stops where it is and goes on from there, without being sent again")
    func suspends() async throws {
        let (arrived, gate, rest) = (Gate(), Gate(), Gate())
        let desk = Desk { _ in
            arrived.open()
            await gate.wait()
            return .chunks([Array(#"{"response":[]}"#.utf8)], after: rest)
        }
        let call = desk.call()
        #expect(call.toggle() == .running(attempt: 1))
        await arrived.wait()
        #expect(call.toggle() == .suspended)
        gate.open()
        #expect(call.toggle() == .running(attempt: 1))
        rest.open()
        #expect(try await call.value == [])
        #expect(call.toggle() == .succeeded)
        #expect(desk.transport.requests.count == 1)
    }

    @Test("that was stopped between two attempts goes on when the time of the next one has come")
    func stopsBetweenAttempts() async throws {
        let sent = Counter()
        let desk = Desk { _ in
            sent.next() == 1 ? .bytes(status: .serviceUnavailable) : empty
        }
        let call = desk.call(Desk.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        #expect(call.toggle() == .suspended)
        call.resume()
        #expect(call.state.description == "waiting until it may be sent")
        #expect(sent.value == 1)
        desk.clock.advance(by: .seconds(1))
        #expect(try await call.value == [])
        #expect(sent.value == 2)
        // Another thread may still have had to tell it when it went on.
        #expect(desk.log.text.contains("▶ users.get goes on"))
    }

    @Test("that is cancelled between two attempts ends as cancelled, not with an error")
    func cancelledBetweenAttempts() async {
        let desk = Desk { _ in .bytes(status: .serviceUnavailable) }
        let call = desk.call(Desk.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test("reads nothing of a reply while it is suspended")
    func readsNothing() async throws {
        let own = Mutex<OperationHandle?>(nil)
        let (read, isStarted) = (Counter(), Gate())
        let desk = Desk { _ in
            await isStarted.wait()
            let body = ReplyBody(length: nil) { () async throws(TransportError) in
                let number = read.next()
                if number == 1 { own.withLock { $0 }?.suspend() }
                return [Array(#"{"response""#.utf8), Array(":[]}".utf8), nil][number - 1]
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }
        let call = desk.call()
        own.withLock { $0 = call }
        call.start()
        isStarted.open()
        await until { call.live.withLock { $0.coldState?.heldAttempts.isEmpty == false } }
        #expect(read.value == 1)
        call.resume()
        #expect(try await call.value == [])
    }

    @Test("is refused at once if its request breaks rules, however many wait for their turn")
    func invalid() async throws {
        let gate = Gate()
        let desk = Desk { _ in
            await gate.wait()
            return empty
        }
        let only = CallOptions(queue: "one")
        let first = desk.call(only)
        first.start()
        let wrong = desk.manager.operation(
            UsersRequests.get(ids: ["1", "2", "3"]), options: only)
        #expect(await failure(wrong)?.phase == .build)
        #expect(desk.transport.requests.count <= 1 && first.state == .running(attempt: 1))
        gate.open()
        _ = try await first.value
    }

    @Test("gives its turn to another while it is suspended, and waits for one afterwards")
    func givesTurn() async throws {
        let gate = Gate()
        let desk = Desk { _ in
            await gate.wait()
            return empty
        }
        let only = CallOptions(queue: "one")
        let first = desk.call(only)
        let second = desk.call(only)
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

    @Test("is cancelled with all others of its owner, in whatever state, and with nobody else's")
    func owner() async throws {
        let gate = Gate()
        let desk = Desk { request in
            await gate.wait()
            return empty
        }
        let scope = OperationScope(desk.manager)
        let mine = (0..<5).map { _ in desk.call(CallOptions(owner: scope.owner)) }
        let theirs = desk.call(CallOptions(owner: OperationOwner("them"), tags: ["a"]))
        for call in mine.dropFirst() { call.start() }
        mine[1].suspend()
        theirs.start()
        scope.cancel()
        #expect(mine.map(\.state) == [.ready] + Array(repeating: .cancelled, count: 4))
        #expect(theirs.state == .running(attempt: 1))
        desk.manager.cancel(tag: "a")
        #expect(theirs.state == .cancelled)
    }

    @Test("ends with the life of its scope, and with the object that it belongs to")
    func scopes() async {
        let desk = Desk { _ in
            await Gate().wait()
            return empty
        }
        final class Screen: Sendable {
            let manager: APIManager<Tiny>
            init(_ manager: APIManager<Tiny>) { self.manager = manager }
            deinit { manager.cancel(owner: self) }
        }
        var scope: OperationScope? = OperationScope(desk.manager)
        let inner = scope?.child()
        var screen: Screen? = Screen(desk.manager)
        let calls = [
            desk.call(CallOptions(owner: scope?.owner)),
            desk.call(CallOptions(owner: screen.map { OperationOwner(of: $0) })),
            desk.call(CallOptions(owner: inner?.owner)),
        ]
        for call in calls { call.start() }
        scope?.cancel()
        #expect(calls.map(\.state) == [.cancelled, .running(attempt: 1), .cancelled])
        scope = nil
        screen = nil
        #expect(calls[1].state == .cancelled)
    }

    @Test("ends with a scope around its own that is gone, as with one that is cancelled")
    func scopesInScopes() async {
        let desk = Desk { _ in
            await Gate().wait()
            return empty
        }
        for isFreed in [false, true] {
            var outer: OperationScope? = OperationScope(desk.manager)
            let middle = outer?.child()
            let inner = middle?.child()
            let calls = [outer, middle, inner].map {
                desk.call(CallOptions(owner: $0?.owner))
            }
            for call in calls { call.start() }
            if isFreed { outer = nil } else { outer?.cancel() }
            #expect(calls.map(\.state) == [.cancelled, .cancelled, .cancelled])
            let later = desk.call(CallOptions(owner: inner?.owner))
            later.start()
            #expect(later.state == .running(attempt: 1))
            middle?.cancel()
            #expect(later.state == .cancelled)
        }
    }

    @Test("outlives a scope inside its own, and is cancelled with none beside it")
    func scopesBesideScopes() async {
        let desk = Desk { _ in
            await Gate().wait()
            return empty
        }
        let outer = OperationScope(desk.manager)
        var gone: OperationScope? = outer.child()
        let beside = outer.child()
        let calls = [outer, gone, beside].map { desk.call(CallOptions(owner: $0?.owner)) }
        for call in calls { call.start() }
        gone = nil
        #expect(
            calls.map(\.state) == [.running(attempt: 1), .cancelled, .running(attempt: 1)])
        let late = outer.child()
        let call = desk.call(CallOptions(owner: late.owner))
        call.start()
        outer.cancel()
        #expect((calls + [call]).allSatisfy { $0.state == .cancelled })
    }

    @Test("begins when those before it have succeeded, and fails if one has not")
    func dependencies() async throws {
        let gate = Gate()
        let desk = Desk { _ in
            await gate.wait()
            return empty
        }
        let first = desk.call()
        let second = desk.call(after: [first])
        let third = desk.call(after: [second, first])
        let lost = desk.call()
        let orphan = desk.call(after: [lost])
        for call in [third, second, first, orphan] { call.start() }
        #expect([second.state, third.state, orphan.state] == [.queued, .queued, .queued])
        gate.open()
        #expect(try await third.value == [])
        lost.cancel()
        await #expect(throws: OperationError.self) { try await orphan.value }
    }

    @Test("fails if nobody can start any more what it depends on, and says so")
    func lostDependency() async {
        let desk = Desk { _ in empty }
        let orphan = desk.call(after: [desk.call()])
        let error = await #expect(throws: OperationError.self) { try await orphan.value }
        #expect(error?.description.hasSuffix("which nobody can start any more") == true)
        #expect(error?.description.hasPrefix("users.get depends on users.get ") == true)
    }

    @Test("may be waited for by a thread, but not by one that tasks share")
    func blocking() async throws {
        let desk = Desk { _ in empty }
        let call = desk.call()
        func wait() throws -> [User] { try call.waitSync() }
        #expect(throws: BlockingError.self) { try wait() }
        let value = Mutex<[User]?>(nil)
        await withCheckedContinuation { done in
            desk.call().start { result in
                value.withLock { $0 = try? result.get() }
                done.resume()
            }
        }
        #expect(value.withLock { $0 } == [])
    }

    @Test(
        "tells its last state to those who read its states, also if somebody asks for them just then"
    )
    func lateReaders() async throws {
        let operation = Mutex<DataOperation<[User]>?>(nil)
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

    @Test("lets go of what it was made of once it has ended, whoever keeps it")
    func letsGo() async throws {
        final class Model: Sendable {}
        let desk = Desk { _ in empty }
        let (group, model) = {
            let model = Model()
            let group = desk.manager.group { _ in withExtendedLifetime(model) {} }
            return (group, Weak(model))
        }()
        #expect(model.object != nil)
        try await group.value
        await until { model.object == nil }
        #expect(group.state == .succeeded)
    }

    @Test("ends as cancelled if its own work cancels its task")
    func cancelsItself() async {
        let desk = Desk { _ in empty }
        let group = desk.manager.group { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            try Task.checkCancellation()
        }
        await #expect(throws: CancellationError.self) { try await group.value }
        #expect(group.state == .cancelled)
    }

    @Test("tells how it came to its value")
    func response() async throws {
        let desk = Desk { _ in .json(#"{"response":[]}"#, fields: [.eTag: "\"1\""]) }
        let response = try await desk.call().response
        #expect(response.value == [])
        #expect(response.head?.headerFields[.eTag] == "\"1\"")
        #expect(response.body == Array(#"{"response":[]}"#.utf8))
        #expect(response.attempts.map(\.status) == [200])
        #expect(response.metrics.total >= response.metrics.working)
    }
}

@Suite("A group")
struct GroupTests {
    @Test("runs its steps, and its value is what the body makes of theirs")
    func value() async throws {
        let desk = Desk { _ in empty }
        let group = desk.manager.group { group in
            async let first = group.run(desk.call())
            async let second = group.run(desk.call())
            return try await first.count + second.count
        }
        #expect(group.state == .ready)
        #expect(try await group.value == 0)
        #expect(desk.transport.requests.count == 2)
    }

    @Test("gives its owner, its priority and its tags to what its body makes, to any depth")
    func inheritance() async throws {
        let desk = Desk { _ in empty }
        let (mine, other) = (OperationOwner("mine"), OperationOwner("other"))
        let group = desk.manager.group(owner: mine, tags: ["a"], priority: .low) { group in
            let plain = desk.call()
            let own = desk.call(CallOptions(priority: .high, owner: other, tags: ["b"]))
            let inner = desk.manager.group { inner in
                let call = desk.call()
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
        #expect(desk.call().owner == nil)
        #expect(desk.call().priority == .normal)
    }

    @Test("does not run itself, nor what runs it or waits for its end")
    func circles() async throws {
        let desk = Desk { _ in empty }
        let own = Mutex<[GroupOperation<Void>]>([])
        @Sendable func group(_ number: Int) -> GroupOperation<Void> { own.withLock { $0[number] } }
        let (one, other) = (
            desk.manager.group("one") { try await $0.run(group(1)) },
            desk.manager.group("other") { try await $0.run(group(0)) }
        )
        let itself = desk.manager.group("itself") { try await $0.run(group(2)) }
        let late = desk.manager.group("late") { body in
            _ = try await body.run(desk.manager.operation(UsersRequests.ping(), after: [group(3)]))
        }
        own.withLock { $0 = [one, other, itself, late] }
        for group in [one, itself, late] {
            let error = await #expect(throws: OperationError.self) { try await group.value }
            #expect(error?.reason == .circle)
            #expect(error?.description.contains("cannot run in") == true)
        }
        own.withLock { $0 = [] }
        #expect(desk.transport.requests.isEmpty)
    }

    @Test("does not run what waits for the end of a group around it")
    func circleAround() async throws {
        let desk = Desk { _ in empty }
        let own = Mutex<(outer: GroupOperation<Void>, call: NetworkOperation<Void>)?>(nil)
        let inner = desk.manager.group("inner") { group in
            guard let call = own.withLock({ $0?.call }) else { return }
            try await group.run(call)
        }
        let middle = desk.manager.group("middle") { try await $0.run(inner) }
        let outer = desk.manager.group("outer") { try await $0.run(middle) }
        let call = desk.manager.operation(UsersRequests.ping(), after: [outer])
        own.withLock { $0 = (outer, call) }
        outer.start()
        // Should it wait, it would do so for ever.
        await until { outer.state.isTerminal || call.state == .queued }
        outer.cancel()
        let error = await #expect(throws: OperationError.self) { try await outer.value }
        #expect(error?.reason == .circle && call.state == .ready)
        own.withLock { $0 = nil }
    }

    @Test("runs what waits for the end of a group beside it")
    func noCircleBeside() async throws {
        let desk = Desk { _ in empty }
        let (arrived, gate) = (Gate(), Gate())
        let own = Mutex<NetworkOperation<Void>?>(nil)
        let inner = desk.manager.group("inner") { group in
            guard let call = own.withLock({ $0 }) else { return }
            try await group.run(call)
        }
        let before = desk.manager.group("before") { _ in
            arrived.open()
            await gate.wait()
        }
        own.withLock { $0 = desk.manager.operation(UsersRequests.ping(), after: [before]) }
        let outer = desk.manager.group("outer") { try await $0.run(inner) }
        before.start()
        await arrived.wait()
        outer.start()
        gate.open()
        try await outer.value
        own.withLock { $0 = nil }
    }

    @Test("does not run what runs it, though both begin at once", arguments: 0..<50)
    func racingCircles(_ round: Int) async throws {
        let desk = Desk { _ in empty }
        let own = Mutex<[GroupOperation<Void>]>([])
        @Sendable func group(_ number: Int) -> GroupOperation<Void> { own.withLock { $0[number] } }
        let (one, other) = (
            desk.manager.group("one") { try await $0.run(group(1)) },
            desk.manager.group("other") { try await $0.run(group(0)) }
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
        "that is cancelled cancels all that it runs, however deep, though nothing ever arrives")
    func cancels() async {
        let arrived = Counter()
        let all = Gate()
        let desk = Desk { _ in
            if arrived.next() == 16 { all.open() }
            await Gate().wait()
            return empty
        }
        @Sendable func tree(_ depth: Int) -> GroupOperation<Void> {
            desk.manager.group { group in
                if depth == 0 {
                    _ = try await group.run(desk.call())
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
        let calls = desk.manager.operations
        #expect(calls.count == 31 + 16)
        root.cancel()
        for call in calls { await call.reach { $0.isTerminal } }
        #expect(calls.allSatisfy { $0.state == .cancelled })
        await until { desk.manager.engine.isIdle }
    }

    @Test("ends with the first error, and cancels what else it runs")
    func firstError() async {
        let desk = Desk { request in
            if request.head.path?.contains("user_ids=1") == true {
                return .bytes(status: .notFound)
            }
            await Gate().wait()
            return empty
        }
        let slow = desk.manager.operation(UsersRequests.get(ids: ["2"]))
        let group = desk.manager.group { group in
            async let stuck = group.run(slow)
            let users = try await group.run(desk.call())
            return try await users + stuck
        }
        #expect(await failure(group)?.reason == .status(404))
        #expect(slow.state == .cancelled)
    }

    @Test("may go on after an error if it says so")
    func continues() async throws {
        let desk = Desk { _ in .bytes(status: .notFound) }
        let group = desk.manager.group { group in
            let result = try await group.attempt(desk.call())
            if case .failure(let error as APIError) = result { return error.status }
            return nil
        }
        #expect(try await group.value == 404)
    }

    @Test("that is suspended suspends what it runs, and begins nothing new")
    func suspends() async throws {
        let gate = Gate()
        let arrived = Gate()
        let desk = Desk { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let first = desk.call()
        let group = desk.manager.group { group in
            _ = try await group.run(first)
            return try await group.run(desk.call())
        }
        group.start()
        await arrived.wait()
        group.suspend()
        await first.reach { $0 == .suspended }
        gate.open()
        #expect(desk.transport.requests.count == 1)
        group.resume()
        #expect(try await group.value == [])
        #expect(desk.transport.requests.count == 2)
    }

    @Test("that is suspended between two steps begins the next when it goes on")
    func suspendedBetweenSteps() async throws {
        let desk = Desk { _ in empty }
        let (between, next) = (Gate(), Gate())
        let second = desk.call()
        let group = desk.manager.group { group in
            _ = try await group.run(desk.call())
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

    @Test("that is suspended while it begins a step suspends that one, too")
    func suspendedWithinStep() async throws {
        let desk = Desk { _ in
            await Gate().wait()
            return empty
        }
        let child = desk.call()
        let group = desk.manager.group { group in try await group.run(child) }
        let told = Counter()
        group.tracker.forward { [weak group] _ in if told.next() == 1 { group?.suspend() } }
        group.start()
        await group.reach { $0 == .suspended }
        await until { child.live.withLock { $0.isKnown } }
        await child.reach { $0 == .suspended }
        #expect(child.state == .suspended)
        group.cancel()
    }

    @Test("that is cancelled does not go on with the failure of what it tried")
    func cancelledAttempt() async {
        let (arrived, ended) = (Gate(), Gate())
        let desk = Desk { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        let wentOn = Mutex(false)
        let group = desk.manager.group { group in
            defer { ended.open() }
            _ = try await group.attempt(desk.call())
            wentOn.withLock { $0 = true }
        }
        group.start()
        await arrived.wait()
        group.cancel()
        await ended.wait()
        #expect(!wentOn.withLock { $0 })
    }

    @Test("shows steps of the same name apart")
    func equalSteps() async throws {
        let desk = Desk { _ in empty }
        let group = desk.manager.group { group in
            _ = try await group.run(desk.call())
            return try await group.run(desk.call())
        }
        let progress = group.progress
        _ = try await group.value
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.steps.map(\.label) == ["users.get", "users.get"])
    }

    @Test("shows its steps and how far each of them is")
    func progress() async throws {
        let desk = Desk { _ in empty }
        let group = desk.manager.group(steps: [.init("one"), .init("two", weight: 3)]) { group in
            _ = try await group.run(desk.call(), step: "one")
            desk.clock.advance(by: .seconds(1))
            return try await group.run(desk.call(), step: "two")
        }
        let progress = group.progress
        _ = try await group.value
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.fraction == 1)
        #expect(last?.steps.map(\.label) == ["one", "two"])
    }

    @Test("counts the bytes of all that it runs, and shows the steps of a group in it")
    func bytes() async throws {
        let desk = Desk { request in
            request.head.path?.contains("save") == true ? .json(#"{"response":"1"}"#) : empty
        }
        let group = desk.manager.group { group in
            let inner = desk.manager.group { group in
                _ = try await group.run(desk.call(), step: "one")
                return try await group.run(desk.call(), step: "two")
            }
            _ = try await group.run(inner, step: "both")
            desk.clock.advance(by: .seconds(1))
            return try await group.run(desk.call(), step: "three")
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

    @Test("is done when it has succeeded, whatever else was planned")
    func unusedSteps() async throws {
        let desk = Desk { _ in empty }
        let group = desk.manager.group(steps: [.init("one"), .init("two")]) { group in
            try await group.run(desk.call(), step: "one")
        }
        let progress = group.progress
        _ = try await group.value
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.fraction == 1)
    }
}
