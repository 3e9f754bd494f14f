import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)
private let over = TransportReply.json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)

/// After two logins, no call continues with the token of the other user.
@Suite("The next login")
struct LoginIdentityTests {
    private let mine = Credential(token: "token-of-ada")
    private let theirs = Credential(token: "token-of-bob")

    private func manager(
        _ store: any CredentialStore, _ transport: InMemoryTransport,
        _ refresher: (any CredentialRefresher)? = nil
    ) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(transport: transport, credentials: store) {
            $0.refresher = refresher
            $0.settings.clock = .stopped
        }
    }

    /// A server that accepts only the token of the second user.
    private var onlyTheirs: InMemoryTransport {
        InMemoryTransport { [theirs] request in
            request.head.path?.contains(theirs.token) == true ? empty : over
        }
    }

    /// A refresher that opens a gate, and waits for another.
    private func manager(
        _ store: any CredentialStore, _ transport: InMemoryTransport, _ fetching: Gate, _ gate: Gate
    ) -> APIManager<TinyAPI> {
        let refresher = AppCredentialRefresher { _ in
            fetching.open()
            await gate.wait()
            return Credential(token: "another-of-ada")
        }
        return manager(store, transport, refresher)
    }

    @Test("a login during a log-out stays in effect, and its token is not revoked")
    func duringLogOut() async throws {
        for tellsServer in [false, true] {
            let store = BlockingStore(mine)
            let transport = InMemoryTransport { _ in empty }
            let manager = manager(store, transport)
            store.holdNext()
            async let leaving: Void = {
                guard tellsServer else { return try await manager.logOut() }
                _ = try await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
            }()
            await store.held.wait()
            try await manager.logIn(theirs)
            store.gate.open()
            try await leaving
            #expect(try await store.read() == theirs)
            let paths = transport.requests.compactMap(\.head.path)
            #expect(paths.count == (tellsServer ? 1 : 0))
            #expect(paths.allSatisfy { $0.contains(mine.token) })
        }
    }

    @Test("a login in another process does not send the calls of the previous user")
    func otherProcess() async throws {
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        let (began, gate) = (Gate(), Gate())
        let transport = InMemoryTransport { [theirs] request in
            if request.head.path?.contains(theirs.token) == true { return empty }
            began.open()
            await gate.wait()
            return over
        }
        let logins = Counter()
        let other = manager(place.store, transport)
        let here = manager(
            FileCredentialStore(path: place.path), transport,
            .app { _ in
                _ = logins.next()
                throw CancellationError()
            })
        try await here.logIn(mine)
        let post = here.operation(UsersRequests.save(name: "Ada's words", password: "hunter2"))
        post.start()
        await began.wait()
        try await other.logOut()
        try await other.logIn(theirs)
        gate.open()
        let error = await #expect(throws: APIError.self) { try await post.value }
        #expect(error?.phase == .auth && error?.needsLogin == false && error?.isRetryable == false)
        #expect(error?.description.contains("another login has happened since") == true)
        #expect(transport.requests.count == 1 && logins.next() == 1)
        // Later calls belong to the new user.
        #expect(try await here.operation(UsersRequests.get(ids: ["1"])).value == [])
    }

    @Test(
        "a login between two attempts does not make the second with its token",
        arguments: [true, false])
    func betweenAttempts(inThisApp: Bool) async throws {
        let store = MemoryCredentialStore()
        let box = Lock<APIManager<TinyAPI>?>(nil)
        let transport = InMemoryTransport { [theirs] request in
            if request.head.path?.contains(theirs.token) == true { return empty }
            try? await box.withLock { $0 }?.logIn(theirs)
            return .bytes(status: .serviceUnavailable)
        }
        let here = manager(store, transport)
        let other = manager(store, transport)
        box.withLock { $0 = inThisApp ? here : other }
        defer { box.withLock { $0 = nil } }
        try await here.logIn(mine)
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        let call = here.operation(
            UsersRequests.get(ids: ["1"]), options: CallOptions(retry: retry))
        guard !inThisApp else {
            #expect(try await call.value == [])
            return
        }
        let error = await failure(call)
        #expect(error?.cause as? CredentialError == .loggedInAgain)
        #expect(error?.needsLogin == false && error?.isRetryable == false)
        #expect(transport.requests.count == 1 && error?.attempts == 2)
    }

    @Test(
        "a login in another process does not send a call after a refresh of its own",
        arguments: [false, true])
    func behindAnotherRefresh(waitsForIt: Bool) async throws {
        let store = MemoryCredentialStore()
        let (sent, answer, fetching, gate) = (Gate(), Gate(), Gate(), Gate())
        let transport = InMemoryTransport { [mine] request in
            let path = request.head.path ?? ""
            if path.contains("another-of-bob") { return empty }
            if path.contains(mine.token) {
                sent.open()
                await answer.wait()
            }
            return over
        }
        let refresher = AppCredentialRefresher { _ in
            fetching.open()
            await gate.wait()
            return Credential(token: "another-of-bob")
        }
        let here = manager(store, transport, refresher)
        try await here.logIn(mine)
        let post = here.operation(UsersRequests.save(name: "Ada's words", password: "hunter2"))
        post.start()
        await sent.wait()
        try await manager(store, transport).logIn(theirs)
        let call = here.operation(UsersRequests.get(ids: ["1"]))
        call.start()
        await fetching.wait()
        if waitsForIt {
            answer.open()
            await post.reach { $0 == .postponed }
        }
        gate.open()
        #expect(try await call.value == [])
        answer.open()
        #expect(await failure(post)?.cause as? CredentialError == .loggedInAgain)
        #expect(transport.requests.count { $0.text.contains("Ada") } == 1)
    }

    @Test("a login in another process is refreshed for itself, whatever was refreshed before")
    func behindTheirLogin() async throws {
        let store = MemoryCredentialStore()
        let (sent, answer) = (Gate(), Gate())
        let transport = InMemoryTransport { [mine, theirs] request in
            let path = request.head.path ?? ""
            if path.contains(mine.token) {
                sent.open()
                await answer.wait()
                return over
            }
            return path.contains(theirs.token) ? over : empty
        }
        let (fetching, gate) = (Gate(), Gate())
        let olds = Lock<[String?]>([])
        let held = BlockingRefreshStore(store, fetching, gate)
        let here = manager(
            held, transport,
            .app { old in
                olds.withLock { $0.append(old?.token) }
                return Credential(token: "another-of-bob")
            })
        try await here.logIn(mine)
        let first = here.operation(UsersRequests.get(ids: ["ada"]))
        first.start()
        await sent.wait()
        try await manager(store, transport).logIn(theirs)
        answer.open()
        await fetching.wait()
        let second = here.operation(UsersRequests.get(ids: ["bob"]))
        second.start()
        await second.reach { $0 == .postponed }
        gate.open()
        #expect(await failure(first)?.cause as? CredentialError == .loggedInAgain)
        #expect(try await second.value == [])
        #expect(olds.withLock { $0 } == [theirs.token])
    }

    @Test("a login that could not be stored leaves no call to a third user")
    func failedLogIn() async throws {
        let store = MemoryCredentialStore()
        let (fetching, gate) = (Gate(), Gate())
        let transport = InMemoryTransport { request in
            request.head.path?.contains("eve") == true ? empty : over
        }
        let refusing = RefusingStore(store, theirs)
        let here = manager(refusing, transport, fetching, gate)
        try await here.logIn(mine)
        let post = here.operation(UsersRequests.save(name: "Ada's words", password: "hunter2"))
        post.start()
        await fetching.wait()
        await #expect(throws: CredentialStoreError.self) { try await here.logIn(theirs) }
        try await manager(store, transport).logIn(Credential(token: "token-of-eve"))
        gate.open()
        #expect(await failure(post)?.cause as? CredentialError == .loggedInAgain)
        #expect(transport.requests.count == 1)
    }

    @Test("a login in the same app continues the calls that are refused while it is stored")
    func refusedWhileSaving() async throws {
        let store = SlowReturnStore(mine)
        let (sent, answer) = (Gate(), Gate())
        let transport = InMemoryTransport { [theirs] request in
            if request.head.path?.contains(theirs.token) == true { return empty }
            sent.open()
            await answer.wait()
            return over
        }
        let here = manager(store, transport, .app { _ in throw CancellationError() })
        let call = here.operation(UsersRequests.get(ids: ["1"]))
        call.start()
        await sent.wait()
        async let login: Void = here.logIn(theirs)
        await store.saved.wait()
        answer.open()
        #expect(try await call.value == [])
        store.mayReturn.open()
        try await login
    }

    @Test("a login in the same app continues waiting calls, also if a refresh ends meanwhile")
    func whileSaving() async throws {
        let store = SlowReturnStore(mine)
        let (fetching, gate) = (Gate(), Gate())
        let here = manager(store, onlyTheirs, fetching, gate)
        let call = here.operation(UsersRequests.get(ids: ["1"]))
        call.start()
        await fetching.wait()
        async let login: Void = here.logIn(theirs)
        await store.saved.wait()
        gate.open()
        #expect(try await call.value == [])
        store.mayReturn.open()
        try await login
        #expect(try await store.read() == theirs)
    }

    @Test("the next login gets no refreshed token of the previous user, which is dropped")
    func duringRefresh() async throws {
        let store = MemoryCredentialStore()
        let (fetching, gate) = (Gate(), Gate())
        let here = manager(store, onlyTheirs, fetching, gate)
        try await here.logIn(mine)
        let call = here.operation(UsersRequests.get(ids: ["1"]))
        call.start()
        await fetching.wait()
        try await manager(store, onlyTheirs).logIn(theirs)
        gate.open()
        let error = await failure(call)
        #expect(error?.cause as? CredentialError == .loggedInAgain)
        #expect(try await store.read() == theirs)
    }

    @Test("the next login is the same login if only the token differs")
    func refreshedElsewhere() async throws {
        let store = MemoryCredentialStore()
        let old = mine
        let transport = InMemoryTransport { request in
            request.head.path?.contains("another-of-ada") == true ? empty : over
        }
        let refresher = AppCredentialRefresher { _ in Credential(token: "another-of-ada") }
        let here = manager(store, transport, refresher)
        try await here.logIn(old)
        let login = try #require(try await store.read()?.login)
        let stored = try await store.read()
        #expect(try await store.renew(stored, with: refresher).login == login)
        // An earlier call continues, and a log-out clears the latest token.
        #expect(try await store.renew(stored, with: refresher).token == "another-of-ada")
        #expect(try await here.operation(UsersRequests.get(ids: ["1"])).value == [])
        try await here.logOut()
        #expect(try await store.read() == nil)
    }

    @Test("the next login is kept if the app's own login had logged out before")
    func ownLogOut() async throws {
        let box = Lock<APIManager<TinyAPI>?>(nil)
        let (logins, left) = (Counter(), Gate())
        let transport = InMemoryTransport { request in
            request.head.path?.contains(secret) == true ? empty : over
        }
        let store = MemoryCredentialStore(mine)
        let manager = manager(
            store, transport,
            .app { _ in
                _ = logins.next()
                try await box.withLock { $0 }?.logOut()
                left.open()
                return Credential(token: secret)
            })
        box.withLock { $0 = manager }
        let first = manager.operation(UsersRequests.get(ids: ["1"]))
        await #expect(throws: (any Error).self) { try await first.value }
        #expect(first.state == .cancelled)
        await left.wait()
        #expect(try await manager.operation(UsersRequests.get(ids: ["1"])).value == [])
        #expect(try await store.read()?.token == secret)
        #expect(logins.next() == 2)
        box.withLock { $0 = nil }
    }

    @Test("the next login is identified by a mark that stores keep, neither shown nor compared")
    func mark() async throws {
        let place = TestPath()
        defer { withExtendedLifetime(place) {} }
        let new = mine.withNewLogin
        try await place.store.save(new)
        let read = try #require(try await place.store.read())
        #expect(read.login == new.login && read.login != nil)
        #expect(read == mine && read.hashValue == mine.hashValue)
        #expect(!"\(read)".contains(new.login ?? "") && new.login != mine.withNewLogin.login)
        // A credential that was saved directly has no known login.
        #expect(!mine.isOfAnotherLogin(than: new) && new.isOfAnotherLogin(than: mine))
        #expect(!new.isOfAnotherLogin(than: nil))
    }
}

