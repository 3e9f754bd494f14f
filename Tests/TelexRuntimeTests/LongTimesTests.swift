import HTTPTypes
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)
/// Lengths of time that no clock can wait for, and none can be added to.
private let lengths = [
    Duration.seconds(10_000_000_000), .seconds(Int64.max), Duration(attoseconds: .max),
]

@Suite("A time that never comes", .timeLimit(.minutes(5)))
struct LongTimesTests {
    /// Every limit and wait that an app can give a call.
    private func options(_ length: Duration) -> CallOptions {
        CallOptions(
            timeouts: Timeouts(silence: length, attempt: length, total: length),
            retry: RetryPolicy(backoff: Backoff(initial: length, jitter: 0, maximum: length)))
    }

    @Test("is waited for in days", arguments: lengths)
    func steps(_ length: Duration) async throws {
        let clock = VirtualClock()
        let longest = Mutex(Duration.zero)
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

    @Test("is none for the system's clock either", arguments: lengths)
    func system(_ length: Duration) async throws {
        let manager = APIManager<Tiny>(
            transport: InMemoryTransport { _ in empty },
            credentials: MemoryCredentialStore(Credential(token: secret)),
            settings: EngineSettings(refreshTimeout: length))
        let call = manager.operation(UsersRequests.get(ids: ["1"]), options: options(length))
        #expect(try await call.value == [])
        let sleeper = Task { try await RuntimeClock.system.sleep(length) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test("is never the moment of a next attempt, a next start or a next request")
    func machine() {
        for length in lengths {
            var engine = EngineMachine(canRefresh: true, refreshTimeout: length, seed: 7)
            let seat = Ticket.Seat(
                host: "h", rate: .init(method: "m", rate: RequestRate(1, per: length)))
            let ticket = Ticket(
                seat: seat,
                retry: RetryPolicy(backoff: Backoff(initial: length, maximum: length)),
                mayRepeat: true, throttle: .init(name: "t", interval: length),
                attemptTimeout: length, totalTimeout: nil)
            let (first, second) = (OperationID.next(), OperationID.next())
            engine.add(first)
            engine.add(second)
            engine.handle(.start(first, ticket, isBlocked: false), at: .seconds(1_000))
            let failure = AttemptFailure(.retry(after: nil), "it failed")
            engine.handle(.attemptFailed(first, attempt: 1, failure), at: .seconds(2_000))
            engine.handle(.start(second, ticket, isBlocked: false), at: .seconds(3_000))
            engine.handle(.tick, at: .seconds(1_000_000))
            #expect(engine.phase(of: second)?.0 == .failed)
            guard case .waiting(let moment)? = engine.phase(of: first)?.0 else {
                Issue.record("the first does not wait")
                continue
            }
            #expect(moment > .seconds(9_000_000_000))
        }
    }

    @Test("is never the moment of a start that waits for others, however many there are")
    func delayed() {
        for length in lengths {
            var bench = EngineBench()
            let ticket = Ticket(
                seat: .init(host: "h"),
                throttle: .init(name: "t", interval: length, policy: .delay))
            for number in 1...5 { bench.start(UInt64(number), ticket, at: .seconds(1_000)) }
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

    @Test("ends no request for a token")
    func token() async throws {
        let deadlines = Mutex<[Duration]>([])
        let never = Gate()
        let refresher = RequestCredentialRefresher(
            RefreshRequest("https://id.test/"),
            transport: InMemoryTransport { _ in
                await never.wait()
                return .bytes()
            }, timeout: .seconds(2 * 86_400 + 9),
            clock: RuntimeClock(
                now: RuntimeClock.system.now, elapsed: { .seconds(1) },
                sleep: { deadline in deadlines.withLock { $0.append(deadline) } }))
        let old = Credential(token: "old", refreshToken: "r")
        await #expect(throws: CredentialError.self) { try await refresher.refresh(old) }
        #expect(deadlines.withLock { $0 } == [.seconds(2 * 86_400 + 10)])
        for length in lengths {
            let refresher = RequestCredentialRefresher(
                RefreshRequest("https://id.test/"),
                transport: InMemoryTransport { _ in .json(#"{"access_token":"new"}"#) },
                timeout: length)
            #expect(try await refresher.refresh(old).token == "new")
        }
    }
}
