import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

extension OperationState {
    fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

@Suite("A suspended operation")
struct SuspendedOperationTests {
    @Test("a suspended operation is not resumed by its waiters")
    func awaited() async throws {
        let client = TestClient { _ in empty }
        let before = client.call()
        let gate = Gate()
        let first = client.manager.group { group in
            await gate.wait()
            return try await group.run(before)
        }
        first.start()
        let late = client.call(after: [first])
        late.start()
        late.suspend()
        async let value = late.value
        let group = client.manager.group { group in try await group.run(late) }
        group.start()
        gate.open()
        _ = try await first.value
        #expect(late.state == .suspended)
        late.resume()
        #expect(try await value == [])
        #expect(try await group.value == [])
    }

    @Test("a suspended operation has no value before it resumes, even if its request is shared")
    func shared() async throws {
        let gate = Gate()
        let client = TestClient { _ in
            await gate.wait()
            return empty
        }
        let calls = (0..<2).map { _ in client.manager.operation(EngineRequests.shared(id: 1)) }
        for call in calls { call.start() }
        await client.subscribers(2)
        calls[0].suspend()
        gate.open()
        #expect(try await calls[1].value == [])
        #expect(calls[0].state == .suspended)
        // The kept reply does not serve later calls either.
        _ = try await client.manager.operation(EngineRequests.shared(id: 1)).value
        #expect(client.transport.requests.count == 2)
        calls[0].resume()
        #expect(try await calls[0].value == [])
    }

    @Test("a suspended operation has no value before it resumes, even if its reply was being read")
    func suspendedAtTheEnd() async throws {
        let own = Lock<OperationHandle?>(nil)
        let isStarted = Gate()
        let client = TestClient { _ in
            await isStarted.wait()
            return empty
        }
        let call = client.manager.operation(
            RequestBuilder(TinyAPI.APIMethod.usersGet).finish { json -> [User]? in
                own.withLock { $0 }?.suspend()
                return UsersMapper.get(&json)
            })
        own.withLock { $0 = call }
        call.start()
        isStarted.open()
        await until {
            call.state.isTerminal
                || call.live.withLock { $0.coldState?.heldAttempts.isEmpty == false }
        }
        #expect(call.state == .suspended)
        call.resume()
        #expect(try await call.value == [])
    }

    @Test("a suspended operation keeps its only attempt, however long it is suspended")
    func onlyAttempt() async throws {
        let options = CallOptions(timeouts: Timeouts(attempt: .seconds(1)))
        try await hold {
            $0.operation(UsersRequests.save(name: "a", password: "secret"), options: options)
        }
        var once = options
        once.retry = .never
        try await hold { $0.operation(UsersRequests.ping(), options: once) }
    }

    private func hold<Output>(
        _ make: (APIManager<TinyAPI>) -> NetworkOperation<Output>
    ) async throws {
        let gate = Gate()
        let arrived = Gate()
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return .json("{}")
        }
        let call = make(client.manager)
        call.start()
        await arrived.wait()
        call.suspend()
        client.pass(.seconds(1))
        gate.open()
        call.resume()
        _ = try await call.value
        #expect(client.transport.requests.count == 1)
    }
}

