import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

private let empty = TransportReply.json(#"{"response":[]}"#)

extension OperationState {
    fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

extension TestClient {
    fileprivate func shared(_ options: CallOptions = CallOptions()) -> DataOperation<[User]> {
        manager.operation(EngineRequests.shared(id: 1), options: options)
    }
}

/// A client whose queue `one` is full until the gate opens, and the call that fills it.
private func full(until gate: Gate) -> (client: TestClient, first: DataOperation<[User]>) {
    let client = TestClient { _ in
        await gate.wait()
        return empty
    }
    let first = client.call(CallOptions(queue: "one"))
    first.start()
    return (client, first)
}

private func total(_ time: Duration, _ options: CallOptions = CallOptions()) -> CallOptions {
    var options = options
    options.timeouts = Timeouts(total: time)
    return options
}

@Suite("The time-out of a call that shares a request")
struct CoalescedTimeOutTests {
    /// Repeats this often, the first time after a second.
    private func retrying(_ attempts: Int, _ timeouts: Timeouts) -> CallOptions {
        var options = TestClient.retrying
        options.retry?.attempts = attempts
        options.timeouts = timeouts
        return options
    }

    @Test("a sharing call ends at once with the server's reply if its deadline precedes a retry")
    func pointless() async throws {
        let (sent, gate) = (Counter(), Gate())
        let client = TestClient { _ in
            guard sent.next() == 1 else { return empty }
            await gate.wait()
            return .bytes(status: .serviceUnavailable, fields: [.retryAfter: "30"])
        }
        let hurried = client.shared(retrying(3, Timeouts(total: .seconds(5))))
        let patient = client.shared(retrying(3, Timeouts()))
        for call in [hurried, patient] { call.start() }
        await client.subscribers(2)
        gate.open()
        let error = await failure(hurried)
        #expect(error?.reason == .status(503) && error?.retryAfter == .seconds(30))
        #expect(error?.phase == .status && error?.fault == .server && error?.attempts == 1)
        #expect(client.clock.now == .zero)
        #expect(
            client.log.text.contains(
                "shared is not retried, because its deadline comes before the next attempt"))
        #expect(!patient.state.isTerminal)
        client.pass(.seconds(31))
        client.pass(.seconds(1))
        #expect(try await patient.value == [])
        #expect(client.transport.requests.count == 2)
    }

    @Test("a sharing call's time-out allows as many attempts as a call with its own request has")
    func attempts() async {
        for isShared in [false, true] {
            let client = TestClient { _ in .bytes(status: .serviceUnavailable) }
            let options = retrying(5, Timeouts(total: .milliseconds(2_500)))
            let call = isShared ? client.shared(options) : client.call(options)
            call.start()
            await client.clock.waitForSleeper(until: .seconds(1))
            client.pass(.seconds(1))
            let error = await failure(call)
            #expect(error?.reason == .status(503) && error?.attempts == 2)
            #expect(client.clock.now == .seconds(1))
            await until { client.manager.engine.isIdle }
        }
    }

    @Test("a sharing call ends with the attempt's time-out if there is no time for another")
    func slow() async {
        let arrived = Gate()
        let client = TestClient { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        let call = client.shared(
            retrying(3, Timeouts(attempt: .seconds(1), total: .milliseconds(1_500))))
        call.start()
        await arrived.wait()
        client.pass(.seconds(1))
        let error = await failure(call)
        #expect(error?.reason == .attemptTimedOut(after: .seconds(1)))
        #expect(error?.phase == .send && error?.attempts == 1 && error?.isRetryable == true)
    }

    @Test("a sharing call's time-out reports the request's phase, the attempts, and their errors")
    func earlier() async {
        let (sent, arrived) = (Counter(), Gate())
        let client = TestClient { _ in
            guard sent.next() > 1 else { return .bytes(status: .serviceUnavailable) }
            arrived.open()
            await Gate().wait()
            return empty
        }
        let call = client.shared(retrying(3, Timeouts(total: .seconds(3))))
        call.start()
        await client.clock.waitForSleeper(until: .seconds(1))
        client.pass(.seconds(1))
        await arrived.wait()
        client.pass(.seconds(2))
        let error = await failure(call)
        #expect(error?.reason == .timedOut(after: .seconds(3)))
        #expect(error?.phase == .send && error?.fault == .network && error?.attempts == 2)
        #expect((error?.cause as? APIError)?.status == 503)
    }

    @Test("a sharing call's time-out is no failure of a server that received nothing")
    func queued() async {
        let gate = Gate()
        let (client, first) = full(until: gate)
        let options = total(.seconds(5), CallOptions(queue: "one"))
        let calls = [client.call(options), client.shared(options)]
        for call in calls { call.start() }
        await client.subscribers(1)
        client.pass(.seconds(5))
        for call in calls {
            let error = await failure(call)
            #expect(error?.phase == .queue && error?.fault == .caller)
            #expect(error?.attempts == 0 && error?.isRetryable == true)
            #expect(
                error?.description == """
                    `\(call.method)` of Tiny failed: it took longer than 5.0 seconds while it \
                    waited in the queue; it may be tried again
                    """)
        }
        gate.open()
        _ = try? await first.value
        #expect(client.transport.requests.count == 1)
    }
}

@Suite("A call that times out while it waits")
struct TimeOutTests {
    /// An API whose tokens are all expired, without a refresh.
    private func locked(_ clock: VirtualClock) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json(#"{"error":{"error_code":5}}"#) },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.refresher = .app { _ in
                await Gate().wait()
                throw CancellationError()
            }
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
        }
    }

    @Test("a call that times out while it waits for a token reports so")
    func token() async {
        let clock = VirtualClock()
        let manager = locked(clock)
        let options = total(.seconds(5))
        let refused = manager.operation(UsersRequests.get(ids: ["1"]), options: options)
        refused.start()
        await refused.reach { $0 == .postponed }
        let joined = manager.operation(UsersRequests.get(ids: ["2"]), options: options)
        joined.start()
        await joined.reach { $0 == .postponed }
        let shared = manager.operation(EngineRequests.shared(id: 1), options: options)
        shared.start()
        await until {
            shared.live.withLock { $0.coldState?.shared }?.state == .postponed
        }
        clock.advance(by: .seconds(5))
        manager.engine.send(.tick)
        for (call, attempts) in [(refused, 1), (joined, 0), (shared, 0)] {
            let error = await failure(call)
            #expect(error?.reason == .timedOut(after: .seconds(5)) && error?.phase == .auth)
            #expect(error?.fault == .caller && error?.isRetryable == true)
            #expect(error?.attempts == attempts)
            #expect(
                error?.description.contains(
                    "it took longer than 5.0 seconds while it waited for a token; it may be tried "
                        + "again") == true)
        }
    }

    @Test("a call that times out while it waits for a busy server reports the end of the pause")
    func host() async {
        let client = TestClient { _ in
            .bytes(status: .serviceUnavailable, fields: [.retryAfter: "30"])
        }
        _ = await failure(client.call(CallOptions(retry: .never)))
        let options = total(.seconds(5), CallOptions(retry: .never))
        let calls = [client.call(options), client.shared(options)]
        for call in calls { call.start() }
        await client.subscribers(1)
        client.pass(.seconds(5))
        for call in calls {
            let error = await failure(call)
            #expect(error?.phase == .queue && error?.fault == .server)
            #expect(error?.retryAfter == .seconds(25) && error?.isRetryable == true)
            #expect(
                error?.description.hasSuffix(
                    "it took longer than 5.0 seconds while it waited for the end of the server's "
                        + "pause; call again in 25.0 seconds") == true)
        }
    }

    @Test("a call that times out while it waits for other operations reports so")
    func others() async {
        let client = TestClient { _ in empty }
        let first = client.call()
        let call = client.call(total(.seconds(5)), after: [first])
        call.start()
        client.pass(.seconds(5))
        let error = await failure(call)
        #expect(error?.phase == .queue && error?.fault == .caller)
        #expect(
            error?.description.contains("5.0 seconds while it waited for its prerequisites; ")
                == true)
        #expect(first.state == .ready)
    }

    @Test("a call that times out while it waits for its resumption reports so")
    func suspended() async {
        let gate = Gate()
        let (client, first) = full(until: gate)
        let held = client.call(total(.seconds(5), CallOptions(queue: "one")))
        held.start()
        held.suspend()
        await held.reach { $0 == .suspended }
        client.pass(.seconds(5))
        let error = await failure(held)
        #expect(error?.phase == .queue && error?.fault == .caller)
        #expect(error?.description.contains("5.0 seconds while it was suspended; ") == true)
        gate.open()
        _ = try? await first.value
    }
}

