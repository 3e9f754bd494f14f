import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)
private let over = TransportReply.json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)

/// Calls that were suspended while they waited for a refresh that failed.
@Suite("A call that was suspended while a refresh failed")
struct SharedFailureTests {
    private static let newToken = "another-of-ada"

    /// A manager whose refresh fails as soon as it is allowed to.
    private struct Desk {
        let clock = VirtualClock()
        let store = MemoryCredentialStore()
        let refreshes = Counter()
        let mayFail = Gate()
        let hasFailed = Gate()
        let mayPing = Gate()
        let transport: InMemoryTransport
        let manager: APIManager<Tiny>

        init() async throws {
            transport = InMemoryTransport { [mayPing] request in
                let path = request.head.path ?? ""
                guard path.contains("ping") else {
                    return path.contains(SharedFailureTests.newToken) ? empty : over
                }
                await mayPing.wait()
                return .bytes([])
            }
            manager = APIManager<Tiny>(
                transport: transport, credentials: store,
                refresher: .app { [refreshes, mayFail] _ in
                    _ = refreshes.next()
                    await mayFail.wait()
                    throw CredentialError(.refused(.invalidGrant), "the refresh token is over")
                },
                settings: EngineSettings(clock: clock.runtimeClock),
                onEvent: { [hasFailed] in if case .refreshFailed = $0.kind { hasFailed.open() } })
            try await manager.logIn(Credential(token: "token-of-ada"))
        }

        func call(_ options: CallOptions = CallOptions()) -> DataOperation<[User]> {
            manager.operation(UsersRequests.get(ids: ["1"]), options: options)
        }

        /// A call that waits for a refresh.
        func postponed(_ options: CallOptions = CallOptions()) async -> DataOperation<[User]> {
            let call = call(options)
            call.start()
            await call.reach { $0 == .postponed }
            return call
        }

        func failRefresh() async {
            mayFail.open()
            await hasFailed.wait()
            await until {
                !manager.engine.state.withLock { $0.machine.credentialGate.isRefreshing }
            }
        }

        /// Two calls that are suspended when the refresh fails: one whose token was refused, and one that
        /// has not been sent.
        func suspended() async -> [DataOperation<[User]>] {
            let calls = [await postponed(), await postponed()]
            for call in calls {
                call.suspend()
                await call.reach { $0 == .suspended }
            }
            await failRefresh()
            return calls
        }
    }

    @Test("fails when it goes on, and does not send the token that is no longer good")
    func sameToken() async throws {
        let desk = try await Desk()
        for call in await desk.suspended() {
            call.resume()
            let error = await failure(call)
            #expect(error?.needsLogin == true)
            #expect(error?.description.contains("the refresh token is over") == true)
        }
        #expect(desk.transport.requests.count == 1 && desk.refreshes.value == 1)
    }

    @Test("goes on with what another process has refreshed since")
    func newToken() async throws {
        let desk = try await Desk()
        let calls = await desk.suspended()
        let old = try await desk.store.read()
        try await desk.store.save(Credential(token: Self.newToken).continuing(old))
        for call in calls {
            call.resume()
            #expect(try await call.value == [])
        }
        #expect(desk.transport.requests.count == 3 && desk.refreshes.value == 1)
    }

    @Test("says so if somebody has logged in since in another process, and asks for no log-in")
    func otherLogin() async throws {
        let desk = try await Desk()
        let calls = await desk.suspended()
        try await desk.store.save(Credential(token: Self.newToken).ofNewLogin)
        calls[0].resume()
        let error = await failure(calls[0])
        #expect(error?.needsLogin == false)
        #expect(error?.description.contains("somebody has logged in anew") == true)
        #expect(desk.transport.requests.count == 1)
    }

    @Test("and has gone on, but waits for its turn, does not send that token again either")
    func queued() async throws {
        let desk = try await Desk()
        let options = CallOptions(queue: "one")
        let call = await desk.postponed(options)
        let ping = desk.manager.operation(UsersRequests.ping(), options: options)
        ping.start()
        await ping.reach { $0 == .running(attempt: 1) }
        call.suspend()
        await call.reach { $0 == .suspended }
        call.resume()
        await call.reach { $0 == .queued }
        await desk.failRefresh()
        desk.mayPing.open()
        #expect(await failure(call)?.needsLogin == true)
        let tokens = desk.transport.requests.compactMap(\.head.path).filter { $0.contains("users") }
        #expect(tokens.count == 1 && desk.refreshes.value == 1)
    }

    @Test("asks for a new token once more if it goes on when somebody may have logged in")
    func later() async throws {
        let desk = try await Desk()
        let calls = await desk.suspended()
        desk.clock.advance(by: .seconds(4))
        calls[0].resume()
        #expect(await failure(calls[0])?.needsLogin == true && desk.refreshes.value == 1)
        desk.clock.advance(by: .seconds(60))
        calls[1].resume()
        #expect(await failure(calls[1])?.needsLogin == true && desk.refreshes.value == 2)
    }
}
