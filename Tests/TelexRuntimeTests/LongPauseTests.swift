import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// A reply of a server that wants to be left alone for so many seconds.
private func busy(_ seconds: String) -> TransportReply {
    .bytes(status: .tooManyRequests, fields: [.retryAfter: seconds])
}

@Suite("A pause that is longer than calls wait")
struct LongPauseTests {
    @Test(
        "fails the call that it is asked of with the server's answer",
        arguments: ["301", "99999999999999999999"])
    func asked(seconds: String) async {
        let desk = Desk { _ in busy(seconds) }
        let error = await failure(desk.call(Desk.retrying))
        #expect(error?.reason == .status(429) && error?.attempts == 1)
        #expect(error.flatMap(\.retryAfter).map { $0 >= .seconds(301) } == true)
        #expect(
            desk.log.text.contains(
                "not sent again, because the server asks for a longer pause than the call waits for"
            ))
    }

    @Test("fails those that come meanwhile, and nothing is sent")
    func meanwhile() async throws {
        let sent = Counter()
        let desk = Desk { _ in sent.next() == 1 ? busy("3600") : empty }
        _ = await failure(desk.call())
        desk.clock.advance(by: .seconds(600))
        let error = await failure(desk.call())
        let end = desk.clock.runtimeClock.now().addingTimeInterval(3_000)
        #expect(error?.reason == .hostPaused(until: end))
        #expect(error?.retryAfter == .seconds(3_000) && error?.isRetryable == true)
        #expect(error?.phase == .queue && error?.fault == .server && error?.attempts == 0)
        #expect(
            error?.description == """
                `users.get` of Tiny failed: the server wants to be left alone; call again in \
                3000.0 seconds
                """)
        #expect(sent.value == 1)
        // Near its end, they wait for it.
        desk.clock.advance(by: .seconds(2_710))
        let call = desk.call()
        call.start()
        #expect(call.state == .queued)
        desk.pass(.seconds(290))
        #expect(try await call.value == [])
    }

    @Test(
        "fails those that wait for their turn, each in its place, and lets more patient ones wait")
    func waiting() async throws {
        let sent = Counter()
        let isSent = Gate()
        let answers = Gate()
        let desk = Desk { _ in
            guard sent.next() == 1 else { return empty }
            isSent.open()
            await answers.wait()
            return busy("3600")
        }
        let first = desk.call(CallOptions(queue: "one"))
        let impatient = desk.call(CallOptions(queue: "one"))
        let patient = desk.call(
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
        desk.pass(.seconds(3_600))
        desk.pass(.seconds(1))
        #expect(try await patient.value == [])
    }

    @Test("fails those that are suspended once they are to go on")
    func suspended() async {
        let answers = Gate()
        let desk = Desk { _ in
            await answers.wait()
            return busy("3600")
        }
        let first = desk.call(CallOptions(queue: "one"))
        let held = desk.call(CallOptions(queue: "one"))
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
        #expect(desk.transport.requests.count == 1)
    }

    @Test("is no matter of other hosts, nor of who is to wait as long as it takes")
    func others() async throws {
        let sent = Counter()
        let desk = Desk { _ in sent.next() == 1 ? busy("86400") : empty }
        var patient = Desk.retrying
        patient.timeouts = Timeouts(pause: .seconds(100_000))
        let call = desk.call(patient)
        call.start()
        let elsewhere = CallOptions(server: .named("local"))
        await call.reach { if case .waiting = $0 { true } else { false } }
        #expect(try await desk.call(elsewhere).value == [])
        desk.pass(.seconds(86_400))
        desk.pass(.seconds(1))
        #expect(try await call.value == [])
    }
}