@Suite("An attempt that timed out and was repeated")
struct RepeatedTimeOutTests {
    /// A server that replies only after this many requests, and a call with an attempt time-out of
    /// a second.
    private func begin(
        _ silent: Int, _ total: Duration? = nil
    ) async -> (client: TestClient, call: DataOperation<[User]>) {
        let sent = Counter()
        let client = TestClient { _ in
            if sent.next() <= silent { await Gate().wait() }
            return empty
        }
        var options = TestClient.retrying
        options.timeouts = Timeouts(attempt: .seconds(1), total: total)
        let call = client.call(options)
        call.start()
        await until { sent.value == 1 }
        client.pass(.seconds(1))
        await call.reach(\.isWaiting)
        return (client, call)
    }

    @Test("an attempt that timed out and was repeated is listed as such among the attempts")
    func told() async throws {
        let (client, call) = await begin(1)
        client.pass(.seconds(1))
        let attempts = try await call.response.attempts
        let error = attempts.first?.error as? APIError
        #expect(error?.reason == .attemptTimedOut(after: .seconds(1)) && error?.phase == .send)
        #expect(error?.attempts == 1 && error?.isRetryable == true && error?.fault == .network)
        #expect(attempts.count == 2 && attempts.last?.error == nil)
    }

    @Test("a timed-out attempt is the reported reason of its repetition when the call times out")
    func cause() async {
        let (client, call) = await begin(2, .milliseconds(2_500))
        client.pass(.seconds(1))
        await until { client.transport.requests.count == 2 }
        client.pass(.milliseconds(500))
        let error = await failure(call)
        #expect(error?.reason == .timedOut(after: .milliseconds(2_500)))
        let cause = error?.cause as? APIError
        #expect(cause?.reason == .attemptTimedOut(after: .seconds(1)) && cause?.cause == nil)
        #expect(
            error?.description.contains("an earlier attempt failed: it took longer than 1.0 sec")
                == true)
    }
}

