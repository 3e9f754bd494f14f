import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A call that fails temporarily")
struct RetryTests {
    @Test("a call that fails temporarily is repeated with growing delays, and reports why")
    func backsOff() async throws {
        let sent = Counter()
        let client = TestClient { _ in sent.next() < 3 ? .bytes(status: .serviceUnavailable) : empty
        }
        let call = client.call(TestClient.retrying)
        call.start()
        for _ in 0..<2 {
            await client.clock.waitForSleepers(1)
            #expect(call.state.description == "waiting until it may be sent")
            client.clock.advanceToNextDeadline()
        }
        #expect(try await call.value == [])
        #expect(client.clock.now == .seconds(3))
        #expect(
            client.log.text.contains("↻ users.get is retried in 1.0 seconds, because status 503")
        )
        #expect(client.log.text.contains("in 2.0 seconds"))
    }

    @Test("a failed call waits as long as asked or a little longer, as do other calls to the host")
    func retryAfter() async throws {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() == 1
                ? .bytes(status: .tooManyRequests, fields: [.retryAfter: "30"]) : empty
        }
        let call = client.call(TestClient.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        let other = client.call()
        other.start()
        #expect(other.state == .queued)
        await client.clock.waitForSleepers(1)
        client.clock.advance(by: .seconds(30))
        #expect(try await other.value == [])
        client.clock.advance(by: .seconds(1))
        #expect(try await call.value == [])
        #expect(sent.value == 3)
    }

    @Test(
        "a failed call and its host wait as long as the body asks, which precedes a field",
        arguments: ["1", "60"])
    func retryAfterInBody(field: String) async throws {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() == 1
                ? .json(
                    #"{"error":{"error_code":9,"retry_after":2.5}}"#, status: .tooManyRequests,
                    fields: [.retryAfter: field]) : empty
        }
        let call = client.call(TestClient.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        await client.clock.waitForSleepers(1)
        client.clock.advance(by: .seconds(1.5))
        let other = client.call()
        other.start()
        #expect(other.state == .queued)
        client.clock.advance(by: .seconds(1))
        #expect(try await other.value == [])
        client.clock.advance(by: .seconds(1))
        #expect(try await call.value == [])
        #expect(client.log.text.contains("its host is paused for 2.5 seconds"))
    }

    @Test("a failed call and its host wait as long as a field asks if the body has no delay")
    func noRetryAfterInBody() async throws {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() == 1
                ? .json(
                    #"{"error":{"error_code":9,"retry_after":0}}"#, status: .tooManyRequests,
                    fields: [.retryAfter: "30"]) : empty
        }
        let call = client.call(TestClient.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        #expect(call.attempts.first.map { ($0.error as? APIError)?.retryAfter } == .seconds(30))
        #expect(client.log.text.contains("its host is paused for 30.0 seconds"))
        await client.clock.waitForSleepers(1)
        client.clock.advance(by: .seconds(31))
        #expect(try await call.value == [])
    }

    @Test("a failed call pauses its host as long as a field asks if the body breaks off")
    func retryAfterOfBrokenBody() async throws {
        let client = TestClient { _ in
            .chunks(
                [[0x7B]], length: 9, then: TransportError(.connectionLost, "it broke off"),
                status: .serviceUnavailable, fields: [.retryAfter: "30"])
        }
        _ = await failure(client.call(CallOptions(retry: .never)))
        #expect(client.log.text.contains("its host is paused for 30.0 seconds"))
    }

    @Test("a failed call waits as long as the body of a 200 with a retryable code asks")
    func retryAfterInside200() async throws {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() == 1
                ? .json(#"{"error":{"error_code":6,"retry_after":"40"}}"#) : empty
        }
        let call = client.call(TestClient.retrying)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        #expect(client.log.text.contains("is retried in 40"))
        // The rest of the API is not paused.
        #expect(try await client.call().value == [])
        await client.clock.waitForSleepers(1)
        client.clock.advance(by: .seconds(41))
        #expect(try await call.value == [])
    }

    @Test(
        "a call that fails temporarily does not pause a host that replies with remaining calls",
        arguments: [
            ["X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "30"],
            ["X-RateLimit-Remaining": "5", "Retry-After": "30"],
        ])
    func hints(_ names: [String: String]) async throws {
        var fields: HTTPFields = [:]
        for (name, value) in names { fields[try #require(HTTPField.Name(name))] = value }
        let client = TestClient { [fields] _ in .json(#"{"response":[]}"#, fields: fields) }
        #expect(try await client.call().value == [])
        let next = client.call()
        next.start()
        #expect(next.state != .queued)
        #expect(try await next.value == [])
    }

    @Test("a call that fails temporarily fails after its maximum number of attempts")
    func givesUp() async {
        let client = TestClient { _ in .bytes(status: .serviceUnavailable) }
        let call = client.call(TestClient.retrying)
        call.start()
        for _ in 0..<2 {
            await client.clock.waitForSleepers(1)
            client.clock.advanceToNextDeadline()
        }
        let error = await failure(call)
        #expect(error?.reason == .status(503))
        #expect(error?.attempts == 3)
        #expect(call.attempts.map(\.status) == [503, 503, 503])
    }

    @Test("a failed call is repeated after any status that its policy names, if that is safe")
    func namedAnswers() async throws {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() < 3
                ? .json(#"{"error":{"error_code":77}}"#, status: .conflict)
                : .json(#"{"response":[]}"#)
        }
        let named = RetryPolicy(on: [.code("77")], backoff: Backoff(initial: .zero))
        #expect(try await client.call(CallOptions(retry: named)).value == [])
        #expect(sent.value == 3)
        let post = TestClient { _ in .json(#"{"error":{"error_code":77}}"#, status: .conflict) }
        let error = await failure(
            post.manager.operation(
                UsersRequests.save(name: "a", password: "secret"),
                options: CallOptions(retry: named)))
        #expect(error?.attempts == 1 && post.transport.requests.count == 1)
    }

    @Test("a call that fails temporarily is not repeated if that is unsafe")
    func notIdempotent() async {
        let client = TestClient { _ throws(TransportError) in
            throw TransportError(.connectionLost, "x")
        }
        let call = client.manager.operation(
            UsersRequests.save(name: "a", password: "secret"), options: TestClient.retrying)
        let error = await failure(call)
        #expect(error?.attempts == 1)
        #expect(client.transport.requests.count == 1)
    }

    @Test("a failed call is limited by the retry budget: 1.1 requests per call in the long run")
    func budget() async {
        let client = TestClient { _ in .bytes(status: .serviceUnavailable) }
        var options = TestClient.retrying
        options.retry?.backoff = Backoff(initial: .zero)
        for _ in 0..<200 { _ = await failure(client.call(options)) }
        let before = client.transport.requests.count
        for _ in 0..<1_000 { _ = await failure(client.call(options)) }
        #expect(client.transport.requests.count - before <= 1_100)
    }

    @Test("a call among many that a server defers is not limited by the retry budget")
    func turnedAway() async throws {
        let (sent, allSent) = (Counter(), Gate())
        let client = TestClient { _ in
            let number = sent.next()
            if number == 100 { allSent.open() }
            await allSent.wait()
            return number <= 100
                ? .bytes(status: .tooManyRequests, fields: [.retryAfter: "1"]) : empty
        }
        let calls = (0..<100).map { _ in client.call(TestClient.retrying) }
        for call in calls { call.start() }
        // After the first calls of a burst, the next ones follow without their replies.
        for call in calls {
            client.pass(.milliseconds(25))
            await call.reach { if case .running = $0 { true } else { false } }
        }
        for call in calls { await call.reach { if case .waiting = $0 { true } else { false } } }
        // The server limits their rate, so they return one by one.
        while sent.value < 200 {
            client.pass(.seconds(1))
            for call in calls { await call.reach { if case .running = $0 { false } else { true } } }
        }
        for call in calls { #expect(try await call.value == []) }
        #expect(sent.value == 200)
    }

    @Test(
        "a call among many that a failing server refuses is limited by the retry budget",
        arguments: [
            (.tooManyRequests, [:]), (.tooManyRequests, [.retryAfter: "0"]),
            (.serviceUnavailable, [.retryAfter: "0"]),
        ] as [(HTTPResponse.Status, HTTPFields)])
    func troubled(_ status: HTTPResponse.Status, _ fields: HTTPFields) async {
        let client = TestClient { _ in .bytes(status: status, fields: fields) }
        var options = TestClient.retrying
        options.retry?.backoff = Backoff(initial: .zero)
        for _ in 0..<50 { _ = await failure(client.call(options)) }
        // The reserve, and a tenth of a retry for each call.
        #expect(client.transport.requests.count <= 50 + 10 + 5)
    }

    @Test("a call that fails temporarily backs off as usual if the server asks for no delay")
    func noTimeToWait() async {
        let client = TestClient { _ in .bytes(status: .tooManyRequests, fields: [.retryAfter: "0"])
        }
        let call = client.call(TestClient.retrying)
        let (states, start) = (call.states, client.clock.date)
        call.start()
        let wait = await states.first { if case .waiting = $0 { true } else { false } }
        #expect(wait == .waiting(until: start.addingTimeInterval(1)))
        call.cancel()
    }

    @Test("a call that fails temporarily ends at its total time-out")
    func totalTimeout() async {
        let client = TestClient { _ in .bytes(status: .serviceUnavailable) }
        var options = TestClient.retrying
        options.timeouts = Timeouts(total: .milliseconds(1_500))
        let call = client.call(options)
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        client.clock.advance(by: .milliseconds(1_500))
        #expect(await failure(call)?.reason == .timedOut(after: .milliseconds(1_500)))
    }
}
