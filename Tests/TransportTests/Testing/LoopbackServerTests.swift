import TelexJSON
import TelexTesting
import TelexTransport
import Testing

@Suite("The loopback server")
struct LoopbackServerTests {
    private static func get(_ server: LoopbackServer) throws -> RawClient {
        let client = try RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return client
    }

    private static func settings(
        host: String = "127.0.0.1", port: Int = 0, keepsRequests: Bool = true
    ) -> LoopbackServer.Settings {
        var settings = LoopbackServer.Settings()
        settings.host = host
        settings.port = port
        settings.keepsRequests = keepsRequests
        return settings
    }

    @Test("the loopback server listens at a port that was free, and says that one is in use")
    func ports() throws {
        let free = try LoopbackServer { _ in .text("") }
        let port = free.port
        free.stop()
        let first = try LoopbackServer(Self.settings(port: port)) { _ in .text("one") }
        #expect(throws: LoopbackError.self) {
            try LoopbackServer(Self.settings(port: port)) { _ in .text("two") }
        }
        // Also a connection that has just ended does not keep the port.
        let client = try Self.get(first)
        first.stop()
        withExtendedLifetime(client) {}
        let everywhere = Self.settings(host: "0.0.0.0", port: port)
        let second = try LoopbackServer(everywhere) { _ in .text("two") }
        defer { second.stop() }
        #expect(second.port == port)
    }

    @Test(
        "the loopback server refuses what is no address or port of this machine",
        arguments: [("the Mac", 0), ("::1", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1)])
    func addresses(host: String, port: Int) {
        #expect(throws: LoopbackError.self) {
            try LoopbackServer(Self.settings(host: host, port: port)) { _ in .text("") }
        }
    }

    @Test("the loopback server keeps no request where it need not")
    func forgets() async throws {
        let server = try LoopbackServer(Self.settings(keepsRequests: false)) { _ in
            .text("", fields: [.connection: "close"])
        }
        defer { server.stop() }
        _ = try Self.get(server)
        await server.waitUntilNoConnectionIsOpen()
        #expect(server.requests.isEmpty && server.brokenRequests.isEmpty)
    }

    @Test(
        "the loopback server ends a connection that is silent for its time, but no reply that waits"
    )
    func silence() async throws {
        let (isRead, mayReply) = (Gate(), Gate())
        var settings = Self.settings()
        settings.silence = .milliseconds(20)
        let server = try LoopbackServer(settings) { _ in
            isRead.open()
            return .text("late", fields: [.connection: "close"]).held(by: mayReply)
        }
        defer { server.stop() }
        let waiting = try Self.get(server)
        await isRead.wait()
        let silent = try RawClient(port: server.port)
        silent.send("GET /half HTTP/1.1\r\n")
        #expect(silent.receiveAll() == "")
        #expect(server.brokenRequests.map(\.line) == ["GET /half HTTP/1.1"])
        mayReply.open()
        #expect(waiting.receiveAll().hasSuffix("late"))
    }

    @Test(
        "the loopback server refuses a body that is declared as 1 GiB before a byte of it is sent",
        arguments: [
            "Content-Length: 1073741824\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n40000000\r\n",
            "Expect: 100-continue\r\nContent-Length: 1073741824\r\n\r\n",
        ])
    func large(rest: String) throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\n" + rest)
        let reply = client.receiveAll()
        #expect(reply.hasPrefix("HTTP/1.1 413 ") && reply.hasSuffix("the body is too large\n"))
        #expect(server.requests.isEmpty)
    }

    @Test(
        "the loopback server refuses a connection above its limit with 503, and serves a later one")
    func crowd() async throws {
        let (areRead, mayReply) = ([Gate(), Gate()], Gate())
        let count = Lock(0)
        var settings = Self.settings()
        settings.connectionLimit = 2
        let server = try LoopbackServer(settings) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number <= 2 { areRead[number - 1].open() }
            return .text("served").held(by: mayReply).then(.close)
        }
        defer { server.stop() }
        let served = try (0..<2).map { _ in try Self.get(server) }
        for gate in areRead { await gate.wait() }
        // More of them than are refused at once: the others wait for their turn.
        let refused = try (0..<200).map { _ in try Self.get(server) }
        for client in refused {
            let reply = client.receiveAll()
            #expect(reply.hasPrefix("HTTP/1.1 503 ") && reply.contains("Retry-After: 1\r\n"))
            #expect(reply.hasSuffix("too many connections\n"))
            client.leave()
        }
        mayReply.open()
        for client in served { #expect(client.receiveAll().hasSuffix("served")) }
        for client in served { client.leave() }
        await server.waitUntilNoConnectionIsOpen()
        #expect(try Self.get(server).receiveAll().hasSuffix("served"))
        #expect(server.requests.count == 3)
    }

    @Test("the loopback server sends a reply that goes on until the client leaves")
    func more() async throws {
        let count = Lock(0)
        let gates = [Gate(), Gate()]
        @Sendable func next() -> [LoopbackReply.Step] {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number <= gates.count else { return [.wait(Gate()), .more(next)] }
            return [.chunk(Array("\(number)".utf8)), .wait(gates[number - 1]), .more(next)]
        }
        let server = try LoopbackServer { _ in
            .head(fields: [.transferEncoding: "chunked"]).then(.more(next))
        }
        defer { server.stop() }
        var client: RawClient? = try Self.get(server)
        gates[0].open()
        while count.withLock({ $0 }) < 2 { await Task.yield() }
        gates[1].open()
        while count.withLock({ $0 }) < 3 { await Task.yield() }
        withExtendedLifetime(client) {}
        client = nil
        await server.waitUntilNoConnectionIsOpen()
    }

    @Test("the loopback server ends a reply that goes on when it is stopped")
    func stopped() async throws {
        let server = try LoopbackServer { _ in
            @Sendable func next() -> [LoopbackReply.Step] { [.wait(Gate()), .more(next)] }
            return .head(fields: [.transferEncoding: "chunked"]).then(.more(next))
        }
        let client = try Self.get(server)
        while server.requests.isEmpty { await Task.yield() }
        server.stop()
        await server.waitUntilNoConnectionIsOpen()
        withExtendedLifetime(client) {}
    }
}
