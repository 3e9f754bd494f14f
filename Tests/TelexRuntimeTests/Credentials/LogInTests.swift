import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)
private let over = TransportReply.json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)

@Suite("Logging in")
struct LogInTests {
    /// A manager over a server that accepts the token `secret` only, and whose login was abandoned.
    private struct AbandonedLogin {
        let store = MemoryCredentialStore(Credential(token: "worn-out-token"))
        let began = Gate()
        let ended = Gate()
        let log = Log()
        let manager: APIManager<TinyAPI>

        init(_ settings: EngineSettings = EngineSettings(clock: .stopped)) {
            let transport = InMemoryTransport { request in
                let path = request.head.path ?? ""
                return path.contains("ping") || path.contains(secret) ? empty : over
            }
            manager = APIManager<TinyAPI>(transport: transport, credentials: store) {
                [began, ended, log] in
                $0.refresher = .app { _ in
                    began.open()
                    await ended.wait()
                    throw CancellationError()
                }
                $0.settings = settings
                $0.onEvent = { log.add($0.description) }
            }
        }

        func call(_ options: CallOptions = CallOptions()) -> DataOperation<[User]> {
            manager.operation(UsersRequests.get(ids: ["1"]), options: options)
        }
    }

    @Test("logging in resumes the calls that wait for an abandoned login, and serves new ones")
    func waiting() async throws {
        let left = AbandonedLogin()
        let waiting = (0..<3).map { _ in left.call() }
        for call in waiting { call.start() }
        await left.began.wait()
        for call in waiting { await call.reach { $0 == .postponed } }
        try await left.manager.logIn(Credential(token: secret))
        for call in waiting { #expect(try await call.value == []) }
        #expect(try await left.call().value == [])
        left.ended.open()
        await until { left.manager.engine.isIdle }
        #expect(!left.log.text.contains("no new credential"))
        #expect(try await left.store.read()?.token == secret)
    }

    @Test("a login without waiting calls stores the credential, and does nothing else")
    func quiet() async throws {
        let left = AbandonedLogin()
        try await left.manager.logIn(Credential(token: secret))
        #expect(try await left.call().value == [])
        #expect(!left.began.isOpen)
    }

    @Test("logging in changes nothing if the store cannot keep the credential")
    func unkept() async throws {
        let transport = InMemoryTransport { _ in empty }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: .file("/nowhere/at/all.json")
        ) { $0.settings.clock = .stopped }
        await #expect(throws: CredentialStoreError.self) {
            try await manager.logIn(Credential(token: secret))
        }
    }

    @Test("a login by a call in the queue of a waiting call is not awaited by itself")
    func sameQueue() async throws {
        let left = AbandonedLogin()
        let waiting = left.call(CallOptions(queue: "one"))
        waiting.start()
        await left.began.wait()
        await waiting.reach { $0 == .postponed }
        let next = left.call(CallOptions(queue: "one"))
        next.start()
        // The request of the login, in another task than the refresher's.
        let login = left.manager.operation(
            UsersRequests.ping(), options: CallOptions(queue: "one"))
        try await Task { try await login.value }.value
        #expect(waiting.state == .postponed && next.state == .queued)
        try await left.manager.logIn(Credential(token: secret))
        #expect(try await waiting.value == [])
        #expect(try await next.value == [])
        left.ended.open()
    }

    @Test("a login that the user cancels is requested again, and is no error of the app")
    func givenUp() async {
        let left = AbandonedLogin()
        left.ended.open()
        let error = await failure(left.call())
        #expect(error?.needsLogin == true)
        #expect(error?.description.contains("the login was cancelled; log in") == true)
    }

    @Test("a login that fails with a network error reports it as its own call does")
    func network() async {
        let reasons: [(TransportError.Kind, APIError.Fault, Bool)] = [
            (.offline, .network, true), (.tls, .server, false),
        ]
        for (kind, fault, isRetryable) in reasons {
            for wraps in [false, true] {
                let transport = InMemoryTransport { request throws(TransportError) in
                    guard request.head.path?.contains("ping") == true else { return over }
                    throw TransportError(kind, "no way")
                }
                let manager = APIManager<TinyAPI>(
                    transport: transport, credentials: .memory(Credential(token: "worn-out-token"))
                ) {
                    $0.refresher = .app { _ in
                        guard wraps else { throw TransportError(kind, "no way") }
                        _ = try await APIManager<TinyAPI>(transport: transport) {
                            $0.settings.clock = .stopped
                        }
                        .operation(UsersRequests.ping()).value
                        return Credential(token: secret)
                    }
                    $0.settings.clock = .stopped
                }
                let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
                #expect(error?.phase == .auth && error?.fault == fault)
                #expect(error?.isRetryable == isRetryable)
            }
        }
    }

    @Test("a login that exceeds its time-out is reported to listeners at once")
    func tooLong() async {
        let clock = VirtualClock()
        let left = AbandonedLogin(
            EngineSettings(clock: clock.runtimeClock, refreshTimeout: .seconds(5)))
        let call = left.call()
        call.start()
        await left.began.wait()
        await call.reach { $0 == .postponed }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        #expect(await failure(call)?.reason != nil)
        #expect(left.log.text.contains("no new credential, because getting a new credential took"))
        left.ended.open()
    }
}
