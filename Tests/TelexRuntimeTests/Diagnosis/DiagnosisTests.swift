import HTTPTypes
import TelexJSON
import Testing

@testable import TelexRuntime
@testable import TelexTesting

@Suite("The diagnosis of a failure")
struct DiagnosisTests {
    /// A network that works up to a level, and records the checks.
    private final class Network: Sendable {
        let asked = Lock<[String]>([])
        let level: Int
        let gate: Gate?

        init(upTo level: Int, gate: Gate? = nil) {
            self.level = level
            self.gate = gate
        }

        var probe: ReachabilityProbe {
            ReachabilityProbe(
                hasLink: { await self.answer("link", 1) },
                resolves: { await self.answer("name \($0)", 2) },
                connects: { await self.answer("connect \($0) \($1)", 3) })
        }

        private func answer(_ question: String, _ needed: Int) async -> Bool {
            asked.withLock { $0.append(question) }
            await gate?.wait()
            return level >= needed
        }
    }

    private func manager(
        _ rules: DiagnosisRules, clock: RuntimeClock = .stopped, server: ServerChoice = .first,
        _ script: @escaping InMemoryTransport.Script
    ) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: InMemoryTransport(script), credentials: .memory(Credential(token: secret))
        ) {
            $0.server = server
            $0.settings.clock = clock
            $0.settings.diagnosis = rules
        }
    }

    private func diagnose(
        _ kind: TransportError.Kind, upTo level: Int
    ) async -> (error: APIError?, asked: [String]) {
        let network = Network(upTo: level)
        let manager = manager(DiagnosisRules(probe: network.probe)) { _ throws(TransportError) in
            throw TransportError(kind, "it failed")
        }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        return (error, network.asked.withLock { $0 })
    }

    @Test("the diagnosis of a failure finds the first level that fails, and checks no other host")
    func levels() async {
        let name = "name api.tiny.test"
        let connect = "connect api.tiny.test 443"
        let (offline, link) = await diagnose(.timedOut, upTo: 0)
        #expect(offline?.diagnosis?.broken == .link)
        #expect(link == ["link"])
        let (nameless, names) = await diagnose(.nameNotFound, upTo: 1)
        #expect(nameless?.diagnosis?.broken == .name)
        #expect(names == ["link", name])
        let (closed, connects) = await diagnose(.cannotConnect, upTo: 2)
        #expect(closed?.diagnosis?.broken == .connect)
        #expect(connects == ["link", name, connect])
        let (silent, _) = await diagnose(.timedOut, upTo: 3)
        #expect(silent?.diagnosis?.reached == .connect)
        #expect(silent?.diagnosis?.broken == .http)
        #expect(
            silent?.description
                == "`users.get` of Tiny failed: it failed; it may be tried again (`api.tiny.test` "
                + "accepts connections on port 443, but no valid reply arrived)")
    }

    @Test(
        "a diagnosis needs a network for any host but localhost, whatever its name begins with",
        arguments: [
            ("http://127.0.0.1.nip.io/", ["link"]), ("http://127.evil.example/", ["link"]),
            ("http://127.9.8.7/", ["name 127.9.8.7"]), ("http://[::1]/", ["name ::1"]),
            ("http://localhost/", ["name localhost"]),
        ])
    func thisMachine(url: String, asked: [String]) async {
        let network = Network(upTo: 0)
        let manager = manager(DiagnosisRules(probe: network.probe), server: .url(url)) {
            _ throws(TransportError) in throw TransportError(.timedOut, "it failed")
        }
        _ = await failure(manager.operation(UsersRequests.ping()))
        #expect(network.asked.withLock { $0 } == asked)
    }

    @Test("a diagnosis states nothing wrong about a server whose reply is malformed")
    func malformed() async {
        let (error, _) = await diagnose(.other, upTo: 3)
        #expect(error?.diagnosis?.broken == .http)
        #expect(
            error?.diagnosis?.description
                == "`api.tiny.test` accepts connections on port 443, "
                + "but no valid reply arrived")
    }

    @Test("a diagnosis is skipped if the failure explains itself, or is not a network failure")
    func known() async {
        let (offline, first) = await diagnose(.offline, upTo: 3)
        #expect(offline?.diagnosis?.broken == .link)
        let (untrusted, second) = await diagnose(.tls, upTo: 3)
        #expect(untrusted?.diagnosis?.broken == .tls)
        let (large, third) = await diagnose(.tooLarge(limit: 1), upTo: 3)
        #expect(large?.diagnosis == nil)
        #expect(first + second + third == [])
    }

    @Test("the diagnosis of a failure is skipped after a success and after an error reply")
    func notNeeded() async throws {
        let network = Network(upTo: 3)
        let manager = manager(DiagnosisRules(probe: network.probe)) { request in
            request.head.path?.contains("ping") == true
                ? .json("{}") : .json("{}", status: .internalServerError)
        }
        try await manager.operation(UsersRequests.ping()).value
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.status == 500)
        #expect(error?.diagnosis == nil)
        #expect(network.asked.withLock { $0 } == [])
    }

    @Test("a diagnosis is made once for many failures of one host, and again when it is old")
    func shared() async {
        let network = Network(upTo: 2)
        let clock = VirtualClock()
        let manager = manager(
            DiagnosisRules(probe: network.probe), clock: clock.runtimeClock
        ) {
            _ throws(TransportError) in throw TransportError(.cannotConnect, "refused")
        }
        for _ in 0..<20 {
            let error = await failure(manager.operation(UsersRequests.ping()))
            #expect(error?.diagnosis?.broken == .connect)
        }
        #expect(network.asked.withLock { $0.count } == 3)
        clock.advance(by: .seconds(6))
        _ = await failure(manager.operation(UsersRequests.ping()))
        #expect(network.asked.withLock { $0.count } == 6)
    }

    @Test("the diagnosis of a failure is dropped when it takes too long; the error then has none")
    func tooLong() async {
        let gate = Gate()
        let network = Network(upTo: 3, gate: gate)
        let slept = Lock<[Duration]>([])
        let clock = RuntimeClock(
            now: { .init(timeIntervalSince1970: 0) }, elapsed: { .seconds(100) },
            sleep: { deadline in slept.withLock { $0.append(deadline) } })
        let rules = DiagnosisRules(probe: network.probe, limit: .milliseconds(700))
        let manager = manager(rules, clock: clock) { _ throws(TransportError) in
            throw TransportError(.timedOut, "silence")
        }
        let error = await failure(manager.operation(UsersRequests.ping()))
        #expect(error != nil)
        #expect(error?.diagnosis == nil)
        #expect(slept.withLock { $0.contains(.milliseconds(100_700)) })
        gate.open()
    }

    @Test(
        "the diagnosis of a failure detects a captive portal by an unexpected answer",
        arguments: [(TransportError.Kind.connectionLost, 3), (.tls, 0)])
    func portal(kind: TransportError.Kind, asked: Int) async {
        let network = Network(upTo: 3)
        let rules = DiagnosisRules(
            probe: network.probe, portal: PortalCheck("http://check.test/204"))
        let manager = manager(rules) { request throws(TransportError) in
            guard request.head.authority == "check.test" else {
                throw TransportError(kind, "lost")
            }
            return .bytes(status: .found, fields: .location("http://login.test/"))
        }
        let error = await failure(manager.operation(UsersRequests.ping()))
        #expect(error?.diagnosis?.broken == (kind == .tls ? .tls : .http))
        #expect(network.asked.withLock { $0.count } == asked)
        #expect(error?.diagnosis?.isCaptive == true)
        #expect(error?.description.contains("asks its user to log in") == true)
    }

    @Test("the diagnosis of a failure is made of the last attempt only")
    func lastAttempt() async {
        let network = Network(upTo: 2)
        let manager = manager(DiagnosisRules(probe: network.probe)) {
            _ throws(TransportError) in throw TransportError(.cannotConnect, "refused")
        }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        let operation = manager.operation(
            UsersRequests.ping(), options: CallOptions(retry: retry))
        let error = await failure(operation)
        #expect(operation.attempts.count == 3)
        #expect(network.asked.withLock { $0.count } == 3)
        #expect(error?.diagnosis?.broken == .connect)
    }

    @Test(
        "the diagnosis of a failure is made of a repeatable call that the retry budget stops")
    func noBudget() async {
        let network = Network(upTo: 2)
        // No budget recovers, because no time passes.
        let manager = manager(DiagnosisRules(probe: network.probe)) {
            _ throws(TransportError) in throw TransportError(.cannotConnect, "refused")
        }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        var attempts: [Int] = []
        for _ in 0..<12 {
            let error = await failure(
                manager.operation(UsersRequests.ping(), options: CallOptions(retry: retry)))
            #expect(error?.diagnosis?.broken == .connect)
            attempts.append(error?.attempts ?? 0)
        }
        #expect(attempts.first == 3 && attempts.last == 1)
    }

    @Test("a diagnosis is made of a call whose deadline comes before its next attempt")
    func noTime() async {
        let network = Network(upTo: 2)
        let manager = manager(DiagnosisRules(probe: network.probe)) {
            _ throws(TransportError) in throw TransportError(.cannotConnect, "refused")
        }
        let options = CallOptions(
            timeouts: Timeouts(total: .seconds(3_600)),
            retry: RetryPolicy(
                backoff: Backoff(initial: .seconds(4_000), jitter: 0, maximum: .seconds(4_000))))
        let error = await failure(manager.operation(UsersRequests.ping(), options: options))
        #expect(error?.attempts == 1)
        #expect(error?.diagnosis?.broken == .connect)
    }

    @Test("a diagnosis delays no download that continues, however often its connection was lost")
    func download() async throws {
        let (network, sent) = (Network(upTo: 2), Counter())
        let manager = manager(DiagnosisRules(probe: network.probe)) { _ in
            let number = sent.next()
            var fields: HTTPFields = [.eTag: "\"1\""]
            if number > 1 { fields[.contentRange] = "bytes \(number - 1)-5/6" }
            return .chunks(
                [[UInt8(number)]],
                then: number == 6 ? nil : TransportError(.connectionLost, "lost"),
                status: number == 1 ? .ok : .partialContent, fields: fields)
        }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero))
        try await withFile { path in
            let download = manager.operation(
                EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry))
            let file = try await download.value
            #expect(file.bytes == 6 && download.attempts.count == 6)
        }
        #expect(network.asked.withLock { $0 } == [])
    }

    @Test("the diagnosis of a failure asks the system about this device last")
    func system() async throws {
        let server = try LoopbackServer { _ in LoopbackReply([]) }
        let probe = ReachabilityProbe.system
        #expect(await probe.resolves("127.0.0.1"))
        #expect(await probe.connects("127.0.0.1", server.port))
        let refusing = try LoopbackServer.refusing()
        #expect(await !probe.connects("127.0.0.1", refusing.port))
        #expect(await !probe.resolves("no such name"))
    }
}
