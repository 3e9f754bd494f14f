import Foundation
import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("A busy token server")
struct TokenServerPauseTests {
    /// A manager whose token server is busy.
    private struct BusyTokenServer {
        let clock = VirtualClock()
        let asked = Counter()
        /// The gates for the request and the reply of a slow call.
        let sent = Gate()
        let answer = Gate()
        let manager: APIManager<TinyAPI>

        init(
            _ old: Credential, status: HTTPResponse.Status = .tooManyRequests,
            fields: HTTPFields = [.retryAfter: "3600"]
        ) {
            let transport = InMemoryTransport { [asked, sent, answer] request in
                if request.head.path?.contains(secret) == true {
                    return .json(#"{"response":[]}"#)
                }
                if request.head.path?.contains("slow") == true {
                    sent.open()
                    await answer.wait()
                }
                guard request.head.path == "/token" else {
                    return .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
                }
                _ = asked.next()
                return .json("{}", status: status, fields: fields)
            }
            manager = APIManager<TinyAPI>(transport: transport, credentials: .memory(old)) {
                [transport, clock] in
                $0.refresher = RequestCredentialRefresher(
                    RefreshRequest("https://id.test/token"), transport: transport,
                    clock: clock.runtimeClock)
                $0.settings.clock = clock.runtimeClock
            }
        }

        func call() async -> APIError? {
            await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        }

        /// How many requests the token server has received.
        var requests: Int { asked.value }
    }

    private let old = Credential(token: "worn-out-token", refreshToken: "once")

    @Test(
        "a busy token server is asked once in its pause, by however many calls, and again later",
        arguments: [HTTPResponse.Status.tooManyRequests, .serviceUnavailable])
    func once(status: HTTPResponse.Status) async {
        for expiry in [nil, Date.distantPast] {
            var old = old
            old.expiry = expiry
            let busy = BusyTokenServer(old, status: status)
            for number in 0..<20 {
                let error = await busy.call()
                #expect(error?.retryAfter == .seconds(3600 - number))
                #expect(error?.isRetryable == true && error?.fault == .server)
                #expect((error?.cause as? CredentialError)?.retryAfter == .seconds(3600))
                busy.clock.advance(by: .seconds(1))
            }
            busy.clock.advance(by: .microseconds(123_456))
            let words = await busy.call()?.description
            #expect(words?.contains("it asks to wait 3579.9 seconds") == true)
            #expect(busy.requests == 1)
            busy.clock.advance(by: .seconds(3580))
            _ = await busy.call()
            #expect(busy.requests == 2)
        }
    }

    @Test("a busy token server does not delay a later log-in")
    func logIn() async throws {
        let busy = BusyTokenServer(old)
        _ = await busy.call()
        try await busy.manager.logIn(Credential(token: secret))
        #expect(await busy.call() == nil)
        try await busy.manager.logIn(old)
        _ = await busy.call()
        #expect(busy.requests == 2)
    }

    @Test("a busy token server delays no calls for which another process has refreshed the token")
    func newerToken() async throws {
        let busy = BusyTokenServer(old)
        let call = busy.manager.operation(UsersRequests.get(ids: ["slow"]))
        call.start()
        await busy.sent.wait()
        _ = await busy.call()
        try await busy.manager.credentials.save(Credential(token: secret))
        busy.answer.open()
        #expect(try await call.value == [])
        #expect(busy.requests == 1)
    }

    @Test("a busy token server is not asked by a log-out either, which goes on with the old token")
    func logOut() async throws {
        var old = old
        old.expiry = .distantPast
        let busy = BusyTokenServer(old)
        _ = await busy.call()
        let leaving = busy.manager.operation(UsersRequests.get(ids: ["1"]))
        await #expect(throws: (any Error).self) { try await busy.manager.logOut(leaving) }
        #expect(busy.requests == 1)
    }

    @Test("a busy token server is asked by each call if it declares no pause")
    func unsaid() async {
        for fields in [[:], [.retryAfter: "0"], [.retryAfter: "soon"]] as [HTTPFields] {
            let busy = BusyTokenServer(old, fields: fields)
            for _ in 0..<2 { #expect(await busy.call()?.retryAfter == nil) }
            #expect(busy.requests == 2)
        }
    }

    @Test("a busy token server is not awaited if it refuses the refresh token")
    func refused() async {
        let busy = BusyTokenServer(old, status: .badRequest)
        let error = await busy.call()
        #expect(error?.needsLogin == true && error?.retryAfter == nil)
    }

    @Test("a busy token server is not asked for unrepeatable calls either, until a log-out")
    func machine() {
        var bench = EngineMachineHarness()
        func scheduling() -> SchedulingRequest {
            SchedulingRequest(
                slot: .init(queue: nil, host: "a.test", owner: nil, schemes: [.login]),
                retry: RetryPolicy(attempts: 3), mayRepeat: true)
        }
        for number in 1...2 as ClosedRange<UInt64> { bench.start(number, scheduling()) }
        bench.fail(1, AttemptFailure(.refresh(.login), "expired"))
        bench.send(.refreshEnded(number: 1, succeeded: false, pause: .seconds(60)))
        bench.start(5, scheduling())
        bench.fail(5, AttemptFailure(.renew(.login), "expired"))
        bench.fail(2, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.completed[2] == .failed(.notRefreshed(.login)))
        #expect(bench.machine.refreshes == 1)
        bench.send(.loggedOut)
        bench.start(6, scheduling())
        bench.fail(6, AttemptFailure(.refresh(.login), "expired"))
        #expect(bench.machine.refreshes == 2)
    }
}
