import Foundation
import HTTPTypes
import Synchronization
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A call that shares the request of another")
struct RiderTests {
    private struct BrokenStore: CredentialStore {
        func read() async throws(CredentialStoreError) -> Credential? {
            throw CredentialStoreError(.read, "the keychain is locked")
        }

        func save(_ credential: Credential) async throws(CredentialStoreError) {}

        func clear() async throws(CredentialStoreError) {}
    }

    @Test("fails as any other if the credential cannot be read")
    func store() async throws {
        let transport = InMemoryTransport { _ in empty }
        let manager = APIManager<Tiny>(
            transport: transport, credentials: BrokenStore(),
            settings: EngineSettings(clock: .stopped))
        let alone = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        let shared = await failure(manager.operation(EngineRequests.shared(id: 1)))
        let problem = CredentialStoreError(.read, "the keychain is locked")
        #expect(shared?.reason == .credentialStore(problem) && shared?.phase == .auth)
        #expect(shared?.reason == alone?.reason)
        #expect(shared?.method == "shared" && shared?.api == alone?.api && shared?.attempts == 1)
        #expect(shared?.isRetryable == alone?.isRetryable)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "or makes its own needs no store that cannot be read if it shows nothing of the credential")
    func publicCall() async throws {
        let manager = APIManager<Tiny>(
            transport: InMemoryTransport { _ in empty }, credentials: BrokenStore(),
            settings: EngineSettings(clock: .stopped))
        try await manager.operation(UsersRequests.ping()).value
    }

    @Test("is refused for what is wrong with it before anybody reads a credential")
    func wrong() async {
        let manager = APIManager<Tiny>(
            transport: InMemoryTransport { _ in empty }, credentials: BrokenStore(),
            settings: EngineSettings(clock: .stopped))
        var request = RequestBuilder(Tiny.APIMethod.shared)
        request.header("X-Bad", "a\nb")
        let error = await failure(manager.operation(request.finish(UsersMapper.get)))
        #expect(error?.reason == .invalidRequest)
    }

    @Test("keeps to its own time, and leaves the others theirs")
    func time() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let desk = Desk { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        func call(_ total: Duration?) -> DataOperation<[User]> {
            desk.manager.operation(
                EngineRequests.shared(id: 1),
                options: CallOptions(timeouts: Timeouts(total: total)))
        }
        let calls = [call(.seconds(2)), call(nil), call(.seconds(5))]
        calls[0].start()
        await arrived.wait()
        for call in calls.dropFirst() { call.start() }
        await desk.subscribers(3)
        desk.clock.advance(by: .seconds(2))
        let error = await failure(calls[0])
        #expect(error?.reason == .timedOut(after: .seconds(2)) && error?.isRetryable == true)
        desk.clock.advance(by: .seconds(3))
        #expect(await failure(calls[2])?.reason == .timedOut(after: .seconds(5)))
        gate.open()
        #expect(try await calls[1].value == [])
        #expect(desk.transport.requests.count == 1)
    }

    /// A reply of two pieces, the second of which waits, as its end does.
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

    @Test("shows how far that is, to those who come late too")
    func progress() async throws {
        let (second, end) = (Gate(), Gate())
        let desk = Desk { _ in halves(second, end) }
        func call() -> DataOperation<[User]> {
            desk.manager.operation(EngineRequests.shared(id: 1))
        }
        func received(_ call: OperationHandle, _ count: Int) async -> Bool {
            await call.progress.contains { $0.received == count }
        }
        let (first, unseen, later) = (call(), call(), call())
        let progress = first.progress
        for call in [first, unseen] { call.start() }
        #expect(await progress.contains { $0.received == 4 })
        await desk.subscribers(2)
        // One that boards now gets what has been shown.
        async let late = received(later, 4)
        await until { later.isFollowed }
        later.start()
        #expect(await late)
        // One that is followed only now gets what comes.
        async let whole = received(unseen, 8)
        await until { unseen.isFollowed }
        desk.clock.advance(by: .seconds(1))
        second.open()
        #expect(await whole)
        end.open()
        for call in [first, unseen, later] { #expect(try await call.value == []) }
        #expect(desk.transport.requests.count == 1)
    }

    @Test("tells how the reply looked that it shares")
    func response() async throws {
        let desk = Desk { _ in .json(#"{"response":[]}"#, fields: [.eTag: "\"1\""]) }
        let response = try await desk.manager.operation(EngineRequests.shared(id: 1)).response
        #expect(response.head?.headerFields[.eTag] == "\"1\"")
        #expect(response.body == Array(#"{"response":[]}"#.utf8))
    }

    @Test("is stopped by its time if nobody else waits for the request")
    func lastOne() async throws {
        let arrived = Gate()
        let desk = Desk { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        let call = desk.manager.operation(
            EngineRequests.shared(id: 1),
            options: CallOptions(timeouts: Timeouts(total: .seconds(2))))
        call.start()
        await arrived.wait()
        desk.clock.advance(by: .seconds(2))
        #expect(await failure(call)?.reason == .timedOut(after: .seconds(2)))
        await until { desk.manager.engine.isIdle }
    }

    /// What a call brings along that knows no credential.
    private func coalescable<Output: Sendable>(
        _ make: @escaping @Sendable () -> NetworkOperation<Output>
    ) -> RequestCoalescer.CoalescableCall<Output> {
        RequestCoalescer.CoalescableCall(
            coalescingKey: { RequestCoalescer.CoalescingKey(request: "a") }, make: make,
            stored: { .success(nil) })
    }

    /// The requests that were made.
    private final class Made: Sendable {
        private let operations = Mutex<[NetworkOperation<Int>]>([])

        var all: [NetworkOperation<Int>] { operations.withLock { $0 } }

        /// One that never ends by itself.
        func endless() -> NetworkOperation<Int> {
            let operation = NetworkOperation<Int> {
                await Gate().wait()
                return 1
            }
            operations.withLock { $0.append(operation) }
            return operation
        }
    }

    @Test("asks for nothing if it has ended before it came to that")
    func endedFirst() async {
        let (sharedRequests, subscriber) = (RequestCoalescer(), NetworkOperation<Int> { 0 })
        let made = Made()
        let coalescable = coalescable { made.endless() }
        sharedRequests.join(subscriber, attempt: 1, coalescable)
        sharedRequests.leave(subscriber.id)
        sharedRequests.change(subscriber, attempt: 1, coalescable)
        #expect(made.all.map(\.state) == [.cancelled, .ready])
        await #expect(throws: CancellationError.self) {
            try await sharedRequests.value(AttemptContext(1, subscriber, start: .zero), coalescable)
        }
    }

    @Test("joins none that has failed already, though nobody has been told of it yet")
    func failedUntold() async {
        let sharedRequests = RequestCoalescer()
        let made = Made()
        let coalescable = coalescable { made.endless() }
        sharedRequests.join(NetworkOperation<Int> { 0 }, attempt: 1, coalescable)
        let first = made.all[0]
        // Somebody else is about to carry out what the engine decides.
        first.engine.state.withLock { $0.isPerforming = true }
        first.cancel()
        #expect(first.state == .cancelled && !first.hasOutcome)
        sharedRequests.join(NetworkOperation<Int> { 0 }, attempt: 1, coalescable)
        let second = made.all[1]
        #expect(second.state.isActive && second.state != .ready)
        first.engine.performAll(for: nil)
        second.cancel()
    }

    @Test("joins none that has failed already, though it is still looked into why")
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
        let manager = APIManager<Tiny>(
            transport: transport, credentials: .memory(Credential(token: secret)),
            settings: EngineSettings(
                clock: VirtualClock().runtimeClock, diagnosis: DiagnosisRules(probe: probe)))
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
        "shares no request whose reply becomes something else: nobody ends what another waits for")
    func otherType() async throws {
        let (arrived, gate) = (Counter(), Gate())
        let both = Gate()
        let desk = Desk { _ in
            if arrived.next() == 2 { both.open() }
            await gate.wait()
            return empty
        }
        func call() -> DataOperation<[User]> {
            desk.manager.operation(EngineRequests.shared(id: 1))
        }
        let (first, second) = (call(), call())
        first.start()
        second.start()
        await desk.subscribers(2)
        var builder = RequestBuilder(Tiny.APIMethod.shared)
        builder.query("id", 1)
        let raw: DataOperation<Data> = desk.manager.operation(builder.finishRaw())
        raw.start()
        await both.wait()
        first.cancel()
        gate.open()
        #expect(try await second.value == [])
        #expect(try await raw.value == Data(#"{"response":[]}"#.utf8))
        #expect(arrived.value == 2)
    }

    @Test("shares no request that is made in a way that it does not want")
    func otherManner() async throws {
        let (arrived, gate) = (Counter(), Gate())
        let desk = Desk { _ in
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
            desk.manager.operation(EngineRequests.shared(id: 1), options: wish)
        }
        for call in calls { call.start() }
        await desk.subscribers(7)
        gate.open()
        for call in calls { #expect(try await call.value == []) }
        #expect(arrived.value == 5)
    }

    /// An API one of whose methods has its own times.
    private enum Timed: APIDescription {
        struct Parameters: DefaultParameters {
            func apply(to request: inout RequestBuilder) {}
        }

        struct ErrorCode: OpenEnum {
            let rawValue: String
            init(rawValue: String) { self.rawValue = rawValue }
            static var allKnown: [ErrorCode] { [] }
        }

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

    @Test("shares none whose times result from other rules than its own would")
    func otherTimes() async throws {
        let (clock, gate) = (VirtualClock(), Gate())
        let transport = InMemoryTransport { _ in
            await gate.wait()
            return empty
        }
        let manager = APIManager<Timed>(
            transport: transport, settings: EngineSettings(clock: clock.runtimeClock))
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

    @Test("has the request sent as soon as the most urgent of those who share it wants")
    func urgent() async throws {
        let (begun, gate) = (Gate(), Gate())
        let desk = Desk { request in
            begun.open()
            await gate.wait()
            return empty
        }
        func call(_ id: Int, _ priority: CallPriority) -> DataOperation<[User]> {
            desk.manager.operation(
                EngineRequests.shared(id: id),
                options: CallOptions(queue: "one", priority: priority))
        }
        let calls = [
            call(0, .normal), call(1, .low), call(2, .normal), call(1, .normal), call(1, .high),
        ]
        calls[0].start()
        await begun.wait()
        for call in calls.dropFirst() { call.start() }
        await desk.subscribers(5)
        gate.open()
        for call in calls { #expect(try await call.value == []) }
        let sent = desk.transport.requests.compactMap { $0.head.path?.split(separator: "id=").last }
        #expect(sent.map { $0.prefix(1) } == ["0", "1", "2"])
    }

    @Test("waits in its queue among the others, in the order in which they were made")
    func orderInQueue() async throws {
        let (begun, gate) = (Gate(), Gate())
        let desk = Desk { _ in
            begun.open()
            await gate.wait()
            return empty
        }
        let options = CallOptions(queue: "one")
        let first = desk.call(options)
        let calls = (1...4).map { number in
            let isShared = number.isMultiple(of: 2)
            return desk.manager.operation(
                isShared
                    ? EngineRequests.shared(id: number)
                    : UsersRequests.get(ids: ["\(number)"]), options: options)
        }
        first.start()
        await begun.wait()
        for call in calls.reversed() { call.start() }
        await desk.subscribers(2)
        gate.open()
        for call in calls { #expect(try await call.value == []) }
        let sent = desk.transport.requests.dropFirst().compactMap { request in
            request.head.path?.firstMatch(of: /(?:user_ids|\bid)=(\d)/)?.1
        }
        #expect(sent == ["1", "2", "3", "4"])
    }

    @Test("has a request made urgent that whoever made it has yet to start")
    func urgentUnstarted() async throws {
        let (begun, gate) = (Gate(), Gate())
        let desk = Desk { request in
            begun.open()
            await gate.wait()
            return empty
        }
        @Sendable func call(_ id: String, _ priority: CallPriority) -> DataOperation<[User]> {
            desk.manager.operation(
                UsersRequests.get(ids: [id]),
                options: CallOptions(queue: "one", priority: priority))
        }
        let (first, second, shared) = (call("0", .low), call("1", .normal), call("2", .low))
        first.start()
        await begun.wait()
        second.start()
        let sharedRequests = RequestCoalescer()
        let (patient, urgent) = (NetworkOperation<Int> { 0 }, NetworkOperation<Int> { 0 })
        _ = sharedRequests.state.withLock { $0.join(patient.id, .init(request: "a"), shared) }
        let coalescable = coalescable { call("3", .high) }
        sharedRequests.join(urgent, attempt: 1, coalescable)
        await shared.reach { $0 == .queued }
        gate.open()
        for subscriber in [urgent, patient] {
            let context = AttemptContext(1, subscriber, start: .zero)
            #expect(try await sharedRequests.value(context, coalescable) == [])
        }
        #expect(try await second.value == [])
        let sent = desk.transport.requests.compactMap {
            $0.head.path?.split(separator: "user_ids=").last?.prefix(1)
        }
        #expect(sent == ["0", "2", "1"])
    }

    @Test("gets no reply that came before it was made, though another has still to be told of it")
    func ended() async throws {
        let sharedRequests = RequestCoalescer()
        // One that is held is told of the end when it goes on.
        let (held, other) = (NetworkOperation<Int> { 0 }, NetworkOperation<Int> { 0 })
        held.pause()
        let old = NetworkOperation<Int> { 1 }
        sharedRequests.join(held, attempt: 1, coalescable { old })
        held.unpause()
        #expect(try await old.value == 1)
        held.pause()
        let coalescable = coalescable { NetworkOperation<Int> { 2 } }
        sharedRequests.join(other, attempt: 1, coalescable)
        #expect(
            try await sharedRequests.value(AttemptContext(1, other, start: .zero), coalescable) == 2
        )
        held.unpause()
        #expect(
            try await sharedRequests.value(AttemptContext(1, held, start: .zero), coalescable) == 1)
    }
}

@Suite("The identity of a request")
struct IdentityTests {
    private func coalescingKey(_ build: (inout RequestBuilder) -> Void) -> String {
        var request = RequestBuilder(Tiny.APIMethod.usersSave)
        build(&request)
        return request.template.identity
    }

    @Test("differs wherever what is sent differs")
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

    @Test("is the same for equal requests")
    func equal() {
        func one() -> String { coalescingKey { $0.query("a", ["b", "c"], list: .brackets) } }
        #expect(one() == one())
    }
}
