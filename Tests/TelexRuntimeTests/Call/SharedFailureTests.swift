import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

private let empty = TransportReply.json(#"{"response":[]}"#)
private let over = TransportReply.json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)

/// Calls that were suspended while they waited for a refresh that failed.
@Suite("A call that was suspended while a refresh failed")
struct SharedFailureTests {
    private static let newToken = "another-of-ada"

    /// A manager whose refresh fails when a gate opens.
    private struct TestClient {
        let clock = VirtualClock()
        let store = MemoryCredentialStore()
        let refreshes = Counter()
        let mayFail = Gate()
        let hasFailed = Gate()
        let mayPing = Gate()
        let transport: InMemoryTransport
        let manager: APIManager<TinyAPI>

        init() async throws {
            transport = InMemoryTransport { [mayPing] request in
                let path = request.head.path ?? ""
                guard path.contains("ping") else {
                    return path.contains(SharedFailureTests.newToken) ? empty : over
                }
                await mayPing.wait()
                return .bytes([])
            }
            manager = APIManager<TinyAPI>(transport: transport, credentials: store) {
                [clock, refreshes, mayFail, hasFailed] in
                $0.refresher = .app { _ in
                    _ = refreshes.next()
                    await mayFail.wait()
                    throw CredentialError(.refused(.invalidGrant), "the refresh token is over")
                }
                $0.settings.clock = clock.runtimeClock
                $0.onEvent = { if case .refreshFailed = $0.kind { hasFailed.open() } }
            }
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
                !manager.engine.state.withLock { $0.machine.gates[0].isRefreshing }
            }
        }

        /// Two calls that are suspended when the refresh fails: one with a refused token, and one
        /// that was not sent.
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

    @Test("a call suspended while a refresh failed fails on resuming, and sends no expired token")
    func sameToken() async throws {
        let client = try await TestClient()
        for call in await client.suspended() {
            call.resume()
            let error = await failure(call)
            #expect(error?.needsLogin == true)
            #expect(error?.description.contains("the refresh token is over") == true)
        }
        #expect(client.transport.requests.count == 1 && client.refreshes.value == 1)
    }

    @Test("a call suspended while a refresh failed goes on with a token another process refreshed")
    func newToken() async throws {
        let client = try await TestClient()
        let calls = await client.suspended()
        let old = try await client.store.read()
        try await client.store.save(Credential(token: Self.newToken).continuing(old))
        for call in calls {
            call.resume()
            #expect(try await call.value == [])
        }
        #expect(client.transport.requests.count == 3 && client.refreshes.value == 1)
    }

    @Test("a suspended call reports a later log-in in another process, and asks for no log-in")
    func otherLogin() async throws {
        let client = try await TestClient()
        let calls = await client.suspended()
        try await client.store.save(Credential(token: Self.newToken).withNewLogin)
        calls[0].resume()
        let error = await failure(calls[0])
        #expect(error?.needsLogin == false)
        #expect(error?.description.contains("another login has happened") == true)
        #expect(client.transport.requests.count == 1)
    }

    @Test("a resumed call that waits for its turn does not send the token that was not refreshed")
    func queued() async throws {
        let client = try await TestClient()
        let options = CallOptions(queue: "one")
        let call = await client.postponed(options)
        let ping = client.manager.operation(UsersRequests.ping(), options: options)
        ping.start()
        await ping.reach { $0 == .running(attempt: 1) }
        call.suspend()
        await call.reach { $0 == .suspended }
        call.resume()
        await call.reach { $0 == .queued }
        await client.failRefresh()
        client.mayPing.open()
        #expect(await failure(call)?.needsLogin == true)
        let tokens = client.transport.requests.compactMap(\.head.path).filter {
            $0.contains("users")
        }
        #expect(tokens.count == 1 && client.refreshes.value == 1)
    }

    @Test("a suspended call requests a new token again if it resumes after a possible log-in")
    func later() async throws {
        let client = try await TestClient()
        let calls = await client.suspended()
        client.clock.advance(by: .seconds(4))
        calls[0].resume()
        #expect(await failure(calls[0])?.needsLogin == true && client.refreshes.value == 1)
        client.clock.advance(by: .seconds(60))
        calls[1].resume()
        #expect(await failure(calls[1])?.needsLogin == true && client.refreshes.value == 2)
    }
}
