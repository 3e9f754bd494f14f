import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("An interceptor")
struct InterceptorTests {
    /// Records which requests have left the origin.
    private final class Watcher: Interceptor {
        private let seen = Lock<[String]>([])

        var lines: [String] { seen.withLock { $0 } }

        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            let host = request.head.authority ?? ""
            seen.withLock { $0.append("\(host) \(call.leavesOrigin)") }
            return try await next(request)
        }
    }

    private let watcher = Watcher()

    /// A manager whose servers redirect from one host to the next.
    private func manager(_ way: [String: String] = [:]) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: InMemoryTransport { request in
                let next = way[(request.head.authority ?? "") + (request.head.path ?? "")]
                return next.map { .bytes(status: .found, fields: .location($0)) } ?? .bytes()
            },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.interceptors = [watcher]
            $0.settings.clock = .stopped
        }
    }

    @Test(
        "an interceptor is informed of requests that a redirect led away from the API's server"
    )
    func redirects() async throws {
        let manager = manager([
            "api.tiny.test/method/ping?v=5.199": "/method/there",
            "api.tiny.test/method/there": "https://other.test/",
            "other.test/": "https://api.tiny.test/back",
        ])
        try await manager.operation(UsersRequests.ping()).value
        #expect(
            watcher.lines == [
                "api.tiny.test false", "api.tiny.test false", "other.test true",
                "api.tiny.test true",
            ])
    }

    @Test("an interceptor gets the credential of a request that carries its token, to sign with")
    func credential() async throws {
        struct Signing: Interceptor {
            let seen = Log()

            func intercept(
                _ request: TransportRequest, of call: InterceptedCall, next: Next
            ) async throws -> TransportReply {
                seen.add("\(call.method) \(call.credential?.values["key"] ?? "-")")
                return try await next(request)
            }
        }
        let signing = Signing()
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { request in
                request.head.path?.contains("users.get") == true
                    ? .bytes(status: .found, fields: .location("https://other.test/"))
                    : .json(#"{"response":[]}"#)
            },
            credentials: .memory(Credential(token: secret, values: ["key": "k7"]))
        ) {
            $0.interceptors = [signing]
            $0.settings.clock = .stopped
        }
        _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        _ = try await manager.operation(UsersRequests.ping()).value
        #expect(signing.seen.text == "users.get k7\nusers.get -\nping -")
    }

    @Test("an interceptor is informed of requests to other hosts from the first")
    func wholeAddresses() async throws {
        let file = UploadFile(bytes: [1], name: "a")
        for address in ["https://up.test/u", "https://api.tiny.test/u", "http://up.test"] {
            let operation = manager().operation(UsersRequests.upload(to: address, file))
            _ = try? await operation.value
        }
        #expect(watcher.lines == ["up.test true", "api.tiny.test false"])
    }

    /// Makes a call of another API after a reply, or throws.
    private struct Auditing: Interceptor {
        let audit: @Sendable () async throws -> Void

        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            let reply = try await next(request)
            try await audit()
            return reply
        }
    }

    @Test("an interceptor causes no repetition and no refresh by a failure after the reply")
    func behindReplies() async throws {
        let unreachable = TransportError(.cannotConnect, "no route")
        func audit(
            _ store: MemoryCredentialStore, _ script: @escaping InMemoryTransport.Script
        ) -> @Sendable () async throws -> Void {
            let other = APIManager<TinyAPI>(
                transport: InMemoryTransport(script), credentials: store
            ) { $0.settings.clock = .stopped }
            return {
                let call = other.operation(UsersRequests.get(ids: []), Self.once)
                _ = try await call.value
            }
        }
        let token = Credential(token: "t")
        let audits: [@Sendable () async throws -> Void] = [
            audit(MemoryCredentialStore()) { _ in .bytes() },
            audit(MemoryCredentialStore(token)) { _ throws(TransportError) in throw unreachable },
            audit(MemoryCredentialStore(token)) { _ in .bytes(status: .tooManyRequests) },
            { throw unreachable },
        ]
        for audit in audits {
            let refreshes = Counter()
            let transport = InMemoryTransport { _ in .json(#"{"response":1}"#) }
            let manager = APIManager<TinyAPI>(transport: transport, credentials: .memory(token)) {
                $0.refresher = .app { _ in
                    _ = refreshes.next()
                    return Credential(token: "new")
                }
                $0.interceptors = [Auditing(audit: audit)]
                $0.settings.clock = .stopped
            }
            let save = UsersRequests.save(name: "n", password: "password")
            let error = await failure(manager.operation(save))
            #expect(error != nil && error?.isRetryable == false)
            #expect(transport.requests.count == 1)
            #expect(refreshes.value == 0)
        }
    }

    /// Sends requests for one path to another host.
    private struct Mirroring: Interceptor {
        let path: String
        var host = "mirror.test"

        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            var request = request
            if request.head.path?.contains(path) == true { request.head.authority = host }
            return try await next(request)
        }
    }

    @Test("an interceptor that sends to another host pauses no call to the API's host")
    func pausedElsewhere() async throws {
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { request in
                request.head.authority == "mirror.test"
                    ? .json("{}", status: .tooManyRequests, fields: [.retryAfter: "600"])
                    : .json(#"{"response":[]}"#)
            },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.interceptors = [Mirroring(path: "ping")]
            $0.settings.clock = .stopped
        }
        #expect(await failure(manager.operation(UsersRequests.ping()))?.status == 429)
        let users = manager.operation(UsersRequests.get(ids: ["1"]))
        #expect(try await users.value.isEmpty)
    }

    @Test("an interceptor that sends to the API's host makes its pauses effective")
    func pausedHere() async {
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { request in
                request.head.authority == "api.tiny.test"
                    ? .json("{}", status: .tooManyRequests, fields: [.retryAfter: "600"])
                    : .bytes(status: .found, fields: .location("https://elsewhere.test/ping"))
            },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.interceptors = [Mirroring(path: "/method/ping", host: "first.test"), Returning()]
            $0.settings.clock = .stopped
        }
        #expect(await failure(manager.operation(UsersRequests.ping()))?.status == 429)
        let users = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        guard case .hostPaused? = users?.reason else {
            Issue.record("\(users?.description ?? "no error")")
            return
        }
    }

    /// Sends to the API what a redirect led elsewhere.
    private struct Returning: Interceptor {
        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            var request = request
            if request.head.authority == "elsewhere.test" {
                request.head.authority = "api.tiny.test"
            }
            return try await next(request)
        }
    }

    @Test("an interceptor that sends to another host has it diagnosed, and no secret is shown")
    func diagnosedElsewhere() async {
        let probe = ReachabilityProbe(
            hasLink: { true }, resolves: { _ in true },
            connects: { host, _ in !host.hasSuffix("mirror.test") })
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ throws(TransportError) in
                throw TransportError(.cannotConnect, "refused")
            },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.interceptors = [Mirroring(path: "users", host: "\(secret).mirror.test")]
            $0.settings.clock = .stopped
            $0.settings.diagnosis = DiagnosisRules(probe: probe, limit: .seconds(600))
        }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.diagnosis?.host == "\(Redactor.mark).mirror.test")
        #expect(error?.diagnosis?.broken == .connect)
    }

    private static let once = CallOptions(retry: .never)
}
