import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

/// A manager that can refresh its credential, over a server that accepts one token.
private struct RefreshingAPI {
    let manager: APIManager<TinyAPI>
    let store = MemoryCredentialStore(Credential(token: "old"))
    let refreshes = Counter()
    let transport: InMemoryTransport

    /// - Parameters:
    ///   - refresh: What a refresh does; it is given its number.
    ///   - good: The token that the server takes.
    init(
        good: String = "new", settings: EngineSettings = EngineSettings(clock: .stopped),
        _ refresh: @escaping @Sendable (Int) async throws -> Credential
    ) {
        transport = InMemoryTransport { request in
            request.head.path?.contains("access_token=\(good)") == true
                ? .json(#"{"response":[]}"#)
                : .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
        }
        manager = APIManager<TinyAPI>(transport: transport, credentials: store) { [refreshes] in
            $0.refresher = .app { _ in try await refresh(refreshes.next()) }
            $0.settings = settings
        }
    }

    func call() -> DataOperation<[User]> {
        manager.operation(UsersRequests.get(ids: ["1"]))
    }
}

@Suite("An expired credential")
struct CredentialRefreshTests {
    struct Refused: Error, Equatable {}

    @Test(
        "an expired credential is refreshed once for 10,000 calls, and each ends with its value")
    func single() async throws {
        let gate = Gate()
        let api = RefreshingAPI { _ in
            await gate.wait()
            return Credential(token: "new")
        }
        let calls = (0..<10_000).map { _ in api.call() }
        for call in calls { call.start() }
        gate.open()
        for call in calls { #expect(try await call.value == []) }
        #expect(api.refreshes.value == 1)
        await until { api.manager.engine.isIdle }
    }

    @Test("an expired credential fails all calls with the same error when it cannot be refreshed")
    func refused() async {
        let api = RefreshingAPI { _ in throw Refused() }
        let calls = (0..<100).map { _ in api.call() }
        for call in calls { call.start() }
        for call in calls {
            let error = await failure(call)
            #expect(error?.cause is Refused)
            #expect(error?.phase == .auth)
        }
    }

    @Test("an expired credential is not refreshed endlessly if the new one is refused too")
    func refusedAgain() async {
        let api = RefreshingAPI(good: "another") { _ in Credential(token: "new") }
        let error = await failure(api.call())
        #expect(error?.reason == .credentialRefused)
        #expect(api.refreshes.value == 1)
    }

    @Test("an expired credential is refreshed even if the call that was refused is cancelled")
    func firstCancelled() async throws {
        let began = Gate()
        let gate = Gate()
        let api = RefreshingAPI { _ in
            began.open()
            await gate.wait()
            return Credential(token: "new")
        }
        let first = api.call()
        let second = api.call()
        first.start()
        await began.wait()
        second.start()
        first.cancel()
        gate.open()
        #expect(try await second.value == [])
        #expect(first.state == .cancelled)
        #expect(api.refreshes.value == 1)
    }

    @Test("an expired credential blocks no call for longer than the refresh time-out")
    func hangs() async {
        let clock = VirtualClock()
        let api = RefreshingAPI(
            settings: EngineSettings(
                clock: clock.runtimeClock, refreshTimeout: .milliseconds(5))
        ) { _ in
            await Gate().wait()
            return Credential(token: "new")
        }
        let call = api.call()
        call.start()
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(5))
        let error = await failure(call)
        #expect(error?.phase == .auth)
        #expect(error?.cause is RefreshTimedOut)
    }

    /// A manager whose first refresh exceeds its time-out and ends when a gate is opened.
    private struct SlowRefresh {
        let clock = VirtualClock()
        let began = Gate()
        let gate = Gate()
        let api: RefreshingAPI