@Suite("A call that exceeds its time-out")
struct CallDeadlineTests {
    /// A server that never replies, and the arrival of the first request.
    private func silent() -> (client: TestClient, arrived: Gate) {
        let arrived = Gate()
        let client = TestClient { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        return (client, arrived)
    }

    private func options(
        _ timeouts: Timeouts, _ backoff: Duration = .seconds(1)
    ) -> CallOptions {
        CallOptions(
            timeouts: timeouts, retry: RetryPolicy(backoff: Backoff(initial: backoff, jitter: 0)))
    }

    @Test("a timed-out call is not declared safe to repeat if its request may have had an effect")
    func unsafe() async {
        let (client, arrived) = silent()
        let post = client.manager.operation(
            UsersRequests.save(name: "a", password: "secret"),
            options: options(Timeouts(total: .seconds(2))))
        post.start()
        await arrived.wait()
        client.clock.advance(by: .seconds(2))
        let error = await failure(post)
        #expect(error?.reason == .timedOut(after: .seconds(2)))
        #expect(error?.isRetryable == false && error?.attempts == 1 && error?.phase == .send)
        #expect(error?.fault == .network)
        #expect(error?.description.contains("may be tried again") == false)
    }

    @Test(
        "a timed-out call reports its last phase, and not that of an attempt stopped before")
    func stoppedBefore() async {
        let (client, arrived) = silent()
        let call = client.call(
            options(Timeouts(attempt: .seconds(1), total: .seconds(5)), .seconds(3)))
        call.start()
        await arrived.wait()
        client.pass(.seconds(1))
        #expect(call.state.isWaiting)
        call.suspend()
        client.pass(.seconds(4))
        let error = await failure(call)
        #expect(error?.reason == .timedOut(after: .seconds(5)))
        #expect(error?.phase == .queue && error?.status == nil)
    }

    @Test("a call is not repeated after an attempt time-out if its retry policy excludes that")
    func unwanted() async {
        let (client, arrived) = silent()
        let call = client.call(
            CallOptions(
                timeouts: Timeouts(attempt: .seconds(1)),
                retry: RetryPolicy(on: [.status(429...429)])))
        call.start()
        await arrived.wait()
        client.pass(.seconds(1))
        #expect(await failure(call)?.reason == .attemptTimedOut(after: .seconds(1)))
        #expect(call.attempts.count == 1)
    }

    @Test("a call that exceeds its time-out reports the head of an incomplete reply")
    func begun() async {
        let arrived = Gate()
        let client = TestClient { _ in
            let body = ReplyBody(length: 9) { () async throws(TransportError) in
                arrived.open()
                await Gate().wait()
                return nil
            }
            return TransportReply(head: HTTPResponse(status: .accepted), body: body)
        }
        let call = client.call(options(Timeouts(total: .seconds(2))))
        call.start()
        await arrived.wait()
        client.clock.advance(by: .seconds(2))
        let error = await failure(call)
        #expect(error?.phase == .receive && error?.status == 202)
        #expect(call.attempts.map(\.status) == [202])
    }

    @Test("a call that exceeds its time-out reports its attempts, and their errors")
    func earlier() async {
        let sent = Counter()
        let arrived = Gate()
        let client = TestClient { _ in
            guard sent.next() > 1 else { return .bytes(status: .serviceUnavailable) }
            arrived.open()
            await Gate().wait()
            return empty
        }
        let call = client.call(options(Timeouts(total: .seconds(3))))
        call.start()
        await call.reach(\.isWaiting)
        client.clock.advance(by: .seconds(1))
        await arrived.wait()
        client.clock.advance(by: .seconds(2))
        let error = await failure(call)
        #expect(error?.reason == .timedOut(after: .seconds(3)) && error?.attempts == 2)
        #expect((error?.cause as? APIError)?.status == 503)
        #expect(
            error?.description == """
                `users.get` of Tiny failed: it took longer than 3.0 seconds; it may be tried again \
                (after 2 attempts; an earlier attempt failed: status 503)
                """)
    }

    @Test("a timed-out call tells if an attempt timed out, or the call before anything was sent")
    func kinds() async {
        let (client, arrived) = silent()
        var once = options(Timeouts(attempt: .seconds(1)))
        once.queue = "one"
        once.retry = RetryPolicy.never
        let attempt = client.call(once)
        var behind = options(Timeouts(total: .milliseconds(500)))
        behind.queue = "one"
        let waiting = client.call(behind)
        #expect(waiting.queue == "one" && client.call().queue == nil)
        attempt.start()
        waiting.start()
        await arrived.wait()
        client.clock.advance(by: .milliseconds(500))
        let error = await failure(waiting)
        #expect(error?.phase == .queue && error?.attempts == 0 && error?.isRetryable == true)
        #expect(error?.fault == .caller)
        client.clock.advance(by: .milliseconds(500))
        #expect(await failure(attempt)?.reason == .attemptTimedOut(after: .seconds(1)))
    }

    @Test("a call fails at once with the server's reply if its deadline precedes the next attempt")
    func pointless() async {
        let client = TestClient { _ in
            .bytes(status: .serviceUnavailable, fields: [.retryAfter: "3600"])
        }
        let error = await failure(client.call(options(Timeouts(total: .seconds(60)))))
        #expect(error?.status == 503 && error?.retryAfter == .seconds(3_600))
        #expect(error?.attempts == 1)
        #expect(
            client.log.text.contains(
                "is not retried, because its deadline comes before the next attempt"))
    }

    @Test("a call that exceeds its time-out has unlimited attempts as a download that continues")
    func download() async throws {
        let document = ServedDocument(bytes: Array(0..<9))
        let client = TestClient { request in
            let (head, body) = document.answer(request.head.headerFields)
            return .chunks(
                [Array(body.prefix(1))], length: body.count, after: body.count > 1 ? Gate() : nil,
                status: head.status, fields: head.headerFields)
        }
        try await withFile { path async throws -> Void in
            let download = client.manager.operation(
                EngineRequests.download(id: 1, to: path),
                options: options(Timeouts(attempt: .seconds(1))))
            let progress = download.progress
            download.start()
            var last = 0
            for await step in progress where step.received > last {
                last = step.received
                guard last < 9 else { break }
                client.clock.advance(by: .seconds(1))
                await download.reach(\.isWaiting)
                client.clock.advance(by: .seconds(1))
            }
            #expect(try await download.value.bytes == 9)
            #expect(try DiskFile.read(path) == document.bytes)
            #expect(client.transport.requests.count == 9)
        }
    }

    @Test("a call of a group that exceeds its time-out reports its name")
    func group() async {
        let client = TestClient { _ in empty }
        let started = Gate()
        let group = client.manager.group("screen", timeout: .seconds(1)) { _ in
            started.open()
            await Gate().wait()
        }
        group.start()
        await started.wait()
        client.clock.advance(by: .seconds(1))
        let error = await #expect(throws: OperationError.self) { try await group.value }
        #expect(error?.reason == .timedOut(after: .seconds(1)))
        #expect(error?.description == "`screen` took longer than 1.0 seconds")
    }
}

