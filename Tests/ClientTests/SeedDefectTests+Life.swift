import Foundation
import TelexJSON
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing
import VKClient

extension SeedDefectTests {
    // MARK: Credentials

    @Test("D8: every call that waits for the login ends, even if the login ends at once")
    func login() async throws {
        vk.goodToken.withLock { $0 = "new" }
        let calls = [vk.manager(), vk.manager()].flatMap { manager in
            (1...3).map { manager.wall.post(message: "\($0)") }
        }
        let told = EventLog()
        await withTaskGroup { group in
            for call in calls {
                group.addTask {
                    await withCheckedContinuation { done in
                        call.start { result in
                            told.add((try? result.get()) == nil ? "lost" : "told")
                            done.resume()
                        }
                    }
                }
            }
        }
        #expect(told.all == Array(repeating: "told", count: 6))
        #expect(vk.logins.withLock { $0 } == 2)
    }

    @Test("D9: a login whose only waiter was cancelled still saves its credential")
    func nobodyWaits() async throws {
        let (asked, loggedIn, saved) = (Gate(), Gate(), Gate())
        vk.goodToken.withLock { $0 = "new" }
        let manager = APIManager<VK>(
            transport: vk.transport, credentials: .memory(Credential(token: "old"))
        ) {
            $0.refresher = .app { _ in
                asked.open()
                await loggedIn.wait()
                defer { saved.open() }
                return Credential(token: "new", values: ["user_id": "7"])
            }
            $0.settings = vk.settings
        }
        let only = manager.wall.post(ownerID: 7, message: "a")
        only.start()
        await asked.wait()
        only.cancel()
        loggedIn.open()
        await saved.wait()
        #expect(try await manager.wall.post(ownerID: 7, message: "b").value.postID == 55)
        #expect(vk.requests("wall.post").compactMap { $0.form["message"] } == ["a", "b"])
    }

    @Test("D10: calls use the first credential as soon as it is saved")
    func firstCredential() async throws {
        let store = MemoryCredentialStore()
        let manager = APIManager<VK>(transport: vk.transport, credentials: store) {
            $0.settings = vk.settings
        }
        let error = await #expect(throws: APIError.self) { try await manager.wall.get().value }
        #expect(error?.reason == .noCredential)
        try await store.save(Credential(token: "old", values: ["user_id": "7"]))
        #expect(try await manager.wall.post(message: "a").value.postID == 55)
    }

