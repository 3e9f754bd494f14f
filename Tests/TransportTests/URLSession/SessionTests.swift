import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("Sessions of requests")
struct SessionTests {
    /// The transports that have connections.
    private static let kinds = TransportKind.allCases.filter { $0 != .inMemory }

    private func send(
        _ session: TransportSession, to server: LoopbackServer, with transport: any Transport
    ) async throws -> String {
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: server.authority, path: "/")
        let reply = try await transport.send(
            TransportRequest(head: head, timeout: .noTimeout, session: session))
        return String(decoding: try await reply.body.collect(upTo: 99), as: UTF8.self)
    }

    @Test("sessions of requests share no connections, and reuse their own", arguments: kinds)
    func apart(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .text("\($0.connection)") }
        defer { server.stop() }
        let transport = kind.makeTransport()
        let sessions: [TransportSession] = [
            TransportSession("images"), TransportSession("private", isEphemeral: true), .shared,
            .ephemeral, TransportSession("images", connectionsPerHost: 2),
        ]
        for _ in 0..<3 {
            for (session, number) in zip(sessions, 1...) {
                #expect(try await send(session, to: server, with: transport) == "\(number)")
            }
        }
        #expect(server.connectionCount == sessions.count)
    }

    @Test(
        "sessions of requests have at most their number of connections to a host", arguments: kinds)
    func bounded(_ kind: TransportKind) async throws {
        let limit = 3
        // Opens when all allowed connections are in use. With fewer, no request would be answered.
        let full = CountDownLatch(limit)
        let server = try LoopbackServer { request in
            full.arrive()
            return .text("\(request.connection)").held(by: full.gate)
        }
        defer { server.stop() }
        let transport = kind.makeTransport()
        let session = TransportSession("images", connectionsPerHost: limit)
        let seen = try await withThrowingTaskGroup { group in
            for _ in 0..<30 {
                group.addTask {
                    let connection = try await send(session, to: server, with: transport)
                    return (connection, server.openConnectionCount)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(seen.map(\.0)).count == limit)
        #expect(seen.allSatisfy { $0.1 <= limit })
        #expect(server.requests.count == 30)
    }

    @Test(
        "a session sends non-idempotent requests up to its limit at a time, and finally all",
        arguments: kinds)
    func boundedPosts(_ kind: TransportKind) async throws {
        let limit = 3
        let full = CountDownLatch(limit)
        let server = try LoopbackServer { _ in
            full.arrive()
            return .text("ok").held(by: full.gate)
        }
        defer { server.stop() }
        let transport = kind.makeTransport()
        let session = TransportSession("images", connectionsPerHost: limit)
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: server.authority, path: "/")
        try await withThrowingTaskGroup { group in
            for _ in 0..<30 {
                group.addTask {
                    let reply = try await transport.send(
                        TransportRequest(
                            head: head, body: .bytes([1]), timeout: .noTimeout, session: session))
                    #expect(try await reply.body.collect(upTo: 9).count == 2)
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 30)
    }

    @Test("sessions of requests do not count the connections of other sessions", arguments: kinds)
    func independent(_ kind: TransportKind) async throws {
        let both = CountDownLatch(2)
        let server = try LoopbackServer { _ in
            both.arrive()
            return .text("ok").held(by: both.gate)
        }
        defer { server.stop() }
        let transport = kind.makeTransport()
        async let one = send(
            TransportSession("one", connectionsPerHost: 1), to: server, with: transport)
        async let other = send(
            TransportSession("other", connectionsPerHost: 1), to: server, with: transport)
        #expect(try await [one, other] == ["ok", "ok"])
        #expect(server.connectionCount == 2)
    }
}