@Suite("A call that cannot succeed")
struct DoomedCallTests {
    @Test("a call that cannot succeed is not repeated after a 503 that does not exclude an effect")
    func bare503() async {
        for fields in [[:], [.retryAfter: "0"]] as [HTTPFields] {
            let client = TestClient { _ in .bytes(status: .serviceUnavailable, fields: fields) }
            let quick = RetryPolicy(backoff: Backoff(initial: .zero))
            let post = client.manager.operation(
                UsersRequests.save(name: "a", password: "secret"),
                options: CallOptions(retry: quick))
            #expect(await failure(post)?.attempts == 1)
        }
    }

    @Test("a call that cannot succeed is refused for an unknown queue")
    func queue() async {
        let client = TestClient { _ in empty }
        let error = await failure(client.call(CallOptions(queue: "On")))
        #expect(error?.reason == .invalidRequest)
        #expect(error?.description.contains("`On`") == true)
        #expect(error?.localizedDescription == error?.description)
        #expect(client.transport.requests.isEmpty)
    }

    @Test("a call that cannot succeed reads no credential if it is refused before it is sent")
    func needsNoCredential() async {
        final class Asked: CredentialStore {
            let count = Counter()

            func read() async throws(CredentialStoreError) -> Credential? {
                _ = count.next()
                return nil
            }

            func save(_ credential: Credential) async throws(CredentialStoreError) {}

            func clear() async throws(CredentialStoreError) {}
        }
        let store = Asked()
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in empty }, credentials: store
        ) { $0.settings.clock = .stopped }
        let wrong = manager.operation(UsersRequests.get(ids: ["1", "2", "3"]))
        #expect(await failure(wrong)?.reason == .invalidRequest)
        #expect(store.count.value == 0)
    }

    @Test("a call with several prerequisites reports the error of the first that failed")
    func dependencies() async {
        let client = TestClient { _ in .bytes(status: .notFound) }
        let (first, other) = (client.call(), client.call())
        let call = client.call(after: [first, other])
        _ = await failure(other)
        first.cancel()
        let error = await #expect(throws: OperationError.self) { try await call.value }
        #expect((error?.cause as? APIError)?.status == 404)
    }

    @Test("a call with a prerequisite reports the error of that one")
    func dependency() async {
        let client = TestClient { _ in .bytes(status: .notFound) }
        let first = client.call()
        let second = client.call(after: [first])
        first.start()
        let error = await #expect(throws: OperationError.self) { try await second.value }
        #expect(error?.reason == .dependency)
        #expect((error?.cause as? APIError)?.status == 404)
    }

    @Test("a call that cannot succeed asks for no log-in if the server's failure is temporary")
    func refresh() async {
        let transport = InMemoryTransport { _ in
            .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
        }
        func error(_ problem: CredentialError) async -> APIError? {
            let manager = APIManager<TinyAPI>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: "t"))
            ) {
                $0.refresher = .app { _ in throw problem }
                $0.settings.clock = .stopped
            }
            return await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        }
        let busy = await error(CredentialError(.status(503), "the token server is busy"))
        #expect(busy?.isRetryable == true && busy?.fault == .server)
        #expect(
            busy?.description.contains("is busy; it may be tried again") == true)
        let over = await error(CredentialError(.refused(.invalidGrant), "it is over; log in again"))
        #expect(over?.isRetryable == false && over?.fault == .caller)
        #expect(over?.description.components(separatedBy: "log in again").count == 2)
        let gone = await error(CredentialError(.nothingToRefresh, "there is no token; log in"))
        #expect(gone?.needsLogin == true)
        #expect(gone?.description.components(separatedBy: "log in").count == 2)
        let proxies: [CredentialError.Reason] = [
            .status(403), .malformedReply, .redirected(status: 302),
        ]
        for reason in proxies {
            let blocked = await error(CredentialError(reason, "somebody between said no"))
            #expect(blocked?.needsLogin == false && blocked?.fault == .server)
            #expect(blocked?.description.contains("log in") == false)
        }
    }
}