    @Test("D12: a failed logout request is reported as an error")
    func logout() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .internalServerError) }
        let store = MemoryCredentialStore(Credential(token: "old"))
        let manager = APIManager<VK>(transport: transport, credentials: store) {
            $0.settings.clock = vk.clock.runtimeClock
        }
        await #expect(throws: APIError.self) { try await manager.auth.logout().value }
        #expect(try await store.read()?.token == "old")
        vk.clock.advance(by: .seconds(2))
        let error = await #expect(throws: APIError.self) {
            try await manager.logOut(manager.auth.logout())
        }
        #expect(error?.status == 500)
        #expect(try await store.read() == nil)
    }

    @Test("D17: a cleared credential is removed from memory as in the store")
    func forgotten() async throws {
        let manager = APIManager<VK>(
            transport: vk.transport,
            credentials: .memory(Credential(token: "old", values: ["user_id": "7"]))
        ) { $0.settings = vk.settings }
        _ = try await manager.wall.post(message: "a").value
        try await manager.credentials.clear()
        let error = await #expect(throws: APIError.self) {
            try await manager.wall.post(ownerID: 7, message: "b").value
        }
        #expect(error?.reason == .noCredential)
        #expect(vk.calls == ["wall.post"])
    }

    // MARK: Ends

    @Test("D11: a failed or cancelled step ends its group exactly once")
    func ends() async throws {
        for isCancelled in [false, true] {
            vk.meet { _ in .bytes(status: .notFound) }
            let manager = vk.manager()
            let ends = EventLog()
            let group = manager.group { group in
                let step = manager.wall.get()
                if isCancelled { step.cancel() }
                _ = try await group.run(step)
                ends.add("went on")
            }
            await withCheckedContinuation { done in
                group.whenEnded { ends.add("\($0)") }
                group.start { result in
                    if case .failure = result { ends.add("error") }
                    done.resume()
                }
            }
            #expect(ends.all == [isCancelled ? "cancelled" : "failed", "error"])
        }
    }

    @Test("D16: handlers added after the end run at once")
    func afterwards() async throws {
        let operation = vk.manager().wall.post(message: "a")
        _ = try await operation.value
        let told = EventLog()
        operation.whenEnded { told.add("\($0)") }
        operation.start { told.add("\((try? $0.get().postID) ?? 0)") }
        #expect(told.all == ["succeeded", "55"])
        #expect(vk.calls == ["wall.post"])
    }

    @Test("D26: a cancelled operation never counts as failed")
    func cancelled() async throws {
        let operation = vk.manager().wall.get()
        let states = operation.states
        operation.cancel()
        await #expect(throws: CancellationError.self) { try await operation.value }
        let seen = await states.reduce(into: []) { $0.append($1) }
        #expect(seen == [.ready, .cancelled] && operation.state == .cancelled)
        #expect(operation.foundationOperation.isCancelled)
    }

    @Test("D27: every completion handler of an operation is called")
    func everyone() async throws {
        let gate = Gate()
        vk.meet { _ in
            await gate.wait()
            return nil
        }
        let operation = vk.manager().wall.post(message: "a")
        let (told, all) = (EventLog(), Gate())
        for name in ["first", "second", "third"] {
            operation.start { _ in if told.add(name) == 3 { all.open() } }
        }
        gate.open()
        await all.wait()
        #expect(told.all == ["first", "second", "third"])
        #expect(vk.calls == ["wall.post"])
    }

    // MARK: Threads and connections

    @Test("D15: listeners and handlers may call the manager, because they run outside its locks")
    func reentrancy() async throws {
        // Calls that are cancelled must not have ended before.
        vk.meet { sent throws(TransportError) in
            if sent.name == "photos.getWallUploadServer" { await Gate().wait() }
            return nil
        }
        let other = vk.manager()
        let manager = Lock<APIManager<VK>?>(nil)
        let ran = EventLog()
        let listening = APIManager<VK>(
            transport: vk.transport, credentials: .memory(Credential(token: "old"))
        ) {
            $0.settings = vk.settings
            $0.onEvent = { event in
                guard event.method == "wall.post", let own = manager.withLock({ $0 }) else {
                    return
                }
                for manager in [own, other] {
                    let call = manager.photos.getWallUploadServer()
                    call.start()
                    _ = manager.operations
                    call.cancel()
                    ran.add("\(call.state)")
                }
            }
        }
        manager.withLock { $0 = listening }
        let post = listening.wall.post(ownerID: 7, message: "a")
        post.whenEnded { [other] _ in other.cancelAll() }
        #expect(try await post.value.postID == 55)
        manager.withLock { $0 = nil }
        #expect(ran.all.count >= 4 && ran.all.allSatisfy { $0 == "cancelled" })
    }

    @Test("D18: calls share one session and connection, and an empty reply is an error")
    func oneSession() async throws {
        let server = try LoopbackServer { request in
            request.path == "/method/wall.get" ? .bytes() : .text(#"{"response": []}"#)
        }
        defer { server.stop() }
        let manager = APIManager<VK>(
            transport: URLSessionTransport(), credentials: .memory(Credential(token: "old"))
        ) { $0.server = .named("local", ["port": "\(server.port)"]) }
        let options = CallOptions(timeouts: Timeouts(silence: .noTimeout))
        for _ in 0..<3 {
            #expect(try await manager.users.get(options: options).value.isEmpty)
        }
        #expect(server.requests.count == 3 && server.connectionCount == 1)
        let error = await #expect(throws: APIError.self) {
            try await manager.wall.get(ownerID: 7, options: options).value
        }
        #expect(error?.reason == .emptyReply)
    }

    @Test("D25: a call ends while the main thread is blocked")
    @MainActor
    func mainThread() {
        let done = DispatchSemaphore(value: 0)
        vk.manager().wall.post(message: "a").start { _ in done.signal() }
        done.wait()
    }

    @Test("D25: different kinds of failures have different reasons")
    func failures() async throws {
        let ends: [Result<TransportReply, TransportError>] = [
            .failure(TransportError(.offline, "offline")), .failure(TransportError(.tls, "tls")),
            .success(.bytes(status: .forbidden)), .success(.bytes()), .success(.json("{")),
            .success(.json(#"{"response": 1}"#)),
            .success(.json(#"{"error": {"error_code": 15, "error_msg": "no"}}"#)),
        ]
        var reasons: [APIError.Reason] = []
        for end in ends {
            vk.meet { _ throws(TransportError) in try end.get() }
            let call = vk.manager().wall.get(options: CallOptions(retry: .never))
            let error = await #expect(throws: APIError.self) { try await call.value }
            if let error { reasons.append(error.reason) }
        }
        #expect(reasons.count == ends.count && Set(reasons).count == ends.count)
    }

    @Test("D14: the diagnosis of a failure probes only the host of the call")
    func host() async throws {
        let asked = EventLog()
        let probe = ReachabilityProbe(
            hasLink: { true },
            resolves: { asked.add($0) > 0 },
            connects: { host, _ in asked.add(host) > 0 })
        let manager = APIManager<VK>(
            transport: InMemoryTransport { _ throws(TransportError) in
                throw TransportError(.timedOut, "nothing came")
            },
            credentials: .memory(Credential(token: "old"))
        ) {
            $0.settings.clock = vk.clock.runtimeClock
            $0.settings.diagnosis = DiagnosisRules(probe: probe)
        }
        let call = manager.wall.get(ownerID: 7, options: CallOptions(retry: .never))
        let error = await #expect(throws: APIError.self) { try await call.value }
        #expect(error?.diagnosis?.broken == .http)
        #expect(asked.all == ["api.vk.com", "api.vk.com"])
    }
}
