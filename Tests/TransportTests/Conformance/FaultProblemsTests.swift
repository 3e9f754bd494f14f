import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@Suite("Problems that a fault reports")
struct FaultProblemsTests {
    @Test(
        "a fault reports a repeated request, even if its outcome is right",
        arguments: TransportKind.onSockets)
    func repeated(_ kind: TransportKind) async throws {
        let transport = Repeating(base: kind.makeTransport())
        #expect(
            try await Fault.closedBeforeHead.problems(with: transport)
                == ["2 requests arrived, at most 1 allowed"])
    }

    @Test(
        "a fault reports a changed header field, body, method or path",
        arguments: TransportKind.onSockets)
    func changed(_ kind: TransportKind) async throws {
        let changes: [@Sendable (inout TransportRequest) -> Void] = [
            { $0.head.headerFields[.authorization] = nil },
            { if $0.body != nil { $0.body = .bytes([9]) } },
            { $0.head.method = .put },
            { $0.head.path = "/elsewhere" },
        ]
        for (change, count) in zip(changes, [2, 1, 2, 2]) {
            let transport = Changing(base: kind.makeTransport(), change: change)
            let problems = try await Fault.redirectToOtherOrigin.problems(with: transport)
            #expect(problems.count == count)
            #expect(problems.allSatisfy { $0.hasPrefix("a request arrived changed: ") })
        }
    }

    @Test("a fault reports an unexpected outcome")
    func otherEnd() async throws {
        let transport = InMemoryTransport { _ in .text("ok") }
        #expect(
            try await Fault.refused.problems(with: transport)
                == ["exchanges[0] ended in 200 with `ok`, not in no reply: cannotConnect"])
    }

    @Test("a fault reports an exchange that does not end")
    func noEnd() async throws {
        let server = try LoopbackServer(.silence)
        defer { server.stop() }
        let transport = InMemoryTransport { _ throws(TransportError) in
            await Gate().wait()
            throw .cancelled
        }
        let problems = await Fault.silence.problems(
            with: transport, on: server, limits: .init(exchange: .zero))
        #expect(problems == ["exchanges[0] does not end"])
    }

    @Test("a fault reports a connection that stays open")
    func leftOpen() async throws {
        let server = try LoopbackServer(.closedBeforeHead)
        defer { server.stop() }
        let problems = await Fault.closedBeforeHead.problems(
            with: Leaving(server), on: server, limits: .init(connection: .zero))
        #expect(problems == ["exchanges[0] failed, but a connection is open"])
    }
}

/// Sends every request again after a lost connection.
private struct Repeating: Transport {
    let base: any Transport

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        do throws(TransportError) {
            return try await base.send(request)
        } catch {
            guard error.kind == .connectionLost else { throw error }
            return try await base.send(request)
        }
    }
}

/// Sends a changed request.
private struct Changing: Transport {
    let base: any Transport
    let change: @Sendable (inout TransportRequest) -> Void

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        var request = request
        change(&request)
        return try await base.send(request)
    }
}

/// Leaves a connection open, and fails once the server has accepted it.
private final class Leaving: Transport {
    private let server: LoopbackServer
    private let client = Lock<RawClient?>(nil)

    init(_ server: LoopbackServer) { self.server = server }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        let isConnected = client.withLock { client in
            client = try? RawClient(port: server.port)
            return client != nil
        }
        guard isConnected else { throw TransportError(.cannotConnect, "") }
        while server.openConnectionCount == 0 { await Task.yield() }
        throw TransportError(.connectionLost, "")
    }
}
