#if AsyncHTTPClient
    import AsyncHTTPClient
    import HTTPTypes
    import NIOCore
    import TelexJSON
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
            let rest = Lock<[UInt8]?>([1])
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
            let repeats = Lock(0)
            var probe = Fault.Probe()
            probe.request = request(method, to: server.authority, body)
            probe.request.isRepeatable = hasKey
            probe.request.onRepeat = { _ in repeats.withLock { $0 += 1 } }
            let outcome = await probe.perform(with: transport, at: server.authority)
            return (outcome, repeats.withLock { $0 }, server.requests.count)
        }

        @Test(
            "a kept connection found closed costs no request that the server may get twice",
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
            "a closed kept connection is told if a request may have arrived and must not come twice",
            arguments: [
                (HTTPRequest.Method.post, nil), (.post, RequestBody.bytes([1])),
                (.patch, .bytes([1])), (.put, Self.stream()),
            ])
        func notRepeated(_ method: HTTPRequest.Method, _ body: RequestBody?) async throws {
            let end = try await lose(method, body)
            #expect(end.outcome == .noReply(.connectionLost))
            #expect(end.repeats == 0 && end.arrived == 2)
        }

        /// Lets a reply pass once the end of the connection has arrived, too. A request that waits
        /// for the connection is then written before the client reads the end.
        private final class WaitingForEnd: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                while !context.channel.isClosedByPeer {}
                context.fireChannelRead(data)
            }
        }

        /// A transport with two connections, which are found closed by waiting requests.
        private static func unaware() -> AsyncHTTPClientTransport {
            AsyncHTTPClientTransport {
                $0.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2
                $0.http1_1ConnectionDebugInitializer = { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            WaitingForEnd(), position: .first)
                    }
                }
            }
        }

        /// Makes 56 calls, `width` at a time.
        ///
        /// - Returns: The outcomes.
        private func calls(
            _ width: Int, with transport: any Transport, to authority: String,
            _ method: HTTPRequest.Method, _ body: @escaping @Sendable () -> RequestBody?
        ) async -> Set<Fault.Outcome> {
            await withTaskGroup { group in
                for _ in 0..<width {
                    group.addTask {
                        var outcomes: Set<Fault.Outcome> = []
                        for _ in 0..<(56 / width) {
                            var probe = Fault.Probe()
                            probe.request = request(method, to: authority, body())
                            outcomes.insert(await probe.perform(with: transport, at: authority))
                        }
                        return outcomes
                    }
                }
                return await group.reduce(into: []) { $0.formUnion($1) }
            }
        }

        @Test(
            "a kept connection found closed costs no request that is written after its end arrived",
            arguments: [1, 8])
        func closedBefore(_ width: Int) async throws {
            let cases: [(HTTPRequest.Method, @Sendable () -> RequestBody?)] = [
                (.get, { nil }), (.post, { nil }), (.post, { .bytes([1]) }),
                (.post, { .bytes([UInt8](repeating: 1, count: 300_000)) }),
                (.post, { Self.stream() }),
            ]
            for (method, body) in cases {
                let server = try LoopbackServer { _ in .text("ok").then(.close) }
                defer { server.stop() }
                let outcomes = await calls(
                    width, with: Self.unaware(), to: server.authority, method, body)
                #expect(outcomes == [.text("ok")])
                #expect(server.requests.count == 56)
            }
        }

        @Test("a closed kept connection costs no GET, and sends no POST twice", arguments: [1, 8])
        func closedOnReuse(_ width: Int) async throws {
            for (method, lost) in [
                (HTTPRequest.Method.get, []), (.post, [Fault.Outcome.noReply(.connectionLost)]),
            ] {
                let server = try LoopbackServer(.closedOnReuse)
                defer { server.stop() }
                let outcomes = await calls(
                    width, with: AsyncHTTPClientTransport(), to: server.authority, method
                ) { nil }
                #expect(outcomes == Set([.text("ok")] + lost))
                let arrived = server.requests.count
                #expect(method == .get ? arrived > 56 : arrived == 56)
            }
        }

        @Test("a kept connection found closed has not got a body that it did not take to its end")
        func incomplete() async throws {
            let seen = Lock<Set<Int>>([])
            let server = try LoopbackServer(bodyPart: { _ in 0 }) { request in
                let isNew = seen.withLock { $0.insert(request.connection).inserted }
                return isNew ? .text("ok") : .reset
            }
            defer { server.stop() }
            let transport = transport
            let body = RequestBody.bytes([UInt8](repeating: 1, count: 20_000_000))
            for body in [nil, body] {
                var probe = Fault.Probe()
                probe.request = request(.post, to: server.authority, body)
                #expect(
                    await probe.perform(with: transport, at: server.authority) == .text("ok"))
            }
            #expect(server.requests.count == 3)
        }

        @Test(
            "a closed kept connection may be one never used, because another one took its request")
        func neverUsed() async throws {
            let (first, second, isMade) = (Gate(), Gate(), Gate())
            let made = Lock<[EventLoopPromise<Void>]>([])
            let server = try LoopbackServer { request in
                switch (request.connection, request.path) {
                case (1, "/a"): .text("ok").held(by: first)
                case (1, "/b"): .text("ok")
                case (1, _): .text("ok").held(by: second)
                case (2, _): .closed
                default: .text("ok").then(.open(second))
                }
            }
            defer { server.stop() }
            let transport = AsyncHTTPClientTransport {
                $0.http1_1ConnectionDebugInitializer = { channel in
                    let promise = channel.eventLoop.makePromise(of: Void.self)
                    let number = made.withLock { made in
                        made.append(promise)
                        return made.count
                    }
                    if number != 2 { promise.succeed() } else { isMade.open() }
                    return promise.futureResult
                }
            }
            let authority = server.authority
            @Sendable func get(_ path: String) async -> Fault.Outcome {
                await Fault.Probe(path: path).perform(with: transport, at: authority)
            }
            async let a = get("/a")
            while server.requests.isEmpty { await Task.yield() }
            async let b = get("/b")
            await isMade.wait()
            first.open()
            #expect(await [a, b] == [.text("ok"), .text("ok")])
            let unused = made.withLock { $0[1] }
            try await unused.futureResult.eventLoop.submit { unused.succeed() }.get()
            async let c = get("/c")
            async let d = get("/d")
            #expect(await [c, d] == [.text("ok"), .text("ok")])
        }

        @Test("a closed kept connection of a caller's client costs no request that may be repeated")
        func foreign() async throws {
            let get = request(.get, to: "127.0.0.1")
            let (lost, unsent) = (
                HTTPClientError.remoteConnectionClosed, ChannelError.ioOnClosedChannel
            )
            for (repeats, mayRepeat, mayTryOther) in [
                (0, true, true), (1, false, true), (8, false, false),
            ] {
                let sending = try Sending(
                    get, IdleTimeout(), with: .shared, isWatched: false, repeats: repeats)
                #expect(sending.mayRepeat(after: lost) == mayRepeat)
                #expect(sending.mayRepeat(after: unsent) == mayTryOther)
            }
            let post = request(.post, to: "127.0.0.1")
            let sending = try Sending(post, IdleTimeout(), with: .shared, isWatched: false)
            #expect(!sending.mayRepeat(after: lost))
        }

        @Test("a kept connection that AsyncHTTPClient finds closed is met once by a request")
        func once() async throws {
            let end = try await lose(.get, andThen: .closed)
            #expect(end.outcome == .noReply(.connectionLost))
            #expect(end.repeats == 1 && end.arrived == 3)
        }

        @Test("a closed kept connection is not assumed once a byte of the reply has come")
        func partOfReply() async throws {
            let reply = LoopbackReply([.send(Array("HTTP/1.1 2".utf8)), .close])
            let end = try await lose(.get, by: reply)
            #expect(end.outcome == .noReply(.connectionLost))
            #expect(end.repeats == 0 && end.arrived == 2)
        }

        @Test(
            "a kept connection that AsyncHTTPClient finds closed is not assumed of a new connection"
        )
        func newConnection() async throws {
            let server = try LoopbackServer { _ in .closed }
            defer { server.stop() }
            let outcome = await Fault.Probe().perform(with: transport, at: server.authority)
            #expect(outcome == .noReply(.connectionLost))
            #expect(server.requests.count == 1)
        }

        @Test(
            "a closed kept connection has not got a request of which the client has taken no byte")
        func unsent() async throws {
            for body in [nil, RequestBody.bytes([1]), Self.stream()] {
                let post = request(.post, to: "127.0.0.1", body)
                let sending = try Sending(post, IdleTimeout(), with: .shared, isWatched: true)
                #expect(sending.isUnsent(ChannelError.ioOnClosedChannel))
                #expect(sending.mayRepeat(after: ChannelError.ioOnClosedChannel))
                let again = try Sending(
                    post, IdleTimeout(), with: .shared, isWatched: true, repeats: 1)
                #expect(!again.mayRepeat(after: ChannelError.ioOnClosedChannel))
                // Without a body, only the client knows whether the request is written.
                #expect(sending.isUnsent(KeptConnectionLost()) == (body != nil))
                #expect(!sending.isUnsent(HTTPClientError.remoteConnectionClosed))
            }
        }

        @Test(
            "a closed kept connection may have got a request of which the client has taken the body"
        )
        func taken() async throws {
            let post = request(.post, to: "127.0.0.1", .bytes([1]))
            let sending = try Sending(post, IdleTimeout(), with: .shared, isWatched: true)
            for try await _ in try #require(sending.upload?.clientBody) {}
            #expect(!sending.isUnsent(ChannelError.ioOnClosedChannel))
            #expect(!sending.mayRepeat(after: KeptConnectionLost()))
        }
    }
#endif