/// A store whose `save` returns later than it takes effect.
private final class SlowReturnStore: CredentialStore {
    let (saved, mayReturn) = (Gate(), Gate())
    private let store: MemoryCredentialStore

    init(_ credential: Credential) { store = MemoryCredentialStore(credential) }

    func read() async throws(CredentialStoreError) -> Credential? { try await store.read() }

    func save(_ credential: Credential) async throws(CredentialStoreError) {
        try await store.save(credential)
        guard credential.token == "token-of-bob" else { return }
        saved.open()
        await mayReturn.wait()
    }

    func clear() async throws(CredentialStoreError) { try await store.clear() }
}

/// A store whose exclusive section waits for a gate first.
private final class BlockingRefreshStore: CredentialStore {
    private let store: MemoryCredentialStore
    private let (fetching, gate): (Gate, Gate)

    init(_ store: MemoryCredentialStore, _ fetching: Gate, _ gate: Gate) {
        self.store = store
        (self.fetching, self.gate) = (fetching, gate)
    }

    func read() async throws(CredentialStoreError) -> Credential? { try await store.read() }

    func save(_ credential: Credential) async throws(CredentialStoreError) {
        try await store.save(credential)
    }

    func clear() async throws(CredentialStoreError) { try await store.clear() }

    func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T {
        fetching.open()
        await gate.wait()
        return try await store.exclusively(body)
    }
}

/// A store that cannot save one credential.
private struct RefusingStore: CredentialStore {
    private let store: MemoryCredentialStore
    private let refused: Credential

    init(_ store: MemoryCredentialStore, _ refused: Credential) {
        (self.store, self.refused) = (store, refused)
    }

    func read() async throws(CredentialStoreError) -> Credential? { try await store.read() }

    func save(_ credential: Credential) async throws(CredentialStoreError) {
        if credential == refused { throw CredentialStoreError(.save, "the disk is full") }
        try await store.save(credential)
    }

    func clear() async throws(CredentialStoreError) { try await store.clear() }
}