@Suite("The text of an error")
struct ErrorTextTests {
    @Test("the text of an error states that the call may be retried if it may")
    func again() async {
        let replies: [TransportReply] = [
            .bytes(status: .internalServerError), .bytes(status: .badGateway),
            .bytes(status: .gatewayTimeout), .json("{"), .bytes(),
        ]
        for reply in replies {
            let error = await failure { reply }
            #expect(error?.isRetryable == true)
            #expect(error?.description.contains("; it may be tried again") == true)
        }
        let (manager, _) = tiny { _ in .bytes(status: .internalServerError) }
        let post = await failure(
            manager.operation(UsersRequests.save(name: "a", password: "secret")))
        #expect(post?.isRetryable == false)
        #expect(post?.description.contains("again") == false)
    }

    @Test("the text of an error rounds the remaining times")
    func rounded() async throws {
        let client = TestClient { request in
            request.head.path?.contains("throttled") == true
                ? empty : .bytes(status: .serviceUnavailable, fields: [.retryAfter: "700"])
        }
        _ = try await client.manager.operation(EngineRequests.throttled(id: 1)).value
        _ = await failure(client.call())
        client.pass(.microseconds(1_003_801))
        let soon = await failure(client.manager.operation(EngineRequests.throttled(id: 1)))
        #expect(soon?.description.contains("too soon; wait 1.0 seconds") == true)
        let paused = await failure(client.call())
        #expect(paused?.description.contains("call again in 699.0 seconds") == true)
    }
}

