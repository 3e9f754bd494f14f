import HTTPTypes
import Testing

@testable import TelexRuntime
@testable import TelexTesting

@Suite("The diagnosis of a call that timed out")
struct TimeOutDiagnosisTests {
    /// An API on a virtual clock, whose server never replies, and a network that accepts or refuses
    /// connections once a gate is open.
    private final class TestClient: Sendable {
        let clock = VirtualClock()
        let asked = Counter()
        let gate = Gate()
        let transport: InMemoryTransport
        let manager: APIManager<TinyAPI>

        init(
            takesConnections: Bool = false, answersAtOnce: Bool = true,
            portal: PortalCheck? = nil, limit: Duration = .seconds(1),
            _ script: @escaping InMemoryTransport.Script = { _ throws(TransportError) in
                await Gate().wait()
                throw .cancelled
            }
        ) {
            if answersAtOnce { gate.open() }
            let (asked, gate) = (asked, gate)
            let probe = ReachabilityProbe(
                hasLink: { true }, resolves: { _ in true },
                connects: { _, _ in
                    _ = asked.next()
                    await gate.wait()
                    return takesConnections
                })
            transport = InMemoryTransport(script)
            manager = APIManager<TinyAPI>(
                transport: transport, credentials: .memory(Credential(token: secret))
            ) { [clock] in
                $0.refresher = .app { _ in Credential(token: "n3w-t0k3n") }
                $0.settings.clock = clock.runtimeClock
                $0.settings.diagnosis = DiagnosisRules(probe: probe, portal: portal, limit: limit)
            }
        }

        func call(
            _ request: APIRequest<Void> = UsersRequests.ping(), attempt: Duration? = nil,
            total: Duration? = nil, retry: RetryPolicy = .never
        ) -> DataOperation<Void> {
            manager.operation(
                request,
                options: CallOptions(
                    timeouts: Timeouts(attempt: attempt, total: total), retry: retry))
        }

        /// Starts a call, and advances the clock once its request has been sent.
        func runOut(_ call: DataOperation<Void>, after time: Duration) async {
            call.start()
            await until { call.live.withLock { $0.current?.contents.hop } != nil }
            clock.advance(by: time)
        }
    }

