import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// A reply of a busy server, with the seconds to wait.
private func busy(_ seconds: String) -> TransportReply {
    .bytes(status: .tooManyRequests, fields: [.retryAfter: seconds])
}

@Suite("A pause that is longer than calls wait")
struct LongPauseTests {
    @Test(
        "a pause that is longer than calls wait fails the refused call with the server's reply",
        arguments: ["301", "99999999999999999999"])
    func asked(seconds: String) async {
        let client = TestClient { _ in busy(seconds) }
        let error = await failure(client.call(TestClient.retrying))
        #expect(error?.reason == .status(429) && error?.attempts == 1)
        #expect(error.flatMap(\.retryAfter).map { $0 >= .seconds(301) } == true)
        #expect(
            client.log.text.contains(
                "not retried, because the server asks for a longer pause than the call's limit"
            ))
    }

    @Test("a pause that is longer than calls wait fails calls made meanwhile, and nothing is sent")
    func meanwhile() async throws {
        let sent = Counter()
        let client = TestClient { _ in sent.next() == 1 ? busy("3600") : empty }
        _ = await failure(client.call())
        client.clock.advance(by: .seconds(600))
        let error = await failure(client.call())
        let end = client.clock.runtimeClock.now().addingTimeInterval(3_000)
        #expect(error?.reason == .hostPaused(until: end))
        #expect(error?.retryAfter == .seconds(3_000) && error?.isRetryable == true)
        #expect(error?.phase == .queue && error?.fault == .server && error?.attempts == 0)
        #expect(
            error?.description == """
                `users.get` of Tiny failed: the server asked for a pause; call again in \
                3000.0 seconds
                """)
        #expect(sent.value == 1)
        // Near its end, they wait for it.
        client.clock.advance(by: .seconds(2_710))
        let call = client.call()
        call.start()
        #expect(call.state == .queued)
        client.pass(.seconds(290))
        #expect(try await call.value == [])
    }

    @Test(
        "a pause longer than calls wait fails queued calls, and keeps those with a longer limit")
    func waiting() async throws {
        let sent = Counter()
        let isSent = Gate()
        let answers = Gate()
        let client = TestClient { _ in
            guard sent.next() == 1 else { return empty }
            isSent.open()
            await answers.wait()
            return busy("3600")
        }
        let first = client.call(CallOptions(queue: "one"))
        let impatient = client.call(CallOptions(queue: "one"))
        let patient = client.call(
            CallOptions(timeouts: Timeouts(pause: .seconds(7_200)), queue: "one"))
        for call in [first, impatient, patient] { call.start() }
        await isSent.wait()
        answers.open()
        #expect(await failure(first)?.reason == .status(429))
        guard case .hostPaused? = await failure(impatient)?.reason else {
            Issue.record("it still waits")
            return
        }
        #expect(patient.state == .queued && sent.value == 1)
        client.pass(.seconds(3_600))
        client.pass(.seconds(1))
        #expect(try await patient.value == [])
    }

    @Test("a pause that is longer than calls wait fails suspended calls once they resume")
    func suspended() async {
        let answers = Gate()
        let client = TestClient { _ in
            await answers.wait()
            return busy("3600")
        }
        let first = client.call(CallOptions(queue: "one"))
        let held = client.call(CallOptions(queue: "one"))
        for call in [first, held] { call.start() }
        held.suspend()
        answers.open()
        #expect(await failure(first)?.reason == .status(429))
        #expect(held.state == .suspended)
        held.resume()
        guard case .hostPaused? = await failure(held)?.reason else {
            Issue.record("it went on")
            return
        }
        #expect(client.transport.requests.count == 1)
    }

    @Test("a pause longer than calls wait does not concern other hosts, nor calls without a limit")
    func others() async throws {
        let sent = Counter()
        let client = TestClient { _ in sent.next() == 1 ? busy("86400") : empty }
        var patient = TestClient.retrying
        patient.timeouts = Timeouts(pause: .seconds(100_000))
        let call = client.call(patient)
        call.start()
        let elsewhere = CallOptions(server: .named("local"))
        await call.reach { if case .waiting = $0 { true } else { false } }
        #expect(try await client.call(elsewhere).value == [])
        client.pass(.seconds(86_400))
        client.pass(.seconds(1))
        #expect(try await call.value == [])
    }
}