        /// - Parameter end: What comes of a refresh by its number, unless somebody cancels it.
        init(
            _ end: @escaping @Sendable (Int) throws -> Credential = { _ in
                Credential(token: "new")
            }
        ) {
            let settings = EngineSettings(
                clock: clock.runtimeClock, refreshTimeout: .seconds(5))
            api = RefreshingAPI(settings: settings) { [began, gate] number in
                if number == 1 {
                    began.open()
                    await gate.wait()
                }
                try Task.checkCancellation()
                return try end(number)
            }
        }

        /// Makes a call that fails by the time-out of the refresh.
        func diagnoseThenFail() async {
            let call = api.call()
            call.start()
            await began.wait()
            await call.reach { $0 == .postponed }
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(5))
            #expect(await failure(call)?.cause is RefreshTimedOut)
        }
    }

    @Test(
        "a new credential that arrives when no call waits is kept, and the next call uses it")
    func late() async throws {
        let slow = SlowRefresh()
        await slow.diagnoseThenFail()
        slow.gate.open()
        try await slow.api.store.exclusively {}
        #expect(try await slow.api.store.read() == Credential(token: "new"))
        #expect(try await slow.api.call().value == [])
        #expect(slow.api.refreshes.value == 1)
        await until { slow.api.manager.engine.isIdle }
    }

    @Test("an expired credential is awaited by the next call, even if those before it timed out")
    func joined() async throws {
        let slow = SlowRefresh()
        await slow.diagnoseThenFail()
        let next = slow.api.call()
        next.start()
        await next.reach { $0 == .postponed }
        slow.gate.open()
        #expect(try await next.value == [])
        #expect(slow.api.refreshes.value == 1)
    }

    @Test("an expired credential is requested again if the refresh beyond its time-out failed")
    func failsLate() async throws {
        let slow = SlowRefresh { number in
            guard number > 1 else { throw Refused() }
            return Credential(token: "new")
        }
        await slow.diagnoseThenFail()
        let next = slow.api.call()
        next.start()
        await next.reach { $0 == .postponed }
        slow.gate.open()
        #expect(try await next.value == [])
        #expect(slow.api.refreshes.value == 2)
    }

