import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// A reply of a server that wants to be left alone for so many seconds.
private func busy(_ seconds: String) -> TransportReply {
    .bytes(status: .tooManyRequests, fields: [.retryAfter: seconds])
}

@Suite("A pause that is longer than calls wait", .timeLimit(.minutes(5)))
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

    @Test("may be told by a reply that succeeds")
    func hint() async throws {
        var fields: HTTPFields = [:]
        fields[try #require(HTTPField.Name("RateLimit-Remaining"))] = "0"
        fields[try #require(HTTPField.Name("RateLimit-Reset"))] = "3600"
        let desk = Desk { [fields] _ in .json(#"{"response":[]}"#, fields: fields) }
        #expect(try await desk.call().value == [])
        guard case .hostPaused? = await failure(desk.call())?.reason else {
            Issue.record("it waits for an hour")
            return
        }
        #expect(desk.transport.requests.count == 1)
    }
}