@Suite("A rate that a success used up")
struct AdvisedPauseTests {
    private func reply(_ remaining: String, _ reset: String) -> TransportReply {
        let fields = try? rateFields(remaining: remaining, reset: reset)
        return .json(#"{"response":[]}"#, fields: fields ?? [:])
    }

    /// A server whose first reply, with calls left, is delayed, and whose second has none left; and
    /// the call that waits for the first.
    private func held(
        until answers: Gate, by second: TransportReply
    ) async -> (TestClient, DataOperation<[User]>) {
        let (sent, isSent) = (Counter(), Gate())
        let client = TestClient { _ in
            switch sent.next() {
            case 1:
                isSent.open()
                await answers.wait()
                return reply("99", "900")
            case 2: return second
            default: return empty
            }
        }
        let first = client.call()
        first.start()
        await isSent.wait()
        return (client, first)
    }

    @Test("a rate used up by a success delays calls up to the API's pause limit, and fails none")
    func bounded() async throws {
        let sent = Counter()
        let client = TestClient { _ in sent.next() == 1 ? reply("0", "86400") : empty }
        #expect(try await client.call().value == [])
        let impatient = CallOptions(timeouts: Timeouts(pause: .seconds(1)))
        let calls = [client.call(), client.call(impatient)]
        for call in calls { call.start() }
        #expect(calls.allSatisfy { $0.state == .queued })
        client.pass(.seconds(299))
        #expect(calls.allSatisfy { $0.state == .queued } && sent.value == 1)
        client.pass(.seconds(1))
        client.pass(.seconds(1))
        for call in calls { #expect(try await call.value == []) }
    }

    @Test("a rate that a success used up delays no call once another reply has calls left")
    func lifted() async throws {
        let answers = Gate()
        let (client, first) = await held(until: answers, by: reply("0", "900"))
        #expect(try await client.call().value == [])
        let later = client.call()
        later.start()
        #expect(later.state == .queued)
        answers.open()
        #expect(try await later.value == [])
        #expect(try await first.value == [] && client.clock.now == .zero)
    }

    @Test("a rate used up by a success is lifted by another reply, but a refusal's pause is not")
    func demanded() async throws {
        let answers = Gate()
        let (client, first) = await held(until: answers, by: busy("30"))
        #expect(await failure(client.call())?.retryAfter == .seconds(30))
        answers.open()
        #expect(try await first.value == [])
        let later = client.call()
        later.start()
        #expect(later.state == .queued && client.transport.requests.count == 2)
        client.pass(.seconds(30))
        client.pass(.seconds(3))
        #expect(try await later.value == [])
    }
}

@Suite("A refusal whose delay only the rate fields contain")
struct HintedWaitTests {
    private func refusal(
        _ reset: String, _ fields: HTTPFields = [:], status: HTTPResponse.Status = .tooManyRequests
    ) throws -> TransportReply {
        var all = try rateFields(remaining: "0", reset: reset)
        for field in fields { all.append(field) }
        return .bytes(status: status, fields: all)
    }

    @Test("a refusal has the delay of its rate fields, unless `Retry-After` has one")
    func told() async throws {
        let replies: [(TransportReply, Duration)] = [
            (try refusal("30"), .seconds(30)),
            (try refusal("30", [.retryAfter: "0"]), .seconds(30)),
            (try refusal("30", [.retryAfter: "7"]), .seconds(7)),
            (try refusal("30", status: .serviceUnavailable), .seconds(30)),
        ]
        for (reply, wait) in replies {
            let error = await failure(TestClient { _ in reply }.call())
            #expect(error?.retryAfter == wait && error?.attempts == 1)
        }
    }

    @Test("a refusal with a delay in rate fields alone is waited for, and costs no retry budget")
    func paced() async throws {
        let (reply, sent) = (try refusal("60"), Counter())
        let client = TestClient { _ in sent.next() <= 40 ? reply : empty }
        var options = TestClient.retrying
        options.retry?.attempts = 50
        let call = client.call(options)
        call.start()
        var last = OperationState.ready
        for _ in 0..<40 {
            // Another thread may not have published the end of the wait yet.
            for await state in call.states {
                guard case .waiting = state, state != last else { continue }
                last = state
                break
            }
            client.pass(.seconds(61))
        }
        #expect(try await call.value == [] && sent.value == 41)
    }

    @Test("a refusal whose rate-field delay exceeds the call's wait fails with the server's reply")
    func long() async throws {
        let reply = try refusal("3600")
        let error = await failure(TestClient { _ in reply }.call(TestClient.retrying))
        #expect(error?.reason == .status(429) && error?.retryAfter == .seconds(3_600))
    }
}