    @Test("a refresh time-out also fails calls that learn of it later, however the refresh ended")
    func lateError() async {
        let clock = VirtualClock()
        let (bothSent, began, refresh, answer) = (Gate(), Gate(), Gate(), Gate())
        let transport = InMemoryTransport { request in
            if request.head.path?.contains("user_ids=2") == true {
                bothSent.open()
                await answer.wait()
            }
            await bothSent.wait()
            return .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "old"))
        ) {
            $0.refresher = .app { _ in
                began.open()
                await refresh.wait()
                throw Refused()
            }
            $0.settings.clock = clock.runtimeClock
            $0.settings.refreshTimeout = .seconds(5)
        }
        let calls = ["1", "2"].map { manager.operation(UsersRequests.get(ids: [$0])) }
        for call in calls { call.start() }
        await began.wait()
        await calls[0].reach { $0 == .postponed }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        #expect(await failure(calls[0])?.cause is RefreshTimedOut)
        refresh.open()
        await manager.engine.state.withLock { $0.refreshing[.login]?.task }?.value
        answer.open()
        #expect(await failure(calls[1])?.cause is RefreshTimedOut)
    }

    @Test("an expired credential is not requested for calls that timed out before their turn")
    func inVain() async {
        let slow = SlowRefresh { _ in throw Refused() }
        await slow.diagnoseThenFail()
        await slow.diagnoseThenFail()
        let next = slow.api.call()
        next.start()
        await next.reach { $0 == .postponed }
        slow.gate.open()
        #expect(await failure(next)?.cause is Refused)
        #expect(slow.api.refreshes.value == 2)
    }

    @Test(
        "a refresh is cancelled with all calls before it on log-out: the next user gets another"
    )
    func loggedOut() async throws {
        let slow = SlowRefresh()
        await slow.diagnoseThenFail()
        let next = slow.api.call()
        next.start()
        await next.reach { $0 == .postponed }
        let manager = slow.api.manager
        _ = try? await manager.logOut(manager.operation(UsersRequests.ping()))
        #expect(next.state == .cancelled)
        try await slow.api.store.save(Credential(token: "of another, and over"))
        #expect(try await slow.api.call().value == [])
        #expect(slow.api.refreshes.value == 2 && !slow.gate.isOpen)
    }

    @Test("an expired credential is kept even if the manager is released when it arrives")
    func outlivesManager() async throws {
        var slow: SlowRefresh? = SlowRefresh()
        let (store, gate) = try #require(slow.map { ($0.api.store, $0.gate) })
        let engine = WeakReference(slow?.api.manager.engine)
        await slow?.diagnoseThenFail()
        slow = nil
        await until { engine.object == nil }
        gate.open()
        try await store.exclusively {}
        #expect(try await store.read() == Credential(token: "new"))
    }

    @Test("an expired credential keeps operations' identity: attempts are counted, not operations")
    func sameHandle() async throws {
        let api = RefreshingAPI { _ in Credential(token: "new") }
        let call = api.call()
        let states = call.states
        _ = try await call.value
        var seen: [OperationState] = []
        for await state in states { seen.append(state) }
        #expect(
            seen == [
                .ready, .queued, .running(attempt: 1), .postponed, .queued, .running(attempt: 2),
                .succeeded,
            ])
        #expect(call.attempts.map(\.number) == [1, 2])
    }

    @Test("an expired credential may be refreshed by a call of the API itself, without a deadlock")
    func refreshCallsAPI() async throws {
        let manager = Lock<APIManager<TinyAPI>?>(nil)
        let api = RefreshingAPI { _ in
            guard let manager = manager.withLock({ $0 }) else { throw Refused() }
            // This call carries the old credential, so it fails instead of waiting.
            let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
            #expect(error?.reason == .credentialRefused)
            return Credential(token: "new")
        }
        manager.withLock { $0 = api.manager }
        let calls = (0..<10).map { _ in api.call() }
        for call in calls { call.start() }
        for call in calls { #expect(try await call.value == []) }
        #expect(api.refreshes.value == 1)
        manager.withLock { $0 = nil }
    }

    @Test("a group or an equal API call may refresh an expired credential, without a deadlock")
    func refreshSharesCalls() async throws {
        let manager = Lock<APIManager<TinyAPI>?>(nil)
        let api = RefreshingAPI { _ in
            guard let manager = manager.withLock({ $0 }) else { throw Refused() }
            @Sendable func shared() -> DataOperation<[User]> {
                manager.operation(EngineRequests.shared(id: 1))
            }
            let group = manager.group { try await $0.run(shared()) }
            for error in [await failure(group), await failure(shared())] {
                #expect(error?.reason == .credentialRefused)
            }
            return Credential(token: "new")
        }
        manager.withLock { $0 = api.manager }
        // This call waits for the refresh and has the same request.
        #expect(try await api.manager.operation(EngineRequests.shared(id: 1)).value == [])
        #expect(api.refreshes.value == 1)
        manager.withLock { $0 = nil }
    }

    @Test("a refresher may leave tasks behind: their calls wait for the next refresh")
    func tasksLeftBehind() async throws {
        let manager = Lock<APIManager<TinyAPI>?>(nil)
        let over = Gate()
        let late = Lock<Task<[User], any Error>?>(nil)
        let api = RefreshingAPI(good: "new2") { number in
            guard let manager = manager.withLock({ $0 }) else { throw Refused() }
            if number == 1 {
                let task = Task {
                    await over.wait()
                    return try await manager.operation(UsersRequests.get(ids: ["1"])).value
                }
                late.withLock { $0 = task }
            }
            return Credential(token: "new\(number)")
        }
        manager.withLock { $0 = api.manager }
        // The first new one is refused too.
        #expect(await failure(api.call())?.reason == .credentialRefused)
        over.open()
        let task = try #require(late.withLock { $0 })
        #expect(try await task.value == [])
        #expect(api.refreshes.value == 2)
        manager.withLock { $0 = nil }
    }
}
