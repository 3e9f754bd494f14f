import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

private let empty = TransportReply.json(#"{"response":[]}"#)
/// Durations that no clock can wait for or add to a moment.
private let lengths = [
    Duration.seconds(10_000_000_000), .seconds(Int64.max), Duration(attoseconds: .max),
]

@Suite("An unreachable moment")
struct LongDurationTests {
    /// Every time limit of a call.
    private func options(_ length: Duration) -> CallOptions {
        CallOptions(
            timeouts: Timeouts(silence: length, attempt: length, total: length),
            retry: RetryPolicy(backoff: Backoff(initial: length, jitter: 0, maximum: length)))
    }

    @Test("an unreachable moment is awaited in steps of a day", arguments: lengths)
    func steps(_ length: Duration) async throws {
        let clock = VirtualClock()
        let longest = Lock(Duration.zero)
        let arrived = Gate()
        let (manager, _) = tiny(
            clock: RuntimeClock(
                now: { clock.date }, elapsed: { clock.now },
                sleep: { moment in
                    longest.withLock { $0 = max($0, moment - clock.now) }
                    try await clock.sleep(until: moment)
                })
        ) { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        clock.advance(by: .seconds(1_000))
        let call = manager.operation(UsersRequests.get(ids: ["1"]), options: options(length))
        call.start()
        await arrived.wait()
        for _ in 0..<3 {
            await clock.waitForSleepers(1)
            clock.advanceToNextDeadline()
        }
        #expect(call.state == .running(attempt: 1))
        #expect(clock.now == .seconds(1_000 + 3 * 86_400) && longest.withLock { $0 } == .day)
        call.cancel()
    }

    @Test("an unreachable moment ends nothing on the system's clock either", arguments: lengths)
    func system(_ length: Duration) async throws {
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in empty },
            credentials: MemoryCredentialStore(Credential(token: secret))
        ) {
            $0.settings.clock = .system
            $0.settings.refreshTimeout = length
        }
        let call = manager.operation(UsersRequests.get(ids: ["1"]), options: options(length))
        #expect(try await call.value == [])
        let sleeper = Task { try await RuntimeClock.system.sleep(length) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test("an unreachable moment is never the moment of a next attempt, start or request")
    func machine() {
        for length in lengths {
            var engine = EngineMachine(canRefresh: true, refreshTimeout: length, seed: 7)
            let slot = SchedulingRequest.QueueSlot(
                host: "h", rate: .init(method: "m", rate: RequestRate(1, per: length)))
            let scheduling = SchedulingRequest(
                slot: slot,
                retry: RetryPolicy(backoff: Backoff(initial: length, maximum: length)),
                mayRepeat: true, throttle: .init(name: "t", interval: length),
                attemptTimeout: length, totalTimeout: nil)
            let (first, second) = (OperationID.next(), OperationID.next())
            engine.add(first)
            engine.add(second)
            engine.handle(.start(first, scheduling, isBlocked: false), at: .seconds(1_000))
            let failure = AttemptFailure(.retry(after: nil), "it failed")
            engine.handle(.attemptFailed(first, attempt: 1, failure), at: .seconds(2_000))
            engine.handle(.start(second, scheduling, isBlocked: false), at: .seconds(3_000))
            engine.handle(.tick, at: .seconds(1_000_000))
            #expect(engine.phase(of: second)?.0 == .failed)
            guard case .waiting(let moment)? = engine.phase(of: first)?.0 else {
                Issue.record("the first does not wait")
                continue
            }
            #expect(moment > .seconds(9_000_000_000))
        }
    }

    @Test("an unreachable moment is never that of a start that waits for others, however many")
    func delayed() {
        for length in lengths {
            var bench = EngineMachineHarness()
            let scheduling = SchedulingRequest(
                slot: .init(host: "h"),
                throttle: .init(name: "t", interval: length, policy: .delay))
            for number in 1...5 { bench.start(UInt64(number), scheduling, at: .seconds(1_000)) }
            bench.send(.cancel(OperationID(number: 2)), at: .seconds(2_000))
            bench.send(.tick, at: .seconds(1_000_000))
            #expect(bench.launched == [1])
            for number in 3...5 {
                guard
                    case .waiting(let moment)? =
                        bench.machine.phase(of: OperationID(number: UInt64(number)))?.0
                else {
                    Issue.record("the start of \(number) does not wait")
                    continue
                }
                #expect(moment > .seconds(9_000_000_000))
            }
        }
    }

    @Test("an unreachable moment ends no token request")
    func token() async throws {
        let deadlines = Lock<[Duration]>([])
        let never = Gate()
        let refresher = RequestCredentialRefresher(
            RefreshRequest("https://id.test/"),
            transport: InMemoryTransport { _ in
                await never.wait()
                return .bytes()
            }, timeout: .seconds(2 * 86_400 + 9),
            clock: RuntimeClock(
                now: RuntimeClock.stopped.now, elapsed: { .seconds(1) },
                sleep: { deadline in deadlines.withLock { $0.append(deadline) } }))
        let old = Credential(token: "old", refreshToken: "r")
        await #expect(throws: CredentialError.self) { try await refresher.refresh(old) }
        #expect(deadlines.withLock { $0 } == [.seconds(2 * 86_400 + 10)])
        for length in lengths {
            let refresher = RequestCredentialRefresher(
                RefreshRequest("https://id.test/"),
                transport: InMemoryTransport { _ in .json(#"{"access_token":"new"}"#) },
                timeout: length, clock: .stopped)
            #expect(try await refresher.refresh(old).token == "new")
        }
    }
}

@Suite("A duration as text")
struct TimeTextTests {
    @Test(
        "a duration as text has few digits, and is never less than its value",
        arguments: [
            (Duration.seconds(60), "60.0 seconds"), (.nanoseconds(59_999_953_520), "60.0 seconds"),
            (.seconds(5.25), "5.25 seconds"), (.nanoseconds(543_219_876), "0.55 seconds"),
            (.milliseconds(12_301), "12.4 seconds"), (.zero, "0.0 seconds"),
            (.nanoseconds(1), "0.001 seconds"), (.seconds(-5), "-5.0 seconds"),
        ])
    func words(_ time: Duration, _ words: String) {
        #expect(time.roundedDescription == words)
    }

    @Test(
        "a duration as text may be of any length",
        arguments: lengths + [Duration(attoseconds: .min)])
    func bounds(_ time: Duration) {
        #expect(time.roundedDescription.hasSuffix(" seconds"))
    }

    @Test("a duration as text is rounded in errors and events")
    func errors() {
        let time = Duration.nanoseconds(59_999_953_520)
        let reasons: [APIError.Reason] = [.timedOut(after: time), .attemptTimedOut(after: time)]
        for reason in reasons {
            let error = APIError(method: "m", phase: .receive, reason: reason)
            #expect(error.description.contains("longer than 60.0 seconds"))
            #expect(error.shortReason.contains("longer than 60.0 seconds"))
        }
        let event = APIEvent(
            date: .init(), elapsed: .zero, api: "a", method: "m", operation: nil, attempt: 1,
            owner: nil, tags: [], kind: .retrying(after: time, because: "it failed"))
        #expect(event.description == "↻ m is retried in 60.0 seconds, because it failed")
    }
}

@Suite("An invalid time-out of a description or of settings")
struct InvalidDurationTests {
    static let lengths = [Duration.zero, .seconds(-1), Duration(attoseconds: .min)]

    @Test(
        "an invalid time-out of a description or of settings is refused, wherever it comes from",
        arguments: lengths)
    func refused(_ length: Duration) async {
        let (manager, transport) = tiny { _ in empty }
        let wrong = [
            Timeouts(silence: length), Timeouts(attempt: length), Timeouts(total: length),
        ]
        for (times, name) in zip(wrong, ["silence", "attempt", "total"]) {
            let endpoint = Endpoint(.get, "users.get", auth: .none, timeouts: times)
            let request = RequestBuilder(RequestTemplate(method: "hasty", endpoint: endpoint))
                .finishEmpty()
            let error = await failure(manager.operation(request))
            #expect(error?.reason == .invalidRequest)
            #expect(error?.violations.map(\.path) == ["timeouts.\(name)"])
        }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "an invalid time-out in settings ends a wait for a refresh or a diagnosis at once",
        arguments: lengths)
    func others(_ length: Duration) async {
        let transport = InMemoryTransport { _ throws(TransportError) in
            throw TransportError(.connectionLost, "the connection broke")
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore()
        ) {
            $0.refresher = .app { _ in
                await Gate().wait()
                return Credential(token: secret)
            }
            $0.settings = EngineSettings(
                clock: .stopped, refreshTimeout: length,
                diagnosis: DiagnosisRules(
                    probe: ReachabilityProbe(
                        hasLink: { true }, resolves: { _ in true }, connects: { _, _ in true }),
                    limit: length, lifetime: length))
        }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.description.contains("getting a new credential took too long") == true)
        let ping = manager.operation(UsersRequests.ping())
        let broken = await #expect(throws: APIError.self) { try await ping.value }
        #expect(broken?.phase == .send && broken?.diagnosis == nil)
    }
}
