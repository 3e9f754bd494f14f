import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// A store that cannot clear.
private struct StubbornStore: CredentialStore {
    func read() async throws(CredentialStoreError) -> Credential? { Credential(token: secret) }
    func save(_ new: Credential) async throws(CredentialStoreError) {}
    func clear() async throws(CredentialStoreError) {
        throw CredentialStoreError(.clear, "the disk is read-only")
    }
}

@Suite("Logging out")
struct LogOutTests {
    @Test("logging out informs the server with the token, then clears it")
    func success() async throws {
        let (manager, transport) = tiny { _ in .json(#"{"response":[]}"#) }
        let users = try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        #expect(users.isEmpty)
        #expect(transport.requests.first?.head.path?.contains(secret) == true)
        #expect(try await manager.credentials.read() == nil)
    }

    /// A store whose credential is replaced as soon as it has been read.
    private struct InterferingStore: CredentialStore {
        let base: MemoryCredentialStore
        let next: Credential
        let reads = Counter()

        func read() async throws(CredentialStoreError) -> Credential? {
            let stored = try await base.read()
            if reads.next() == 1 { try await base.save(next) }
            return stored
        }
        func save(_ new: Credential) async throws(CredentialStoreError) { try await base.save(new) }
        func clear() async throws(CredentialStoreError) { try await base.clear() }
        func replace(
            _ old: Credential?, by new: Credential?
        ) async throws(CredentialStoreError) -> Credential? {
            try await base.replace(old, by: new)
        }
    }

    @Test("a log-out informs the server with the token it clears, also after a concurrent refresh")
    func refreshed() async throws {
        let transport = InMemoryTransport { _ in empty }
        let store = InterferingStore(
            base: .memory(Credential(token: "worn-out-token")), next: Credential(token: secret))
        let manager = APIManager<TinyAPI>(transport: transport, credentials: store) {
            $0.settings.clock = .stopped
        }
        try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        #expect(transport.requests.first?.head.path?.contains(secret) == true)
        #expect(try await store.base.read() == nil)
    }

    @Test("a log-out without a revocation request cancels the calls, and clears the token")
    func untold() async throws {
        let client = TestClient { _ in
            await Gate().wait()
            return empty
        }
        let call = client.call()
        let open = client.manager.operation(UsersRequests.ping())
        for operation in [call, open] as [OperationHandle] { operation.start() }
        await call.reach { $0 == .running(attempt: 1) }
        try await client.manager.logOut()
        #expect(call.state == .cancelled && !open.state.isTerminal)
        #expect(try await client.manager.credentials.read() == nil)
        open.cancel()
        let stubborn = APIManager<TinyAPI>(
            transport: client.transport, credentials: StubbornStore()
        ) { $0.settings.clock = .stopped }
        let error = await #expect(throws: LogOutError.self) { try await stubborn.logOut() }
        #expect(error?.requestError == nil && error?.storeError.task == .clear)
        #expect(error?.isStillStored == true)
        #expect(error?.description.hasPrefix("the token is still stored: ") == true)
    }

    @Test("a log-out that could not lock out other processes reports whether the token is cleared")
    func keptOut() async throws {
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        let store = FileCredentialStore(path: place.path, pause: { _ in await Task.yield() })
        try await store.save(Credential(token: secret))
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in empty }, credentials: store
        ) { $0.settings.clock = .stopped }
        let lock = FileLock(path: place.path + ".write.lock", pause: { _ in })
        let error = try await lock.withLock {
            await #expect(throws: LogOutError.self) { try await manager.logOut() }
        }
        #expect(error?.isStillStored == false && error?.storeError.task == .lock)
        let words = "the token is deleted here, but another process may store it again: "
        #expect(error?.description.hasPrefix(words) == true)
        #expect(try await store.read() == nil)
    }