    @Test("a diagnosis finds the broken level after an attempt time-out and after a call time-out")
    func levels() async {
        for (isTotal, takes) in [(false, false), (true, true)] {
            let client = TestClient(takesConnections: takes)
            let call = client.call(
                attempt: isTotal ? nil : .seconds(9), total: isTotal ? .seconds(9) : nil)
            await client.runOut(call, after: .seconds(9))
            let error = await failure(call)
            #expect(
                error?.reason
                    == (isTotal
                        ? .timedOut(after: .seconds(9)) : .attemptTimedOut(after: .seconds(9)))
            )
            #expect(error?.diagnosis?.host == "api.tiny.test")
            #expect(error?.diagnosis?.broken == (takes ? .http : .connect))
            #expect(error?.phase == .send && error?.fault == .network)
            #expect(error?.attempts == 1 && error?.isRetryable == true)
            #expect(error?.description.contains("has an address, but") != takes)
        }
    }

    @Test("a time-out's diagnosis is made once for many calls, and of the last attempt of each")
    func shared() async {
        let client = TestClient()
        let retry = RetryPolicy(attempts: 2, backoff: Backoff(initial: .zero))
        // As many calls as the retry budget repeats.
        let calls = (0..<8).map { _ in client.call(attempt: .seconds(5), retry: retry) }
        for call in calls { call.start() }
        for number in 1...2 {
            await until { client.transport.requests.count == 8 * number }
            #expect(client.asked.value == 0)
            if number == 1 { client.clock.advance(by: .seconds(5)) }
        }
        client.clock.advance(by: .seconds(5))
        for call in calls { #expect(await failure(call)?.diagnosis?.broken == .connect) }
        #expect(client.asked.value == 1)
    }

    @Test("a diagnosis delays a time-out no longer than rules allow, and sends nothing meanwhile")
    func limit() async {
        let client = TestClient(answersAtOnce: false, limit: .milliseconds(700))
        let call = client.call(attempt: .seconds(5))
        await client.runOut(call, after: .seconds(5))
        await until { client.asked.value == 1 }
        await client.clock.waitForSleeper(until: .milliseconds(5_700))
        #expect(call.state == .running(attempt: 1))
        #expect((call.attempts.first?.error as? OperationError)?.reason == .stopped)
        client.clock.advance(by: .milliseconds(700))
        let error = await failure(call)
        #expect(error?.reason == .attemptTimedOut(after: .seconds(5)))
        #expect(error?.diagnosis == nil)
        #expect(call.attempts.first?.duration == .seconds(5))
        client.gate.open()
    }

    @Test("a diagnosis delays a call time-out by a tenth of that time at most")
    func total() async {
        let client = TestClient(answersAtOnce: false)
        let call = client.call(total: .seconds(2))
        await client.runOut(call, after: .seconds(2))
        await until { client.asked.value == 1 }
        await client.clock.waitForSleeper(until: .milliseconds(2_200))
        client.clock.advance(by: .milliseconds(200))
        let error = await failure(call)
        #expect(error?.reason == .timedOut(after: .seconds(2)))
        #expect(error?.diagnosis == nil)
        client.gate.open()
    }

    @Test("the diagnosis of a call that timed out delays no attempt beyond the call's deadline")
    func attemptBeforeTotal() async {
        let client = TestClient(answersAtOnce: false)
        let call = client.call(attempt: .seconds(5), total: .milliseconds(5_100))
        await client.runOut(call, after: .seconds(5))
        await until { client.asked.value == 1 }
        await client.clock.waitForSleeper(until: .milliseconds(5_100))
        client.clock.advance(by: .milliseconds(100))
        #expect(await failure(call)?.reason == .attemptTimedOut(after: .seconds(5)))
        client.gate.open()
    }

    @Test(
        "a time-out's diagnosis loses no error of an attempt that had failed in time",
        arguments: [UsersRequests.ping(), UsersRequests.save(name: "Ada", password: "password")])
    func failedInTime(request: APIRequest<Void>) async {
        for isTotal in [true, false] {
            let refusal = Gate()
            let client = TestClient(answersAtOnce: false) { _ throws(TransportError) in
                await refusal.wait()
                throw TransportError(.cannotConnect, "refused")
            }
            let call = client.call(
                request, attempt: isTotal ? nil : .seconds(5), total: isTotal ? .seconds(5) : nil)
            await client.runOut(call, after: .milliseconds(4_800))
            refusal.open()
            await until { client.asked.value == 1 }
            await client.clock.waitForSleeper(until: .milliseconds(5_800))
            client.clock.advance(by: .milliseconds(200))
            // Only the call's deadline ends the diagnosis.
            if !isTotal {
                #expect(call.state == .running(attempt: 1))
                client.clock.advance(by: .milliseconds(800))
            }
            let error = await failure(call)
            #expect(error?.reason == .transport(TransportError(.cannotConnect, "refused")))
            #expect(error?.isRetryable == true && error?.diagnosis == nil)
            #expect((call.attempts.first?.error as? APIError)?.reason == error?.reason)
            #expect(call.attempts.map(\.duration) == [.milliseconds(4_800)])
            #expect(client.asked.value == 1)
            client.gate.open()
        }
    }

    @Test("a time-out's diagnosis loses no error of a shared request that had failed in time")
    func sharedFailedInTime() async {
        let refusal = Gate()
        let client = TestClient(answersAtOnce: false) { _ throws(TransportError) in
            await refusal.wait()
            throw TransportError(.cannotConnect, "refused")
        }
        let call = client.manager.operation(
            EngineRequests.shared(id: 1),
            options: CallOptions(timeouts: Timeouts(total: .seconds(5)), retry: .never))
        call.start()
        await until { call.lastHop != nil }
        client.clock.advance(by: .milliseconds(4_800))
        refusal.open()
        await until { client.asked.value == 1 }
        client.clock.advance(by: .milliseconds(200))
        let error = await failure(call)
        #expect(error?.reason == .transport(TransportError(.cannotConnect, "refused")))
        #expect(client.asked.value == 1)
        client.gate.open()
    }

    @Test("the diagnosis of a call that timed out describes the attempt, too")
    func toldOfAttempt() async {
        let client = TestClient { _ throws(TransportError) in
            throw TransportError(.cannotConnect, "refused")
        }
        let call = client.call()
        #expect(await failure(call)?.diagnosis?.broken == .connect)
        #expect((call.attempts.first?.error as? APIError)?.diagnosis?.broken == .connect)
    }

    @Test(
        "a diagnosis repeats no permanent failure, however long it takes, suspended or not",
        arguments: [false, true])
    func failedForGood(isHeld: Bool) async {
        let (sent, checked, answer) = (Counter(), Counter(), Gate())
        let client = TestClient(portal: PortalCheck("http://check.test/"), limit: .seconds(60)) {
            request in
            guard request.head.authority == "check.test" else {
                _ = sent.next()
                return .bytes(status: .found, fields: .location("http://login.test/"))
            }
            _ = checked.next()
            await answer.wait()
            return .bytes()
        }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        let call = client.call(attempt: .seconds(5), retry: retry)
        call.start()
        await until { checked.value == 1 }
        if isHeld {
            call.suspend()
            await until { call.state == .suspended }
        }
        client.clock.advance(by: .seconds(5))
        if isHeld { call.resume() }
        answer.open()
        let error = await failure(call)
        #expect(error?.diagnosis?.isCaptive == true && error?.attempts == 1)
        #expect(sent.value == 1)
    }

    @Test("the diagnosis of a call that timed out does not prevent a cancellation")
    func cancelled() async {
        let client = TestClient(answersAtOnce: false)
        let call = client.call(attempt: .seconds(5))
        await client.runOut(call, after: .seconds(5))
        await until { client.asked.value == 1 }
        call.cancel()
        #expect(call.state == .cancelled)
        await #expect(throws: CancellationError.self) { try await call.value }
        client.gate.open()
    }

    @Test("a timed-out call that sent nothing is undiagnosed: it awaited others or was suspended")
    func unsent() async {
        let client = TestClient()
        let first = client.call()
        let waiting = client.manager.operation(
            UsersRequests.ping(),
            options: CallOptions(timeouts: Timeouts(total: .seconds(3))), after: [first])
        waiting.start()
        let held = client.call(total: .seconds(3))
        held.start()
        held.suspend()
        client.clock.advance(by: .seconds(3))
        for call in [waiting, held] {
            let error = await failure(call)
            #expect(error?.reason == .timedOut(after: .seconds(3)))
            #expect(error?.diagnosis == nil)
        }
        #expect(client.asked.value == 0)
    }

    @Test("the diagnosis of a call that timed out is made of the shared request")
    func subscriber() async {
        let client = TestClient()
        let call = client.manager.operation(
            EngineRequests.shared(id: 1),
            options: CallOptions(timeouts: Timeouts(total: .seconds(3)), retry: .never))
        call.start()
        await until { call.lastHop != nil }
        client.clock.advance(by: .seconds(3))
        #expect(await failure(call)?.diagnosis?.broken == .connect)
        #expect(client.asked.value == 1)
    }

    @Test(
        "a call that shares a request is diagnosed if it has no time for another attempt",
        arguments: [false, true])
    func hurriedRider(isSlow: Bool) async {
        let client = TestClient { _ throws(TransportError) in
            if isSlow { await Gate().wait() }
            throw TransportError(.cannotConnect, "refused")
        }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .seconds(9), jitter: 0))
        let calls = [.seconds(8), nil].map { (total: Duration?) in
            client.manager.operation(
                EngineRequests.shared(id: 1),
                options: CallOptions(
                    timeouts: Timeouts(attempt: .seconds(5), total: total), retry: retry))
        }
        for call in calls { call.start() }
        if isSlow {
            for call in calls { await until { call.lastHop != nil } }
            client.clock.advance(by: .seconds(5))
        }
        let error = await failure(calls[0])
        #expect(
            error?.reason
                == (isSlow
                    ? .attemptTimedOut(after: .seconds(5))
                    : .transport(TransportError(.cannotConnect, "refused"))))
        #expect(error?.diagnosis?.broken == .connect && error?.attempts == 1)
        #expect(calls[1].state == .running(attempt: 1))
        calls[1].cancel()
    }

    @Test("a call that shares a request keeps its error if it times out before its diagnosis")
    func slowDiagnosis() async {
        let client = TestClient(answersAtOnce: false) { _ throws(TransportError) in
            throw TransportError(.cannotConnect, "refused")
        }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .seconds(9), jitter: 0))
        let call = client.manager.operation(
            EngineRequests.shared(id: 1),
            options: CallOptions(
                timeouts: Timeouts(total: .milliseconds(500)), retry: retry))
        call.start()
        await until { client.asked.value == 1 }
        client.clock.advance(by: .milliseconds(500))
        let error = await failure(call)
        #expect(error?.reason == .transport(TransportError(.cannotConnect, "refused")))
        client.gate.open()
    }

    @Test("the diagnosis of a call that timed out is no work, nor does it belong to a suspension")
    func working() async {
        let client = TestClient(answersAtOnce: false, limit: .seconds(60))
        let call = client.call(attempt: .seconds(5))
        await client.runOut(call, after: .seconds(5))
        await until { client.asked.value == 1 }
        call.suspend()
        await until { call.isHeld }
        client.clock.advance(by: .seconds(2))
        call.resume()
        await until { !call.isHeld }
        client.gate.open()
        #expect(await failure(call)?.reason == .attemptTimedOut(after: .seconds(5)))
        #expect(call.live.withLock { $0.metrics }.working == .seconds(5))
    }

    @Test("a diagnosis keeps no shared request in flight that only the diagnosed call waited for")
    func lastRider() async {
        let client = TestClient(answersAtOnce: false)
        let call = client.manager.operation(
            EngineRequests.shared(id: 1),
            options: CallOptions(timeouts: Timeouts(total: .seconds(30)), retry: .never))
        call.start()
        await until { call.lastHop != nil }
        let shared = call.live.withLock { $0.coldState?.shared }
        client.clock.advance(by: .seconds(30))
        await until { client.asked.value == 1 }
        await shared?.reach { $0 == .cancelled }
        #expect(call.state.isActive)
        client.gate.open()
        #expect(await failure(call)?.diagnosis?.broken == .connect)
    }

    @Test("a time-out's diagnosis shows no old or new token in the host name of a redirect")
    func redirected() async {
        let client = TestClient { request throws(TransportError) in
            if request.head.path?.contains(secret) == true {
                return .json(#"{"error":{"error_code":5}}"#)
            }
            guard request.head.authority != "api.tiny.test" else {
                return .bytes(status: .found, fields: .location("https://\(secret).evil.test/"))
            }
            await Gate().wait()
            throw .cancelled
        }
        let call = client.manager.operation(
            UsersRequests.get(ids: ["1"]),
            options: CallOptions(timeouts: Timeouts(attempt: .seconds(5)), retry: .never))
        call.start()
        await until {
            call.state.isTerminal
                || call.live.withLock { $0.current?.contents.hop?.wasRedirectedAway } == true
        }
        client.clock.advance(by: .seconds(5))
        let error = await failure(call)
        #expect(error?.diagnosis?.host == "\(Redactor.mark).evil.test")
        #expect(error?.description.contains(secret) == false)
    }
}