@Suite("A rate that a reply calls used up which succeeds")
struct AdvisedPauseTests {
    private func reply(_ remaining: String, _ reset: String) -> TransportReply {
        let fields = try? rateFields(remaining: remaining, reset: reset)
        return .json(#"{"response":[]}"#, fields: fields ?? [:])
    }

    /// A server whose first reply, that calls are left, is held back, and whose second says otherwise;
    /// and the call that waits for the first.
    private func held(
        until answers: Gate, by second: TransportReply
    ) async -> (Desk, DataOperation<[User]>) {
        let (sent, isSent) = (Counter(), Gate())
        let desk = Desk { _ in
            switch sent.next() {
            case 1:
                isSent.open()
                await answers.wait()
                return reply("99", "900")
            case 2: return second
            default: return empty
            }
        }
        let first = desk.call()
        first.start()
        await isSent.wait()
        return (desk, first)
    }

    @Test("holds calls up no longer than one waits for a pause, and fails none")
    func bounded() async throws {
        let sent = Counter()
        let desk = Desk { _ in sent.next() == 1 ? reply("0", "86400") : empty }
        #expect(try await desk.call().value == [])
        let impatient = CallOptions(timeouts: Timeouts(pause: .seconds(1)))
        let calls = [desk.call(), desk.call(impatient)]
        for call in calls { call.start() }
        #expect(calls.allSatisfy { $0.state == .queued })
        desk.pass(.seconds(299))
        #expect(calls.allSatisfy { $0.state == .queued } && sent.value == 1)
        desk.pass(.seconds(1))
        desk.pass(.seconds(1))
        for call in calls { #expect(try await call.value == []) }
    }

    @Test("holds nobody up any more once another says that calls are left")
    func lifted() async throws {
        let answers = Gate()
        let (desk, first) = await held(until: answers, by: reply("0", "900"))
        #expect(try await desk.call().value == [])
        let later = desk.call()
        later.start()
        #expect(later.state == .queued)
        answers.open()
        #expect(try await later.value == [])
        #expect(try await first.value == [] && desk.clock.now == .zero)
    }

    @Test("is lifted by another, but not what the host asked for in a refusal")
    func demanded() async throws {
        let answers = Gate()
        let (desk, first) = await held(until: answers, by: busy("30"))
        #expect(await failure(desk.call())?.retryAfter == .seconds(30))
        answers.open()
        #expect(try await first.value == [])
        let later = desk.call()
        later.start()
        #expect(later.state == .queued && desk.transport.requests.count == 2)
        desk.pass(.seconds(30))
        desk.pass(.seconds(3))
        #expect(try await later.value == [])
    }
}

@Suite("A refusal whose time to wait only the fields of the rate tell")
struct HintedWaitTests {
    private func refusal(
        _ reset: String, _ fields: HTTPFields = [:], status: HTTPResponse.Status = .tooManyRequests
    ) throws -> TransportReply {
        var all = try rateFields(remaining: "0", reset: reset)
        for field in fields { all.append(field) }
        return .bytes(status: status, fields: all)
    }

    @Test("says how long to wait, unless `Retry-After` says it")
    func told() async throws {
        let replies: [(TransportReply, Duration)] = [
            (try refusal("30"), .seconds(30)),
            (try refusal("30", [.retryAfter: "0"]), .seconds(30)),
            (try refusal("30", [.retryAfter: "7"]), .seconds(7)),
            (try refusal("30", status: .serviceUnavailable), .seconds(30)),
        ]
        for (reply, wait) in replies {
            let error = await failure(Desk { _ in reply }.call())
            #expect(error?.retryAfter == wait && error?.attempts == 1)
        }
    }

    @Test("is waited for, and costs nothing of the budget")
    func paced() async throws {
        let (reply, sent) = (try refusal("60"), Counter())
        let desk = Desk { _ in sent.next() <= 40 ? reply : empty }
        var options = Desk.retrying
        options.retry?.attempts = 50
        let call = desk.call(options)
        call.start()
        var last = OperationState.ready
        for _ in 0..<40 {
            // Another thread may still have to show that the wait before is over.
            for await state in call.states {
                guard case .waiting = state, state != last else { continue }
                last = state
                break
            }
            desk.pass(.seconds(61))
        }
        #expect(try await call.value == [] && sent.value == 41)
    }

    @Test("fails with the server's answer if that is longer than the call waits")
    func long() async throws {
        let reply = try refusal("3600")
        let error = await failure(Desk { _ in reply }.call(Desk.retrying))
        #expect(error?.reason == .status(429) && error?.retryAfter == .seconds(3_600))
    }
}
