#if AsyncHTTPClient
    import AsyncHTTPClient
    import HTTPTypes
    import NIOCore
    import Synchronization
    import TelexRuntime
    import TelexTesting
    import Testing

    @testable import TelexAsyncHTTPClient

    @Suite("A kept connection that AsyncHTTPClient finds closed")
    struct KeptConnectionTests {
        private let transport = AsyncHTTPClientTransport()

        private func request(
            _ method: HTTPRequest.Method, to authority: String, _ body: RequestBody? = nil
        ) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(method: method, scheme: "http", authority: authority, path: "/"),
                body: body, timeout: .noTimeout)
        }

        private static func stream() -> RequestBody {
            let rest = Mutex<[UInt8]?>([1])
            return .stream(length: 1) { rest.withLock { $0.take() } }
        }

        /// Sends a request on a kept connection that the server closes with `reply`.
        ///
        /// - Returns: The outcome, how often the transport sent the request again, and the number
        ///   of requests at the server.
        private func lose(
            _ method: HTTPRequest.Method, _ body: RequestBody? = nil, hasKey: Bool = false,
            by reply: LoopbackReply = .closed, andThen next: LoopbackReply = .text("ok")
        ) async throws -> (outcome: Fault.Outcome, repeats: Int, arrived: Int) {
            let server = try LoopbackServer(
                LoopbackServer.inTurn([.text("first"), reply, next]))
            defer { server.stop() }
            let first = try await transport.send(request(.get, to: server.authority))
            _ = try await first.body.collect(upTo: 9)
            let repeats = Mutex(0)
            var probe = Fault.Probe()
            probe.request = request(method, to: server.authority, body)
            probe.request.isRepeatable = hasKey
            probe.request.onRepeat = { _ in repeats.withLock { $0 += 1 } }
            let outcome = await probe.perform(with: transport, at: server.authority)
            return (outcome, repeats.withLock { $0 }, server.requests.count)
        }

        @Test(
            "costs no request that the server may get twice",
            arguments: [
                (HTTPRequest.Method.get, nil, false), (.put, RequestBody.bytes([1]), false),
                (.delete, nil, false), (.post, .bytes([1]), true), (.post, nil, true),
            ])
        func repeated(
            _ method: HTTPRequest.Method, _ body: RequestBody?, _ hasKey: Bool
        ) async throws {
            for loss in [LoopbackReply.closed, .reset] {
                let end = try await lose(method, body, hasKey: hasKey, by: loss)
                #expect(end.outcome == .text("ok"))
                #expect(end.repeats == 1 && end.arrived == 3)
            }
        }

        @Test(
            "is told for a request that the server may have, and must not get twice",
            arguments: [
                (HTTPRequest.Method.post, nil), (.post, RequestBody.bytes([1])),
                (.patch, .bytes([1])), (.put, Self.stream()),
            ])
        func notRepeated(_ method: HTTPRequest.Method, _ body: RequestBody?) async throws {
            let end = try await lose(method, body)
            #expect(end.outcome == .noReply(.connectionLost))
            #expect(end.repeats == 0 && end.arrived == 2)
        }

        @Test("is met once by a request")
        func once() async throws {
            let end = try await lose(.get, andThen: .closed)
            #expect(end.outcome == .noReply(.connectionLost))
            #expect(end.repeats == 1 && end.arrived == 3)
        }

        @Test("is not assumed once a byte of the reply has come")
        func partOfReply() async throws {
            let reply = LoopbackReply([.send(Array("HTTP/1.1 2".utf8)), .close])
            let end = try await lose(.get, by: reply)
            #expect(end.outcome == .noReply(.connectionLost))
            #expect(end.repeats == 0 && end.arrived == 2)
        }

        @Test("is not assumed of a new connection")
        func newConnection() async throws {
            let server = try LoopbackServer { _ in .closed }
            defer { server.stop() }
            let outcome = await Fault.Probe().perform(with: transport, at: server.authority)
            #expect(outcome == .noReply(.connectionLost))
            #expect(server.requests.count == 1)
        }

        @Test("has not got a request of which the client has taken no byte")
        func unsent() async throws {
            for body in [nil, RequestBody.bytes([1]), Self.stream()] {
                let post = request(.post, to: "127.0.0.1", body)
                let sending = try Sending(post, IdleTimeout(), with: .shared)
                #expect(sending.isUnsent(ChannelError.ioOnClosedChannel))
                #expect(sending.mayRepeat(after: ChannelError.ioOnClosedChannel))
                let again = try Sending(post, IdleTimeout(), with: .shared, isRepeat: true)
                #expect(!again.mayRepeat(after: ChannelError.ioOnClosedChannel))
                // Without a body, only the client knows whether the request is written.
                #expect(sending.isUnsent(KeptConnectionLost()) == (body != nil))
                #expect(!sending.isUnsent(HTTPClientError.remoteConnectionClosed))
            }
        }

        @Test("may have got a request of which the client has taken the body")
        func taken() async throws {
            let post = request(.post, to: "127.0.0.1", .bytes([1]))
            let sending = try Sending(post, IdleTimeout(), with: .shared)
            for try await _ in try #require(sending.upload?.clientBody) {}
            #expect(!sending.isUnsent(ChannelError.ioOnClosedChannel))
            #expect(!sending.mayRepeat(after: KeptConnectionLost()))
        }
    }
#endif
