import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@_spi(Engine) @testable import TelexScheduling

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A call that shares the request of another")
struct CoalescingTests {
    private struct BrokenStore: CredentialStore {
        func read() async throws(CredentialStoreError) -> Credential? {
            throw CredentialStoreError(.read, "the keychain is locked")
        }

        func save(_ credential: Credential) async throws(CredentialStoreError) {}

        func clear() async throws(CredentialStoreError) {}
    }

    @Test("a call that shares a request fails as any other call if the credential cannot be read")
    func store() async throws {
        let transport = InMemoryTransport { _ in empty }
        let manager = APIManager<TinyAPI>(transport: transport, credentials: BrokenStore()) {
            $0.settings.clock = .stopped
        }
        let alone = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        let shared = await failure(manager.operation(EngineRequests.shared(id: 1)))
        let problem = CredentialStoreError(.read, "the keychain is locked")
        #expect(shared?.reason == .credentialStore(problem) && shared?.phase == .auth)
        #expect(shared?.reason == alone?.reason)
        #expect(shared?.method == "shared" && shared?.api == alone?.api && shared?.attempts == 0)
        #expect(shared?.isRetryable == alone?.isRetryable)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "a sharing call reads no credential store if its request has nothing of the credential")
    func publicCall() async throws {
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in empty }, credentials: BrokenStore()
        ) { $0.settings.clock = .stopped }
        try await manager.operation(UsersRequests.ping()).value
    }

    @Test("a call that shares requests is refused for an invalid one before a credential is read")
    func wrong() async {
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in empty }, credentials: BrokenStore()
        ) { $0.settings.clock = .stopped }
        var request = RequestBuilder(TinyAPI.APIMethod.shared)
        request.header("X-Bad", "a\nb")
        let error = await failure(manager.operation(request.finish(UsersMapper.get)))
        #expect(error?.reason == .invalidRequest)
    }

    @Test("a call that shares a request keeps its own time-out, and leaves the others theirs")
    func time() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        func call(_ total: Duration?) -> DataOperation<[User]> {
            client.manager.operation(
                EngineRequests.shared(id: 1),
                options: CallOptions(timeouts: Timeouts(total: total)))
        }
        let calls = [call(.seconds(2)), call(nil), call(.seconds(5))]
        calls[0].start()
        await arrived.wait()
        for call in calls.dropFirst() { call.start() }
        await client.subscribers(3)
        client.clock.advance(by: .seconds(2))
        let error = await failure(calls[0])
        #expect(error?.reason == .timedOut(after: .seconds(2)) && error?.isRetryable == true)
        client.clock.advance(by: .seconds(3))
        #expect(await failure(calls[2])?.reason == .timedOut(after: .seconds(5)))
        gate.open()
        #expect(try await calls[1].value == [])
        #expect(client.transport.requests.count == 1)
    }

    /// A reply of two chunks; the second one and the end wait for gates.
    private func halves(_ second: Gate, _ end: Gate) -> TransportReply {
        let (pieces, body) = (Counter(), Array(#"{"response":[]}"#.utf8))
        let stream = ReplyBody(length: body.count) { () async throws(TransportError) in
            switch pieces.next() {
            case 1: return Array(body.prefix(4))
            case 2:
                await second.wait()
                return Array(body.dropFirst(4).prefix(4))
            case 3:
                await end.wait()
                return Array(body.dropFirst(8))
            default: return nil
            }
        }
        return TransportReply(head: HTTPResponse(status: .ok), body: stream)
    }

    @Test("a call that shares a request reports its progress, to late subscribers too")
    func progress() async throws {
        let (second, end) = (Gate(), Gate())
        let client = TestClient { _ in halves(second, end) }
        func call() -> DataOperation<[User]> {
            client.manager.operation(EngineRequests.shared(id: 1))
        }
        func received(_ call: OperationHandle, _ count: Int) async -> Bool {
            await call.progress.contains { $0.received == count }
        }
        let (first, unseen, later) = (call(), call(), call())
        let progress = first.progress
        for call in [first, unseen] { call.start() }
        #expect(await progress.contains { $0.received == 4 })
        await client.subscribers(2)
        // A call that joins now receives the last published progress.
        async let late = received(later, 4)
        await until { later.listeners.hasTracker }
        later.start()
        #expect(await late)
        // A call whose progress is observed only now receives the next values.
        async let whole = received(unseen, 8)
        await until { unseen.listeners.hasTracker }
        client.clock.advance(by: .seconds(1))
        second.open()
        #expect(await whole)
        end.open()
        for call in [first, unseen, later] { #expect(try await call.value == []) }
        #expect(client.transport.requests.count == 1)
    }

    @Test("a call that shares the request of another reports the head of the shared reply")
    func response() async throws {
        let client = TestClient { _ in .json(#"{"response":[]}"#, fields: [.eTag: "\"1\""]) }
        let response = try await client.manager.operation(EngineRequests.shared(id: 1)).response
        #expect(response.head?.headerFields[.eTag] == "\"1\"")
        #expect(response.body == Array(#"{"response":[]}"#.utf8))
    }

    @Test("a call that shares a request is cancelled by its time-out if no other waits for that")
    func lastOne() async throws {
        let arrived = Gate()
        let client = TestClient { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        let call = client.manager.operation(
            EngineRequests.shared(id: 1),
            options: CallOptions(timeouts: Timeouts(total: .seconds(2))))
        call.start()
        await arrived.wait()
        client.clock.advance(by: .seconds(2))
        #expect(await failure(call)?.reason == .timedOut(after: .seconds(2)))
        await until { client.manager.engine.isIdle }
    }

    /// Options of a call that belong to no credential.
    private func coalescable<Output: Sendable>(
        _ make: @escaping @Sendable () -> NetworkOperation<Output>
    ) -> RequestCoalescer.CoalescableCall<Output> {
        RequestCoalescer.CoalescableCall(
            coalescingKey: { RequestCoalescer.CoalescingKey(request: "a") }, make: make,
            stored: { .success(nil) })
    }

    /// The requests that arrived.
    private final class Made: Sendable {
        private let operations = Lock<[NetworkOperation<Int>]>([])

        var all: [NetworkOperation<Int>] { operations.withLock { $0 } }

        /// An operation that never ends by itself.
        func endless() -> NetworkOperation<Int> {
            let operation = NetworkOperation<Int> {
                await Gate().wait()
                return 1
            }
            operations.withLock { $0.append(operation) }
            return operation
        }
    }

    @Test("a call that shares a request sends nothing if it has ended before the request starts")
    func endedFirst() async {
        let (sharedRequests, subscriber) = (RequestCoalescer(), NetworkOperation<Int> { 0 })
        let made = Made()
        let coalescable = coalescable { made.endless() }
        sharedRequests.join(subscriber, attempt: 1, with: coalescable)
        sharedRequests.leave(subscriber.id)
        sharedRequests.move(subscriber, attempt: 1, with: coalescable)
        #expect(made.all.map(\.state) == [.cancelled, .ready])
        await #expect(throws: CancellationError.self) {
            try await sharedRequests.value(
                AttemptContext(1, of: subscriber, start: .zero), coalescable)
        }
    }

    @Test("a call does not join a request that has failed, though its subscribers do not know yet")
    func failedUntold() async {
        let sharedRequests = RequestCoalescer()
        let made = Made()
        let coalescable = coalescable { made.endless() }
        sharedRequests.join(NetworkOperation<Int> { 0 }, attempt: 1, with: coalescable)
        let first = made.all[0]
        // Another thread is about to perform the engine's actions.
        first.engine.state.withLock { $0.isPerforming = true }
        first.cancel()
        #expect(first.state == .cancelled && !first.hasOutcome)
        sharedRequests.join(NetworkOperation<Int> { 0 }, attempt: 1, with: coalescable)
        let second = made.all[1]
        #expect(second.state.isActive && second.state != .ready)
        first.engine.performAll(for: nil)
        second.cancel()
    }

    @Test("a call does not join a request that has failed, though it is still diagnosed")
    func failedExamined() async throws {
        let (sent, asked, gate) = (Counter(), Gate(), Gate())
        let probe = ReachabilityProbe(
            hasLink: { true }, resolves: { _ in true },
            connects: { _, _ in
                asked.open()
                await gate.wait()
                return false
            })
        let transport = InMemoryTransport { _ throws(TransportError) in
            if sent.next() == 1 { throw TransportError(.cannotConnect, "refused") }
            return empty
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: .memory(Credential(token: secret))
        ) {
            $0.settings.clock = VirtualClock().runtimeClock
            $0.settings.diagnosis = DiagnosisRules(probe: probe)
        }
        let calls = (0..<2).map { _ in manager.operation(EngineRequests.shared(id: 1)) }
        calls[0].start()
        await asked.wait()
        calls[1].start()
        await until { calls[1].live.withLock { $0.attempt == 1 } }
        gate.open()
        #expect(try await calls[1].value == [])
        #expect(await failure(calls[0])?.diagnosis?.broken == .connect)
        #expect(sent.value == 2)
    }

    @Test(
        "a call does not share a request whose reply becomes a file or a stream")
    func otherType() async throws {
        let (arrived, gate) = (Counter(), Gate())
        let both = Gate()
        let client = TestClient { _ in
            if arrived.next() == 2 { both.open() }
            await gate.wait()
            return empty
        }
        func call() -> DataOperation<[User]> {
            client.manager.operation(EngineRequests.shared(id: 1))
        }
        let (first, second) = (call(), call())
        first.start()
        second.start()
        await client.subscribers(2)
        var builder = RequestBuilder(TinyAPI.APIMethod.shared)
        builder.query("id", 1)
        let raw: DataOperation<Data> = client.manager.operation(builder.finishRaw())
        raw.start()
        await both.wait()
        first.cancel()
        gate.open()
        #expect(try await second.value == [])
        #expect(try await raw.value == Data(#"{"response":[]}"#.utf8))
        #expect(arrived.value == 2)
    }

    @Test("a call does not share a request whose options differ")
    func otherManner() async throws {
        let (arrived, gate) = (Counter(), Gate())
        let client = TestClient { _ in
            _ = arrived.next()
            await gate.wait()
            return empty
        }
        let overrides = [
            CallOptions(), CallOptions(retry: RetryPolicy()),
            CallOptions(owner: OperationOwner("a")),
            CallOptions(timeouts: Timeouts(silence: .seconds(15), attempt: .seconds(1))),
            CallOptions(
                timeouts: Timeouts(silence: .seconds(15), total: .seconds(9)), priority: .high,
                tags: ["b"]),
            CallOptions(queue: "one"), CallOptions(session: .ephemeral),
        ]
        let calls = overrides.map { wish in
            client.manager.operation(EngineRequests.shared(id: 1), options: wish)
        }
        for call in calls { call.start() }
        await client.subscribers(7)
        gate.open()
        for call in calls { #expect(try await call.value == []) }
        #expect(arrived.value == 5)
    }

    /// An API with a method that has its own time-outs.
    private enum Timed {
        enum APIMethod: String, CaseIterable, APIMethodName {
            case shared

            var endpoint: Endpoint {
                Endpoint(
                    .get, "shared",
                    timeouts: Timeouts(silence: .seconds(5), attempt: .seconds(10)),
                    operation: OperationRules(isCoalesced: true))
            }
        }

        static let definition = APIDefinition(
            name: "Timed", servers: [Server("main", "https://timed.test/")], retry: .never)
    }

    @Test("a call does not share a request whose effective time-outs differ")
    func otherTimes() async throws {
        let (clock, gate) = (VirtualClock(), Gate())
        let transport = InMemoryTransport { _ in
            await gate.wait()
            return empty
        }
        let manager = TestAPI.manager(Timed.definition, transport: transport) {
            $0.settings.clock = clock.runtimeClock
        }
        let overrides = [
            nil, Timeouts(total: .seconds(300)),
            Timeouts(silence: .seconds(5), attempt: .seconds(10), total: .seconds(300)),
            Timeouts(silence: .seconds(9), attempt: .seconds(10)),
        ]
        let calls = overrides.map { timeouts in
            manager.operation(
                RequestBuilder(Timed.APIMethod.shared).finishEmpty(),
                options: CallOptions(timeouts: timeouts))
        }
        for call in calls { call.start() }
        await until {
            let shared = manager.engine.state.withLock { $0.operations.values }
                .filter(\.isShared)
            return shared.reduce(0) { $0 + $1.live.withLock { $0.waiters.count } } == 4
        }
        gate.open()
        for call in calls { try await call.value }
        #expect(transport.requests.count == 3)
    }

    @Test("a call that shares a request raises it to the highest priority of its subscribers")
    func urgent() async throws {
        let (begun, gate) = (Gate(), Gate())
        let client = TestClient { request in
            begun.open()
            await gate.wait()
            return empty
        }
        func call(_ id: Int, _ priority: CallPriority) -> DataOperation<[User]> {
            client.manager.operation(
                EngineRequests.shared(id: id),
                options: CallOptions(queue: "one", priority: priority))
        }
        let calls = [
            call(0, .normal), call(1, .low), call(2, .normal), call(1, .normal), call(1, .high),
        ]
        calls[0].start()
        await begun.wait()
        for call in calls.dropFirst() { call.start() }
        await client.subscribers(5)
        gate.open()
        for call in calls { #expect(try await call.value == []) }
        let sent = client.transport.requests.compactMap {
            $0.head.path?.split(separator: "id=").last
        }
        #expect(sent.map { $0.prefix(1) } == ["0", "1", "2"])
    }

    @Test("a call that shares a request waits in its queue among others, in the order of creation")
    func orderInQueue() async throws {
        let (begun, gate) = (Gate(), Gate())
        let client = TestClient { _ in
            begun.open()
            await gate.wait()
            return empty
        }
        let options = CallOptions(queue: "one")
        let first = client.call(options)
        let calls = (1...4).map { number in
            let isShared = number.isMultiple(of: 2)
            return client.manager.operation(
                isShared
                    ? EngineRequests.shared(id: number)
                    : UsersRequests.get(ids: ["\(number)"]), options: options)
        }
        first.start()
        await begun.wait()
        for call in calls.reversed() { call.start() }
        await client.subscribers(2)
        gate.open()
        for call in calls { #expect(try await call.value == []) }
        let sent = client.transport.requests.dropFirst().compactMap { request in
            request.head.path?.firstMatch(of: /(?:user_ids|\bid)=(\d)/)?.1
        }
        #expect(sent == ["1", "2", "3", "4"])
    }

    @Test("a call raises the priority of a shared request whose first call has not started yet")
    func urgentUnstarted() async throws {
        let (begun, gate) = (Gate(), Gate())
        let client = TestClient { request in
            begun.open()
            await gate.wait()
            return empty
        }
        @Sendable func call(_ id: String, _ priority: CallPriority) -> DataOperation<[User]> {
            client.manager.operation(
                UsersRequests.get(ids: [id]),
                options: CallOptions(queue: "one", priority: priority))
        }
        let (first, second, shared) = (call("0", .low), call("1", .normal), call("2", .low))
        first.start()
        await begun.wait()
        second.start()
        let sharedRequests = RequestCoalescer()
        let (patient, urgent) = (NetworkOperation<Int> { 0 }, NetworkOperation<Int> { 0 })
        _ = sharedRequests.state.withLock {
            $0.join(patient.id, key: .init(request: "a"), newRequest: shared)
        }
        let coalescable = coalescable { call("3", .high) }
        sharedRequests.join(urgent, attempt: 1, with: coalescable)
        await shared.reach { $0 == .queued }
        gate.open()
        for subscriber in [urgent, patient] {
            let context = AttemptContext(1, of: subscriber, start: .zero)
            #expect(try await sharedRequests.value(context, coalescable) == [])
        }
        #expect(try await second.value == [])
        let sent = client.transport.requests.compactMap {
            $0.head.path?.split(separator: "user_ids=").last?.prefix(1)
        }
        #expect(sent == ["0", "2", "1"])
    }

    @Test(
        "a call gets no reply from before it was made, though another call still waits for that"
    )
    func ended() async throws {
        let sharedRequests = RequestCoalescer()
        // A suspended call learns of the end when it resumes.
        let (held, other) = (NetworkOperation<Int> { 0 }, NetworkOperation<Int> { 0 })
        held.pause()
        let old = NetworkOperation<Int> { 1 }
        sharedRequests.join(held, attempt: 1, with: coalescable { old })
        held.unpause()
        #expect(try await old.value == 1)
        held.pause()
        let coalescable = coalescable { NetworkOperation<Int> { 2 } }
        sharedRequests.join(other, attempt: 1, with: coalescable)
        #expect(
            try await sharedRequests.value(AttemptContext(1, of: other, start: .zero), coalescable)
                == 2
        )
        held.unpause()
        #expect(
            try await sharedRequests.value(AttemptContext(1, of: held, start: .zero), coalescable)
                == 1)
    }
}

@Suite("The coalescing key of a request")
struct RequestIdentityTests {
    private func coalescingKey(_ build: (inout RequestBuilder) -> Void) -> String {
        var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
        build(&request)
        return request.template.identity
    }

    @Test("the coalescing key of a request differs wherever what is sent differs")
    func differs() {
        let all = [
            coalescingKey { $0.query("a", ["b,c"]) },
            coalescingKey { $0.query("a", ["b", "c"]) },
            coalescingKey { $0.query("a", ["b", "c"], list: .joined(",")) },
            coalescingKey { $0.query("a", "b\u{0}c") },
            coalescingKey { $0.query("a", "b") },
            coalescingKey { $0.header("a", "b") },
            coalescingKey { $0.form("a", "b") },
            coalescingKey {
                $0.query("a", "b")
                $0.query("c", "d")
            },
            coalescingKey { $0.query("a", "b1:c1:d") },
            coalescingKey { $0.query("a", "") },
            coalescingKey { $0.query("a", [String]()) },
        ]
        #expect(Set(all).count == all.count)
    }

    @Test("the coalescing key of a request is the same for equal requests")
    func equal() {
        func one() -> String { coalescingKey { $0.query("a", ["b", "c"], list: .brackets) } }
        #expect(one() == one())
    }
}