    @Test("logging out keeps the credential of a concurrent log-in")
    func loggedIn() async throws {
        let transport = InMemoryTransport { _ in empty }
        let store = InterferingStore(base: .memory, next: Credential(token: secret))
        let manager = APIManager<TinyAPI>(transport: transport, credentials: store) {
            $0.settings.clock = .stopped
        }
        await #expect(throws: APIError.self) {
            try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        }
        #expect(transport.requests.isEmpty)
        #expect(try await store.base.read()?.token == secret)
    }

    @Test("logging out clears the token even when the request fails, and reports that failure")
    func failing() async throws {
        let (manager, _) = tiny { _ throws(TransportError) in
            throw TransportError(.offline, "no network")
        }
        let error = await #expect(throws: APIError.self) {
            try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        }
        #expect(error?.phase == .connect || error?.phase == .send)
        #expect(try await manager.credentials.read() == nil)
    }

    @Test("logging out clears the token even when it is cancelled")
    func cancelled() async throws {
        let met = Gate()
        let never = Gate()
        let (manager, _) = tiny { _ in
            met.open()
            await never.wait()
            return .bytes()
        }
        let task = Task {
            try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        }
        await met.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await manager.credentials.read() == nil)
    }

    @Test("a log-out cancels all operations that carry the token, in any state, and no others")
    func others() async throws {
        let held = Gate()
        let client = TestClient { request in
            // Only the log-out is answered before the others are looked at.
            if request.head.path?.contains("shared") != true { await held.wait() }
            return empty
        }
        let mine = (0..<3).map { _ in client.call() }
        for call in mine { call.start() }
        mine[1].suspend()
        let ping = client.manager.operation(UsersRequests.ping())
        ping.suspend()
        ping.start()
        ping.suspend()
        _ = try await client.manager.logOut(client.manager.operation(EngineRequests.shared(id: 1)))
        #expect(mine.map(\.state) == Array(repeating: .cancelled, count: 3))
        #expect(ping.state == .suspended)
        try await client.manager.credentials.save(Credential(token: "of another"))
        held.open()
        await until { client.manager.operations.map(\.id) == [ping.id] }
        #expect(client.transport.requests.allSatisfy { $0.head.path?.contains("another") != true })
    }

    @Test("logging out cancels calls that share a request, and their request")
    func sharing() async throws {
        let (asked, held) = (Gate(), Gate())
        let client = TestClient { request in
            if request.head.path?.contains("shared") != true { return empty }
            asked.open()
            await held.wait()
            return empty
        }
        let mine = (0..<2).map { _ in
            client.manager.operation(EngineRequests.shared(id: 1), options: TestClient.retrying)
        }
        for call in mine { call.start() }
        await asked.wait()
        await client.subscribers(2)
        _ = try await client.manager.logOut(client.manager.operation(UsersRequests.get(ids: [])))
        #expect(mine.map(\.state) == [.cancelled, .cancelled])
        await until { client.manager.engine.isIdle }
    }

    /// A manager whose token is expired or not, with a gate for its refresh.
    private func manager(
        _ transport: InMemoryTransport, expiry: Date? = nil,
        refresher: any CredentialRefresher
    ) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: transport,
            credentials: .memory(Credential(token: secret, expiry: expiry, refreshToken: "again"))
        ) {
            $0.refresher = refresher
            $0.settings.clock = .stopped
        }
    }

    @Test(
        "a log-out clears the token before it informs the server, so that a log-in may follow"
    )
    func nextUser() async throws {
        let leaving = await Leaving(isGroup: false)
        let manager = leaving.manager
        #expect(try await manager.credentials.read() == nil)
        try await manager.credentials.save(Credential(token: "of another"))
        let other = manager.operation(UsersRequests.get(ids: ["2"]))
        #expect(try await other.value == [])
        #expect(try await leaving.end() == [])
        #expect(try await manager.credentials.read()?.token == "of another")
    }

    /// A manager over a slow server, and the log-out of its first user, which is in flight.
    private struct Leaving {
        let transport: InMemoryTransport
        let manager: APIManager<TinyAPI>
        let logOut: Task<[User], any Error>
        private let gate: Gate

        init(isGroup: Bool) async {
            let (asked, gate) = (Gate(), Gate())
            let transport = InMemoryTransport { request in
                if request.head.path?.contains(secret) == true {
                    asked.open()
                    await gate.wait()
                }
                return empty
            }
            let manager = APIManager<TinyAPI>(
                transport: transport, credentials: .memory(Credential(token: secret))
            ) { $0.settings.clock = .stopped }
            (self.transport, self.manager, self.gate) = (transport, manager, gate)
            logOut = Task {
                let call = manager.operation(UsersRequests.get(ids: ["1"]))
                return try await manager.logOut(
                    isGroup ? manager.group { try await $0.run(call) } : call)
            }
            await asked.wait()
        }

        /// Makes the server reply.
        func end() async throws -> [User] {
            gate.open()
            return try await logOut.value
        }
    }

    @Test(
        "the log-out of the next user does not cancel the request of the first one",
        arguments: [false, true])
    func twoUsers(isGroup: Bool) async throws {
        let leaving = await Leaving(isGroup: isGroup)
        let manager = leaving.manager
        try await manager.credentials.save(Credential(token: "of another"))
        #expect(try await manager.logOut(manager.operation(UsersRequests.get(ids: ["2"]))) == [])
        #expect(try await leaving.end() == [])
        #expect(leaving.transport.requests.last?.head.path?.contains("another") == true)
        #expect(try await manager.credentials.read() == nil)
    }

    @Test(
        "logging out finds no credential the second time, and does not cancel the first",
        arguments: [false, true])
    func twice(isGroup: Bool) async throws {
        let leaving = await Leaving(isGroup: isGroup)
        let manager = leaving.manager
        let error = await #expect(throws: APIError.self) {
            try await manager.logOut(manager.operation(UsersRequests.get(ids: ["1"])))
        }
        #expect(error?.reason == .noCredential)
        #expect(try await leaving.end() == [])
        #expect(leaving.transport.requests.count == 1)
    }

    @Test("a log-out cancels a group that carried the token and would go on with the next user's")
    func groupBetweenSteps() async throws {
        for isNested in [false, true] {
            let (arrived, gate) = (Gate(), Gate())
            let client = TestClient { _ in empty }
            let work = client.manager.group { [client] group in
                _ = try await group.run(client.call())
                arrived.open()
                await gate.wait()
                return try await group.run(client.call())
            }
            let group =
                isNested
                ? client.manager.group { [client] group in
                    // The group continues, however its step ends.
                    _ = try? await group.run(work)
                    return try await group.run(client.call())
                } : work
            group.start()
            await arrived.wait()
            _ = try await client.manager.logOut(
                client.manager.operation(UsersRequests.get(ids: [])))
            try await client.manager.credentials.save(Credential(token: "of another"))
            gate.open()
            await #expect(throws: CancellationError.self) { try await group.value }
            await until { client.manager.engine.isIdle }
            #expect(
                client.transport.requests.allSatisfy { $0.head.path?.contains("another") != true })
        }
    }

    @Test("logging out cancels a group that has run such a group, which has ended")
    func groupAfterGroup() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = TestClient { _ in empty }
        let inner = client.manager.group { [client] group in try await group.run(client.call()) }
        let group = client.manager.group { [client] group in
            _ = try await group.run(inner)
            arrived.open()
            await gate.wait()
            return try await group.run(client.call())
        }
        group.start()
        await arrived.wait()
        _ = try await client.manager.logOut(client.manager.operation(UsersRequests.get(ids: [])))
        #expect(group.state == .cancelled)
        gate.open()
    }

    @Test("logging out cancels no group without the token, nor the one that logs out")
    func otherGroups() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = TestClient { _ in empty }
        let open = client.manager.group { [client] group in
            try await group.run(client.manager.operation(UsersRequests.ping()))
            arrived.open()
            await gate.wait()
            try await group.run(client.manager.operation(UsersRequests.ping()))
        }
        open.start()
        await arrived.wait()
        let leaving = client.manager.group { [client] group in
            _ = try await group.run(client.call())
            return try await client.manager.logOut(client.call())
        }
        let outer = client.manager.group { try await $0.run(leaving) }
        #expect(try await outer.value == [])
        #expect(
            client.transport.requests.filter { $0.head.path?.contains(secret) == true }.count == 2)
        gate.open()
        try await open.value
    }

    @Test("logging out asks for no log-in, whatever the server replies to it and to other calls")
    func noLogin() async throws {
        for expiry in [nil, Date(timeIntervalSince1970: 0)] {
            let logins = Counter()
            let transport = InMemoryTransport { _ in .json(#"{"error":{"error_code":5}}"#) }
            let manager = manager(
                transport, expiry: expiry,
                refresher: .app { _ in Credential(token: "login \(logins.next())") })
            let error = await #expect(throws: APIError.self) {
                try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
            }
            #expect(error?.phase == .auth)
            #expect(logins.value == 0)
            #expect(try await manager.credentials.read() == nil)
        }
    }

    @Test("logging out refreshes an expired token to inform the server, and stores none")
    func quietly() async throws {
        struct Quiet: CredentialRefresher {
            func refresh(_ old: Credential?) async throws -> Credential {
                Credential(token: "new for \(old?.refreshToken ?? "")")
            }
        }
        let transport = InMemoryTransport { _ in empty }
        let manager = manager(
            transport, expiry: Date(timeIntervalSince1970: 0), refresher: Quiet())
        _ = try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        #expect(transport.requests.first?.head.path?.contains("new%20for%20again") == true)
        #expect(try await manager.credentials.read() == nil)
    }

    @Test("logging out waits for no queue slot of its refresher's calls to the same API")
    func quietlyAtOnce() async throws {
        /// Makes a call to the API first.
        final class Asking: CredentialRefresher {
            let manager = Lock<APIManager<TinyAPI>?>(nil)

            func refresh(_ old: Credential?) async throws -> Credential {
                try await manager.withLock { $0 }?.operation(UsersRequests.ping()).value
                return Credential(token: "new")
            }
        }
        let refresher = Asking()
        let transport = InMemoryTransport { _ in empty }
        let manager = APIManager<TinyAPI>(
            transport: transport,
            credentials: .memory(
                Credential(token: secret, expiry: Date(timeIntervalSince1970: 0)))
        ) {
            $0.refresher = refresher
            $0.settings.clock = VirtualClock().runtimeClock
        }
        refresher.manager.withLock { $0 = manager }
        defer { refresher.manager.withLock { $0 = nil } }
        manager.engine.send(.pauseHost("api.tiny.test", .seconds(3_600)))
        _ = try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        #expect(transport.requests.count == 2)
        #expect(transport.requests.last?.head.path?.contains("new") == true)
    }

    @Test("logging out lets all steps of a group inform the server with the token")
    func group() async throws {
        let (manager, transport) = tiny { _ in empty }
        let group = manager.group("log out") { group in
            for id in ["1", "2"] {
                _ = try await group.run(manager.operation(UsersRequests.get(ids: [id])))
            }
        }
        try await manager.logOut(group)
        #expect(transport.requests.count == 2)
        #expect(transport.requests.allSatisfy { $0.head.path?.contains(secret) == true })
    }

    /// A store that delays the first log-out.
    private struct WaitingStore: CredentialStore {
        let base: MemoryCredentialStore
        let reads = Counter()
        let isAsked = Gate()
        let mayAnswer = Gate()

        func read() async throws(CredentialStoreError) -> Credential? {
            // The first read is that of a call.
            if reads.next() == 2 {
                isAsked.open()
                await mayAnswer.wait()
            }
            return try await base.read()
        }
        func save(_ new: Credential) async throws(CredentialStoreError) { try await base.save(new) }
        func clear() async throws(CredentialStoreError) { try await base.clear() }
    }

    @Test("logging out cancels no group that logs out twice at once")
    func twiceInGroup() async throws {
        let store = WaitingStore(base: .memory(Credential(token: secret)))
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in empty }, credentials: store
        ) { $0.settings.clock = .stopped }
        let group = manager.group { group in
            _ = try await group.run(manager.operation(UsersRequests.get(ids: ["1"])))
            async let slow: Void = manager.logOut()
            await store.isAsked.wait()
            try await manager.logOut()
            store.mayAnswer.open()
            try await slow
            return "out"
        }
        #expect(try await group.value == "out")
        #expect(try await store.base.read() == nil)
    }

    @Test("logging out cancels a refresh, for which the next login does not wait")
    func refreshUnderWay() async throws {
        let (asked, never) = (Gate(), Gate())
        let transport = InMemoryTransport { request in
            request.head.path?.contains(secret) == true
                ? .json(#"{"error":{"error_code":5}}"#) : empty
        }
        let manager = manager(
            transport,
            refresher: .app { _ in
                asked.open()
                await never.wait()
                throw CredentialError(.nothingToRefresh, "nobody is in")
            })
        func call() -> DataOperation<[User]> { manager.operation(UsersRequests.get(ids: ["1"])) }
        let waiting = call()
        waiting.start()
        await asked.wait()
        await #expect(throws: APIError.self) { try await manager.logOut(call()) }
        #expect(waiting.state == .cancelled)
        try await manager.credentials.save(Credential(token: "of another"))
        #expect(try await call().value == [])
        never.open()
        await until { manager.engine.isIdle }
        #expect(try await manager.credentials.read()?.token == "of another")
    }

    /// A store whose `clear` waits for a gate.
    private struct SlowStore: CredentialStore {
        let memory = MemoryCredentialStore(Credential(token: secret))
        let asked = Gate()
        let gate = Gate()

        func read() async throws(CredentialStoreError) -> Credential? { try await memory.read() }

        func save(_ credential: Credential) async throws(CredentialStoreError) {
            try await memory.save(credential)
        }

        func clear() async throws(CredentialStoreError) {
            asked.open()
            await gate.wait()
            try await memory.clear()
        }
    }

    @Test("logging out cancels calls before the store has replied, and those that start by then")
    func slowStore() async throws {
        let store = SlowStore()
        let transport = InMemoryTransport { request in
            if request.head.path?.contains("ping") != true { await Gate().wait() }
            return empty
        }
        let manager = APIManager<TinyAPI>(transport: transport, credentials: store) {
            $0.settings.clock = .stopped
        }
        let early = manager.operation(UsersRequests.get(ids: ["1"]))
        early.start()
        let task = Task { try await manager.logOut(manager.operation(UsersRequests.ping())) }
        await store.asked.wait()
        #expect(early.state == .cancelled)
        let late = manager.operation(UsersRequests.get(ids: ["2"]))
        late.start()
        store.gate.open()
        try await task.value
        #expect(late.state == .cancelled)
    }

    @Test("logging out leaves no refresh for the next user to wait for")
    func deafRefresher() async throws {
        let (asked, never, logins) = (Gate(), Gate(), Counter())
        let transport = InMemoryTransport { request in
            request.head.path?.contains("fresh") == true
                ? empty : .json(#"{"error":{"error_code":5}}"#)
        }
        let manager = manager(
            transport,
            refresher: .app { _ in
                guard logins.next() == 1 else { return Credential(token: "fresh") }
                asked.open()
                // Like an open login screen: it ignores its cancellation.
                await never.wait()
                return Credential(token: "too late")
            })
        let call = manager.operation(UsersRequests.get(ids: ["1"]))
        call.start()
        await asked.wait()
        _ = try? await manager.logOut(manager.operation(UsersRequests.ping()))
        try await manager.credentials.save(Credential(token: "of another"))
        #expect(try await manager.operation(UsersRequests.get(ids: ["2"])).value == [])
        never.open()
        await until { manager.engine.isIdle }
        #expect(try await manager.credentials.read()?.token == "fresh")
    }

    @Test("logging out reports a token that cannot be cleared, and a failed request too")
    func stubborn() async throws {
        for isOnline in [true, false] {
            let transport = InMemoryTransport { _ throws(TransportError) in
                if isOnline { return .json(#"{"response":[]}"#) }
                throw TransportError(.offline, "no network")
            }
            let manager = APIManager<TinyAPI>(transport: transport, credentials: StubbornStore()) {
                $0.settings.clock = .stopped
            }
            let error = await #expect(throws: LogOutError.self) {
                try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
            }
            #expect(error?.storeError.task == .clear)
            #expect((error?.requestError == nil) == isOnline)
            let text = error?.description ?? ""
            #expect(text.contains("the disk is read-only"))
            #expect(text.contains("not notified either") == !isOnline)
            #expect(!text.contains(secret))
        }
    }
}
