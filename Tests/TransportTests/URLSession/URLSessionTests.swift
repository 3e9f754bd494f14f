import Foundation
import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

@Suite("URLSession on a real network")
struct URLSessionTests {
    private func request(
        _ server: LoopbackServer, _ path: String = "/", timeout: Duration = .noTimeout
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: server.authority, path: path),
            timeout: timeout)
    }

    private func kind(
        _ request: TransportRequest, _ reply: LoopbackReply
    ) async throws -> TransportError.Kind? {
        let server = try LoopbackServer { _ in reply }
        defer { server.stop() }
        var request = request
        request.head.authority = server.authority
        let sent = request
        return await TransportError.kind {
            _ = try await URLSessionTransport().send(sent).body.collect(upTo: .max)
        }
    }

    private var anywhere: TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "x", path: "/"),
            timeout: .noTimeout)
    }

    @Test("a refused connection says so")
    func refused() async throws {
        let server = try LoopbackServer.refusing()
        defer { server.stop() }
        let request = request(server)
        let kind = await TransportError.kind { _ = try await URLSessionTransport().send(request) }
        #expect(kind == .cannotConnect)
    }

    @Test("a host without an address says so (URLSession)")
    func noName() async throws {
        var request = anywhere
        request.head.authority = "nowhere.invalid"
        let sent = request
        let kind = await TransportError.kind { _ = try await URLSessionTransport().send(sent) }
        #expect(kind == .nameNotFound)
    }

    @Test("a server that speaks no TLS cannot be trusted (URLSession)")
    func tls() async throws {
        var request = anywhere
        request.head.scheme = "https"
        #expect(try await kind(request, .text("ok")) == .tls)
    }

    @Test("a server that speaks no TLS cannot be trusted at the second of two addresses either")
    func tlsAtSecondAddress() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        var request = request(server)
        request.head.scheme = "https"
        request.head.authority = "localhost:\(server.port)"
        let sent = request
        let kind = await TransportError.kind { _ = try await URLSessionTransport().send(sent) }
        #expect(kind == .tls)
    }

    @Test("a request has no idle time while it waits for a connection")
    func waitingForConnection() async throws {
        let (arrival, gate) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            guard request.path == "/first" else { return .silence }
            arrival.open()
            return .text("ok").held(by: gate)
        }
        defer { server.stop() }
        let transport = URLSessionTransport { rules, _ in rules.httpMaximumConnectionsPerHost = 1 }
        let first = request(server, "/first")
        let second = request(server, "/second", timeout: .milliseconds(80))
        async let reply = transport.send(first).body.collect(upTo: 2)
        await arrival.wait()
        async let end = {
            let kind = await TransportError.kind { _ = try await transport.send(second) }
            return (kind, isAfterFirst: gate.isOpen)
        }()
        // This time-out ends after the second one's, if that counted from the start.
        var clock = request(server, "/clock", timeout: .milliseconds(400))
        clock.session = .ephemeral
        let passed = clock
        #expect(await TransportError.kind { _ = try await transport.send(passed) } == .timedOut)
        gate.open()
        #expect(try await reply == Array("ok".utf8))
        let (kind, isAfterFirst) = await end
        #expect(kind == .timedOut)
        #expect(isAfterFirst)
    }

    @Test("a pending stream ends in an idle time-out")
    func silentStream() async throws {
        let never = Gate()
        var request = anywhere
        request.head.method = .post
        request.timeout = .milliseconds(80)
        request.body = .stream(length: nil) { () async throws(TransportError) in
            await never.wait()
            throw .cancelled
        }
        #expect(try await kind(request, .text("ok")) == .timedOut)
    }

    @Test("idle time ends the exchange, before the head and after it (URLSession)")
    func timeout() async throws {
        var request = anywhere
        request.timeout = .milliseconds(80)
        #expect(try await kind(request, .silence) == .timedOut)
        #expect(try await kind(request, .stalled([1], declaring: 3)) == .timedOut)
    }

    @Test("a request has its own time-out, although an earlier one has a longer")
    func ownTimes() async throws {
        let (arrival, gate) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            guard request.path == "/patient" else { return .silence }
            arrival.open()
            return .text("ok").held(by: gate)
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        let (patient, hasty) = (
            request(server, "/patient"), request(server, "/hasty", timeout: .milliseconds(80))
        )
        async let reply = transport.send(patient).body.collect(upTo: 2)
        await arrival.wait()
        for _ in 0..<2 {
            let kind = await TransportError.kind { _ = try await transport.send(hasty) }
            #expect(kind == .timedOut)
        }
        gate.open()
        #expect(try await reply == Array("ok".utf8))
    }

    @Test("a reset is a loss before the head, and cuts the body short after it (URLSession)")
    func reset() async throws {
        #expect(try await kind(anywhere, .reset) == .connectionLost)
        let reply = LoopbackReply(
            LoopbackReply.bytes([1, 2, 3]).steps.dropLast() + [.send([1]), .reset])
        guard case .truncated = try await kind(anywhere, reply) else {
            Issue.record("not truncated")
            return
        }
    }

    @Test("chunks are put together, and a missing last chunk is noticed")
    func chunked() async throws {
        let server = try LoopbackServer { request in
            .chunked([[1], [2, 3]], isComplete: request.path == "/whole")
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        let whole = try await transport.send(request(server, "/whole"))
        #expect(whole.body.length == nil)
        #expect(try await whole.body.collect(upTo: 3) == [1, 2, 3])
        let part = request(server, "/part")
        let kind = await TransportError.kind {
            _ = try await transport.send(part).body.collect(upTo: .max)
        }
        #expect(kind == .truncated(received: 3, expected: nil))
    }

    @Test("chunks above the bound are too large, without a declared length (URLSession)")
    func chunkedTooLarge() async throws {
        var request = anywhere
        request.maximumReplyBytes = 5
        #expect(try await kind(request, .chunked([[1, 2, 3], [4, 5, 6]])) == .tooLarge(limit: 5))
    }

    @Test("the whole body of a 401 arrives, whatever the challenge", arguments: [6, 300_000])
    func unauthorizedBody(_ size: Int) async throws {
        let body = [UInt8](repeating: 1, count: size)
        let server = try LoopbackServer { _ in
            .bytes(body, status: 401, fields: [.wwwAuthenticate: "Basic realm=\"x\""])
        }
        defer { server.stop() }
        let reply = try await URLSessionTransport().send(request(server))
        #expect(try await reply.body.collect(upTo: size) == body)
    }

    @Test("early hints are not taken for the reply (URLSession)")
    func earlyHints() async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(
                LoopbackReply.head(103, fields: [.server: "hints"]).steps
                    + LoopbackReply.text("ok").steps)
        }
        defer { server.stop() }
        let reply = try await URLSessionTransport().send(request(server))
        #expect(reply.head.status == .ok)
        #expect(try await reply.body.collect(upTo: 2) == Array("ok".utf8))
    }

    @Test("a length above the bound is too large before a byte of it has come (URLSession)")
    func declaredTooLarge() async throws {
        var request = anywhere
        request.maximumReplyBytes = 5
        #expect(try await kind(request, .stalled(declaring: 6)) == .tooLarge(limit: 5))
    }

    @Test("a body without a type is not called a form")
    func contentType() async throws {
        let server = try LoopbackServer { .text($0.fields[.contentType] ?? "-") }
        defer { server.stop() }
        var request = request(server)
        request.head.method = .post
        request.body = .bytes([1])
        let reply = try await URLSessionTransport().send(request)
        #expect(
            try await reply.body.collect(upTo: 99) == Array("application/octet-stream".utf8))
    }

    @Test("a GET with a body is refused, because URLSession does not send it everywhere")
    func getWithBody() async throws {
        var request = anywhere
        request.body = .bytes([1])
        let sent = request
        let kind = await TransportError.kind { _ = try await URLSessionTransport().send(sent) }
        #expect(kind == .unsupported)
    }

    @Test("a reply that is no HTTP is an error (URLSession)")
    func malformed() async throws {
        #expect(try await kind(anywhere, .raw("hello\r\n\r\n")) == .other)
        #expect(try await kind(anywhere, .raw("HTTP/1.1 abc\r\n\r\n")) == .other)
    }

    @Test("the head of a reply to HEAD declares a body that is not missed (URLSession)")
    func head() async throws {
        let server = try LoopbackServer { _ in .head(fields: [.contentLength: "1000000000"]) }
        defer { server.stop() }
        var request = request(server)
        request.head.method = .head
        let reply = try await URLSessionTransport().send(request)
        #expect(reply.head.headerFields[.contentLength] == "1000000000")
        #expect(try await reply.body.collect(upTo: 0).isEmpty)
    }

    @Test("connections are used again, and ephemeral requests have their own (URLSession)")
    func connections() async throws {
        let server = try LoopbackServer { .text("\($0.connection)") }
        defer { server.stop() }
        let transport = URLSessionTransport()
        for _ in 0..<5 {
            let reply = try await transport.send(request(server))
            #expect(try await reply.body.collect(upTo: 9) == Array("1".utf8))
        }
        var ephemeral = request(server)
        ephemeral.session = .ephemeral
        let reply = try await transport.send(ephemeral)
        #expect(try await reply.body.collect(upTo: 9) == Array("2".utf8))
    }

    @Test("a reply that is dropped unread gives its connection back (URLSession)")
    func dropped() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .stalled([1], declaring: 2) : .text("ok")
        }
        defer { server.stop() }
        let transport = URLSessionTransport { rules, _ in rules.httpMaximumConnectionsPerHost = 1 }
        for _ in 0..<3 { _ = try await transport.send(request(server)) }
        let reply = try await transport.send(request(server, "/ok"))
        #expect(try await reply.body.collect(upTo: 2) == Array("ok".utf8))
    }

    @Test("the shared transport is one and the same (URLSession)")
    func shared() {
        let (one, other): (URLSessionTransport, URLSessionTransport) = (.urlSession, .urlSession)
        #expect(one === other)
    }

    @Test("a body that is streamed is not sent a second time on another connection")
    func streamOnReuse() async throws {
        let fault = Fault.postClosedOnReuse
        let server = try LoopbackServer(fault)
        defer { server.stop() }
        let transport = URLSessionTransport()
        let rest = Lock<ArraySlice<[UInt8]>>([[1], [2]])
        let get = fault.probes[0]
        // An idempotent request uses a kept connection. A stream could not be read twice.
        var put = fault.probes[1]
        put.request.head.method = .put
        put.request.body = .stream(length: 2) { rest.withLock { $0.popFirst() } }
        #expect(await get.perform(with: transport, at: server.authority) == .text("ok"))
        let outcome = await put.perform(with: transport, at: server.authority)
        #expect(outcome == .noReply(.connectionLost))
        #expect(server.requests.map(\.body) == [[], [1, 2]])
    }

    @Test(
        "a non-idempotent request is not repeated when a kept connection ends",
        arguments: [nil, RequestBody.bytes([1]), .stream(length: nil) { nil }])
    func onceOnReuse(_ body: RequestBody?) async throws {
        let server = try LoopbackServer { request in
            request.method == "GET" ? .text("ok") : .closed
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        _ = try await transport.send(request(server)).body.collect(upTo: 2)
        var post = request(server)
        post.head.method = .post
        post.body = body
        let sent = post
        let kind = await TransportError.kind { _ = try await transport.send(sent) }
        #expect(kind == .connectionLost)
        while server.openConnectionCount > 1 { await Task.yield() }
        #expect(server.requests.map(\.method) == ["GET", "POST"])
        #expect(server.brokenRequests.isEmpty)
    }

    @Test("a request with an idempotency key uses a kept connection")
    func keyedReuse() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let transport = URLSessionTransport()
        var post = request(server)
        post.head.method = .post
        post.body = .bytes([1])
        post.isRepeatable = true
        for _ in 0..<3 {
            #expect(try await transport.send(post).body.collect(upTo: 2).count == 2)
        }
        #expect(server.connectionCount == 1)
    }

    @Test("requests that are cancelled during a redirect end without a trap")
    func cancelledRedirects() async throws {
        let server = try LoopbackServer { _ in .bytes(status: 302, fields: [.location: "/there"]) }
        defer { server.stop() }
        let transport = URLSessionTransport { rules, _ in rules.httpMaximumConnectionsPerHost = 60 }
        let request = request(server)
        for share in 0..<50 {
            let tasks = (0..<60).map { _ in
                Task { await TransportError.kind { _ = try await transport.send(request) } }
            }
            // The more requests have ended, the further the rest has progressed.
            for task in tasks.prefix(share) { #expect(await task.value == nil) }
            for task in tasks { task.cancel() }
            for task in tasks { #expect([nil, .cancelled].contains(await task.value)) }
        }
    }

    @Test("a file is announced with its length, and not sent in chunks", arguments: [0, 100_000])
    func fileLength(_ length: Int) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let path = NSTemporaryDirectory() + "telex-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 7, count: length).write(to: URL(filePath: path))
        var request = request(server)
        request.head.method = .put
        request.body = .file(path: path, length: length)
        let reply = try await URLSessionTransport().send(request)
        #expect(try await reply.body.collect(upTo: 2).count == 2)
        let sent = try #require(server.requests.first)
        #expect(sent.body.count == length)
        #expect(sent.fields[.contentLength] == "\(length)")
        #expect(sent.fields[.transferEncoding] == nil)
    }

    @Test("uploads that are cancelled in the middle of a file end without a trap")
    func cancelledUploads() async throws {
        let server = try LoopbackServer { _ in .text("all of it") }
        defer { server.stop() }
        let path = NSTemporaryDirectory() + "telex-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let length = 8_388_608
        try Data(repeating: 7, count: length).write(to: URL(filePath: path))
        let transport = URLSessionTransport()
        for share in 0..<200 {
            let sending = Gate()
            var request = request(server)
            request.head.method = .put
            request.body = .file(path: path, length: length)
            request.onBodySent = { total in if total * 200 >= share * length { sending.open() } }
            let sent = request
            let task = Task { await TransportError.kind { _ = try await transport.send(sent) } }
            await sending.wait()
            task.cancel()
            #expect([nil, .cancelled].contains(await task.value))
        }
    }

    @Test("400 requests, half of them cancelled, all end (URLSession)")
    func cancelledStorm() async throws {
        let server = try LoopbackServer { request in
            request.path == "/stall" ? .silence : .text("ok")
        }
        defer { server.stop() }
        let transport = URLSessionTransport { rules, _ in rules.httpMaximumConnectionsPerHost = 500
        }
        let stalling = request(server, "/stall")
        let answering = request(server)
        let stalled = (0..<200).map { _ in
            Task { await TransportError.kind { _ = try await transport.send(stalling) } }
        }
        for _ in 0..<200 {
            let reply = try await transport.send(answering)
            #expect(try await reply.body.collect(upTo: 2).count == 2)
        }
        for task in stalled { task.cancel() }
        for task in stalled { #expect(await task.value == .cancelled) }
    }
}