@Suite("An invalid time-out")
struct ZeroTimeOutTests {
    @Test(
        "an invalid time-out is refused for a call",
        arguments: [
            ("silence", Timeouts(silence: .zero)), ("silence", Timeouts(silence: .seconds(-1))),
            ("attempt", Timeouts(attempt: .zero)), ("total", Timeouts(total: .seconds(-1))),
        ])
    func refused(name: String, timeouts: Timeouts) async {
        let client = TestClient { _ in empty }
        let options = CallOptions(timeouts: timeouts)
        let shared = client.manager.operation(EngineRequests.shared(id: 1), options: options)
        for call in [client.call(options), shared] {
            let error = await failure(call)
            #expect(error?.reason == .invalidRequest && error?.fault == .caller)
            #expect(error?.violations.map(\.path) == ["timeouts.\(name)"])
            #expect(error?.description.contains("timeouts.\(name)") == true)
        }
        #expect(client.transport.requests.isEmpty)
    }

    @Test("an invalid time-out ends a group at once")
    func group() async {
        let client = TestClient { _ in empty }
        let group = client.manager.group("screen", timeout: .seconds(-3)) { _ in
            await Gate().wait()
        }
        let error = await #expect(throws: OperationError.self) { try await group.value }
        #expect(error?.reason == .timedOut(after: .zero))
    }
}

@Suite("A suspended call")
struct SuspendedTimeOutTests {
    @Test("a suspended call does not count the time as work")
    func working() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let call = client.call()
        call.start()
        await arrived.wait()
        client.pass(.seconds(2))
        call.suspend()
        await until { call.isHeld }
        client.pass(.seconds(3_600))
        call.resume()
        await until { !call.isHeld }
        client.pass(.seconds(1))
        gate.open()
        let response = try await call.response
        #expect(response.metrics.total == .seconds(3_603))
        #expect(response.metrics.working == .seconds(3))
        #expect(response.attempts.first?.duration == .seconds(3_603))
    }

    @Test(
        "a suspended call that missed a failed refresh fails when it resumes",
        arguments: [false, true])
    func refresh(logsIn: Bool) async throws {
        let (refreshes, gate) = (Counter(), Gate())
        let transport = InMemoryTransport { request in
            request.head.path?.contains("n3w-t0k3n") == true
                ? empty : .json(#"{"error":{"error_code":5}}"#)
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: .memory(Credential(token: secret))
        ) {
            $0.refresher = .app { _ in
                _ = refreshes.next()
                await gate.wait()
                throw CredentialError(.expired, "it is over; log in again")
            }
            $0.settings.clock = VirtualClock().runtimeClock
            $0.settings.seed = 7
        }
        let other = manager.operation(UsersRequests.get(ids: ["1"]))
        let step = manager.operation(UsersRequests.get(ids: ["2"]))
        let group = manager.group { try await $0.run(step) }
        other.start()
        group.start()
        for call in [other, step] { await call.reach { $0 == .postponed } }
        group.suspend()
        await step.reach { $0 == .suspended }
        gate.open()
        let told = await failure(other)
        let sent = transport.requests.count
        #expect(step.state == .suspended)
        if logsIn { try await manager.logIn(Credential(token: "n3w-t0k3n")) }
        group.resume()
        if logsIn {
            #expect(try await group.value == [])
        } else {
            let error = await #expect(throws: APIError.self) { try await group.value }
            #expect(error?.reason == told?.reason && error?.needsLogin == true)
            #expect(transport.requests.count == sent)
        }
        #expect(refreshes.value == 1)
    }
}
