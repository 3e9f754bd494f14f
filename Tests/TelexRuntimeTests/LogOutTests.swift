import Foundation
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// A store that cannot forget.
private struct StubbornStore: CredentialStore {
    func read() async throws(CredentialStoreError) -> Credential? { Credential(token: secret) }
    func save(_ new: Credential) async throws(CredentialStoreError) {}
    func clear() async throws(CredentialStoreError) {
        throw CredentialStoreError(.clear, "the disk is read-only")
    }
}

@Suite("Logging out")
struct LogOutTests {
    @Test("tells the server with the token, then forgets it")
    func success() async throws {
        let (manager, transport) = tiny { _ in .json(#"{"response":[]}"#) }
        let users = try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        #expect(users.isEmpty)
        #expect(transport.requests.first?.head.path?.contains(secret) == true)
        #expect(try await manager.credentials.read() == nil)
    }

    @Test("forgets the token even when the request fails, and says why it failed")
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

    @Test("forgets the token even when it is cancelled")
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

    @Test("ends what carries the token, in whatever state, and nothing else")
    func others() async throws {
        let held = Gate()
        let desk = Desk { request in
            if request.head.path?.contains("user_ids") != true { return empty }
            await held.wait()
            return empty
        }
        let mine = (0..<3).map { _ in desk.call() }
        for call in mine { call.start() }
        mine[1].suspend()
        let ping = desk.manager.operation(UsersRequests.ping())
        ping.suspend()
        ping.start()
        ping.suspend()
        _ = try await desk.manager.logOut(desk.manager.operation(EngineRequests.shared(id: 1)))
        #expect(mine.map(\.state) == Array(repeating: .cancelled, count: 3))
        #expect(ping.state == .suspended)
        try await desk.manager.credentials.save(Credential(token: "of another"))
        held.open()
        #expect(await eventually { desk.manager.operations.map(\.id) == [ping.id] })
        #expect(desk.transport.requests.allSatisfy { $0.head.path?.contains("another") != true })
    }

    @Test("ends calls that share a request, and their request")
    func sharing() async throws {
        let (asked, held) = (Gate(), Gate())
        let desk = Desk { request in
            if request.head.path?.contains("shared") != true { return empty }
            asked.open()
            await held.wait()
            return empty
        }
        let mine = (0..<2).map { _ in
            desk.manager.operation(EngineRequests.shared(id: 1), options: Desk.retrying)
        }
        for call in mine { call.start() }
        await asked.wait()
        await desk.riders(2)
        _ = try await desk.manager.logOut(desk.manager.operation(UsersRequests.get(ids: [])))
        #expect(mine.map(\.state) == [.cancelled, .cancelled])
        #expect(await eventually { desk.manager.engine.isIdle })
    }

    /// A manager whose token is over, or not, and who has been asked for another.
    private func manager(
        _ transport: InMemoryTransport, expiry: Date? = nil,
        refresher: any CredentialRefresher
    ) -> APIManager<Tiny> {
        APIManager<Tiny>(
            transport: transport,
            credentials: .memory(Credential(token: secret, expiry: expiry, refreshToken: "again")),
            refresher: refresher)
    }

    @Test(
        "has forgotten the token before the server is told, so that somebody else may log in meanwhile"
    )
    func nextUser() async throws {
        let (asked, gate) = (Gate(), Gate())
        let transport = InMemoryTransport { request in
            if request.head.path?.contains(secret) == true {
                asked.open()
                await gate.wait()
            }
            return empty
        }
        let manager = APIManager<Tiny>(
            transport: transport, credentials: .memory(Credential(token: secret)))
        let logOut = Task {
            try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        }
        await asked.wait()
        #expect(try await manager.credentials.read() == nil)
        try await manager.credentials.save(Credential(token: "of another"))
        let other = manager.operation(UsersRequests.get(ids: ["2"]))
        #expect(try await other.value == [])
        gate.open()
        #expect(try await logOut.value == [])
        #expect(try await manager.credentials.read()?.token == "of another")
    }

    @Test("asks nobody to log in, whatever the server says to it and to other calls")
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

    @Test("refreshes a token that is over to tell the server, and keeps none")
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

    @Test("lets all that a group runs tell the server with the token")
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

    @Test("gives up a refresh, for which whoever logs in next does not wait")
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
        #expect(await eventually { manager.engine.isIdle })
        #expect(try await manager.credentials.read()?.token == "of another")
    }

    @Test("says so if the token cannot be forgotten, and if the server was not told either")
    func stubborn() async throws {
        for isOnline in [true, false] {
            let transport = InMemoryTransport { _ throws(TransportError) in
                if isOnline { return .json(#"{"response":[]}"#) }
                throw TransportError(.offline, "no network")
            }
            let manager = APIManager<Tiny>(transport: transport, credentials: StubbornStore())
            let error = await #expect(throws: LogOutError.self) {
                try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
            }
            #expect(error?.storeError.task == .clear)
            #expect((error?.requestError == nil) == isOnline)
            let text = error?.description ?? ""
            #expect(text.contains("the disk is read-only"))
            #expect(text.contains("not told either") == !isOnline)
            #expect(!text.contains(secret))
        }
    }
}
