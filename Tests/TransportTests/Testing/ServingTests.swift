import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("Replies of a handler, in memory and over a socket")
struct ServingTests {
    private func outcome(
        _ kind: TransportKind, _ reply: LoopbackReply, _ method: HTTPRequest.Method = .get
    ) async throws -> Fault.Outcome {
        let served = try TransportTestClient(kind) { _ in reply }
        defer { served.stop() }
        do throws(TransportError) {
            return await Fault.Outcome(of: try await served.send(method))
        } catch {
            return .noReply(error.kind)
        }
    }

    @Test("the handler sees the request as it was sent", arguments: TransportKind.allCases)
    func request(_ kind: TransportKind) async throws {
        let served = try TransportTestClient(kind) { seen in
            .text(
                "\(seen.method) \(seen.path) \(seen.target) \(seen.text) \(seen.authority != nil)")
        }
        defer { served.stop() }
        let reply = try await served.fetch(.post, "/a?b=c", body: .bytes(Array("body".utf8)))
        #expect(reply.text == "POST /a /a?b=c body true")
    }

    @Test("complete replies are complete", arguments: TransportKind.allCases)
    func whole(_ kind: TransportKind) async throws {
        #expect(try await outcome(kind, .text("ok", status: 404)) == .text("ok", status: 404))
        #expect(try await outcome(kind, .chunked([[65], [], [66]])) == .text("AB"))
        #expect(try await outcome(kind, .head(204)) == .text("", status: 204))
        #expect(try await outcome(kind, .head(fields: [.contentLength: "9"]), .head) == .text(""))
        let untilClosed = LoopbackReply.head().then(.send([65]), .send([66]), .close)
        #expect(try await outcome(kind, untilClosed) == .text("AB"))
        let announced = LoopbackReply(LoopbackReply.head(103).steps + LoopbackReply.text("a").steps)
        #expect(try await outcome(kind, announced) == .text("a"))
    }

    @Test("cut replies are cut where they were", arguments: TransportKind.allCases)
    func cut(_ kind: TransportKind) async throws {
        let ten = LoopbackReply.bytes([UInt8](0..<10))
        #expect(try await outcome(kind, ten.cut(after: 0, by: .close)) == .cut(after: 0, of: 10))
        #expect(try await outcome(kind, ten.cut(after: 9, by: .close)) == .cut(after: 9, of: 10))
        #expect(
            try await outcome(kind, ten.cut(after: 10, by: .close))
                == .reply(status: 200, body: [UInt8](0..<10)))
        #expect(
            try await outcome(kind, .chunked([[1]], isComplete: false)) == .cut(after: 1, of: nil))
        #expect(try await outcome(kind, .closed) == .noReply(.connectionLost))
        #expect(try await outcome(kind, .raw("nonsense\r\n\r\n")) == .noReply(.other))
        let bad = LoopbackReply.head(fields: [.contentLength: "1x"]).then(.send([1]))
        #expect(try await outcome(kind, bad) == .noReply(.other))
    }

    @Test(
        "errors about a reply do not contain its field values",
        arguments: TransportKind.allCases)
    func words(_ kind: TransportKind) async throws {
        let bad = LoopbackReply.head(fields: [.contentLength: "s3cret"]).then(.send([1]))
        let served = try TransportTestClient(kind) { _ in bad }
        defer { served.stop() }
        let error = await #expect(throws: TransportError.self) { try await served.send(.get) }
        #expect(error?.message.isEmpty == false && error?.message.contains("s3cret") == false)
    }

    @Test("steps wait for gates and open them", arguments: TransportKind.allCases)
    func gates(_ kind: TransportKind) async throws {
        let (half, goOn) = (Gate(), Gate())
        let served = try TransportTestClient(kind) { _ in
            LoopbackReply.head(fields: [.contentLength: "2"])
                .then(.send([1]), .open(half), .wait(goOn), .send([2]))
        }
        defer { served.stop() }
        let reply = try await served.send()
        let body = Task { try await reply.body.collect(upTo: 2) }
        await half.wait()
        goOn.open()
        #expect(try await body.value == [1, 2])
    }

    @Test(
        "cancelling a body from another task ends its reader",
        arguments: TransportKind.allCases)
    func givenUp(_ kind: TransportKind) async throws {
        let half = Gate()
        let served = try TransportTestClient(kind) { _ in
            LoopbackReply.head(fields: [.contentLength: "2"]).then(.send([1]), .open(half), .stall)
        }
        defer { served.stop() }
        let reply = try await served.send()
        let body = Task { await TransportError.kind { _ = try await reply.body.collect(upTo: 2) } }
        await half.wait()
        reply.body.cancel()
        #expect(await body.value == .cancelled)
    }

    @Test("a stall ends when the task is cancelled", arguments: TransportKind.allCases)
    func stall(_ kind: TransportKind) async throws {
        let arrived = Gate()
        let served = try TransportTestClient(kind) { _ in LoopbackReply([.open(arrived), .stall]) }
        defer { served.stop() }
        let task = Task { await TransportError.kind { _ = try await served.send() } }
        await arrived.wait()
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    private static let whole: [(LoopbackReply, HTTPRequest.Method)] = [
        (.text("ok"), .get), (.bytes(), .get), (.head(204), .get), (.head(304), .get),
        (.head(fields: [.contentLength: "3"]), .head), (.chunked([[65]]), .get),
        (.chunked([]), .get),
    ]

    @Test("steps after a complete reply are performed", arguments: TransportKind.allCases)
    func afterReply(_ kind: TransportKind) async throws {
        for (reply, method) in Self.whole + [(.text("ok"), .head), (.chunked([]), .head)] {
            let (isRead, isOver) = (Gate(), Gate())
            let served = try TransportTestClient(kind) { _ in
                reply.then(.open(isRead), .wait(isRead), .open(isOver))
            }
            defer { served.stop() }
            _ = try await served.fetch(method)
            await isOver.wait()
        }
    }

    @Test("steps after a complete reply wait for their gates", arguments: TransportKind.allCases)
    func gatesAfterReply(_ kind: TransportKind) async throws {
        for (reply, method) in Self.whole {
            let (goOn, isOver) = (Gate(), Gate())
            let served = try TransportTestClient(kind) { _ in reply.then(.wait(goOn), .open(isOver))
            }
            defer { served.stop() }
            _ = try await served.fetch(method)
            #expect(!isOver.isOpen)
            goOn.open()
            await isOver.wait()
        }
    }

    @Test("no step follows a closed connection", arguments: TransportKind.allCases)
    func afterClose(_ kind: TransportKind) async throws {
        let isOver = Gate()
        let served = try TransportTestClient(kind) { _ in .text("ok").then(.close, .open(isOver)) }
        defer { served.stop() }
        _ = try await served.fetch()
        #expect(!isOver.isOpen)
    }

    @Test("replies in turn repeat the last one")
    func inTurn() async throws {
        let served = try TransportTestClient(
            .inMemory, LoopbackServer.inTurn([.text("1"), .text("2")]))
        for expected in ["1", "2", "2"] { #expect(try await served.fetch().text == expected) }
        let none = try TransportTestClient(.inMemory, LoopbackServer.inTurn([]))
        #expect(try await none.fetch().status == 404)
    }

    @Test("a server knows when all its connections are closed")
    func released() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        await server.waitUntilNoConnectionIsOpen()
        let exchange = Fault.Probe(.text("ok"))
        do {
            let transport = TransportKind.urlSession.makeTransport()
            #expect(
                await exchange.perform(with: transport, at: server.authority) == .text("ok"))
            #expect(server.openConnectionCount == 1)
        }
        await server.waitUntilNoConnectionIsOpen()
        #expect(server.openConnectionCount == 0)
        #expect(server.connectionCount == 1)
    }
}
