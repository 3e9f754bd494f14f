#if AsyncHTTPClient
    import AsyncHTTPClient
    import HTTPTypes
    import NIOCore
    import TelexAsyncHTTPClient
    import TelexRuntime
    import TelexTesting
    import Testing

    @Suite("Ownership and lifetime of the HTTP client")
    struct AsyncHTTPClientOwnershipTests {
        private func request(
            _ server: LoopbackServer, _ path: String = "/", in session: TransportSession = .shared
        ) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(
                    method: .get, scheme: "http", authority: server.authority, path: path),
                timeout: .noTimeout, session: session)
        }

        private func text(
            _ transport: AsyncHTTPClientTransport, _ request: TransportRequest
        ) async throws -> String {
            let body = try await transport.send(request).body.collect(upTo: 99)
            return String(decoding: body, as: UTF8.self)
        }

        /// Calls `body` with a client that is shut down afterwards.
        private func withClient(
            _ change: (inout HTTPClient.Configuration) -> Void = { _ in },
            _ body: (HTTPClient) async throws -> Void
        ) async throws {
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            change(&configuration)
            try await HTTPClient.withHTTPClient(configuration: configuration, body)
        }

        @Test("connections are used again, and ephemeral requests have their own (AsyncHTTPClient)")
        func connections() async throws {
            let server = try LoopbackServer { .text("\($0.connection)") }
            defer { server.stop() }
            let transport = AsyncHTTPClientTransport()
            for _ in 0..<5 { #expect(try await text(transport, request(server)) == "1") }
            #expect(try await text(transport, request(server, in: .ephemeral)) == "2")
            #expect(try await text(transport, request(server)) == "1")
        }

        @Test(
            "the transport's own client does not trace, because its spans would show tokens")
        func tracing() {
            var tracesByItself = true
            _ = AsyncHTTPClientTransport { tracesByItself = $0.tracing.tracer != nil }
            #expect(!tracesByItself)
        }

        @Test("the shared transport is one and the same (AsyncHTTPClient)")
        func shared() {
            let one: AsyncHTTPClientTransport = .asyncHTTPClient
            let other: AsyncHTTPClientTransport = .asyncHTTPClient
            #expect(one === other)
        }

        @Test("a released transport closes its connections after their exchanges")
        func letGo() async throws {
            let mayEnd = Gate()
            let closed = Gate()
            let head = LoopbackReply.stalled([1], declaring: 2).steps.dropLast()
            let server = try LoopbackServer { _ in
                LoopbackReply(head + [.wait(mayEnd), .send([2])])
            }
            defer { server.stop() }
            let body = try await AsyncHTTPClientTransport { configuration in
                configuration.http1_1ConnectionDebugInitializer = { channel in
                    channel.closeFuture.whenComplete { _ in closed.open() }
                    return channel.eventLoop.makeSucceededVoidFuture()
                }
            }.send(request(server)).body
            mayEnd.open()
            #expect(try await body.collect(upTo: 2) == [1, 2])
            await closed.wait()
        }

        @Test("shutting down ends running exchanges, and later ones fail")
        func shutdown() async throws {
            let arrived = Gate()
            let server = try LoopbackServer { _ in
                arrived.open()
                return .silence
            }
            defer { server.stop() }
            let transport = AsyncHTTPClientTransport()
            let request = request(server)
            let running = Task {
                await TransportError.kind { _ = try await transport.send(request) }
            }
            await arrived.wait()
            await transport.shutdown()
            #expect(await running.value == .cancelled)
            let late = await TransportError.kind { _ = try await transport.send(request) }
            #expect(late == .other)
            await transport.shutdown()
        }

        @Test("a client of the caller is used and not shut down")
        func clientOfTheCaller() async throws {
            let server = try LoopbackServer { .text("\($0.connection)") }
            defer { server.stop() }
            try await withClient { client in
                let transport: AsyncHTTPClientTransport = .asyncHTTPClient(client)
                #expect(try await text(transport, request(server)) == "1")
                await transport.shutdown()
                #expect(try await text(transport, request(server)) == "1")
                _ = try await client.execute(
                    HTTPClientRequest(url: "http://\(server.authority)/"), timeout: .hours(10))
                #expect(server.connectionCount == 1)
            }
        }

        @Test("ephemeral requests need a client of their own")
        func ephemeralClient() async throws {
            let server = try LoopbackServer { .text("\($0.connection)") }
            defer { server.stop() }
            let ephemeral = request(server, in: .ephemeral)
            try await withClient { client in
                let alone = AsyncHTTPClientTransport(client: client)
                let kind = await TransportError.kind { _ = try await alone.send(ephemeral) }
                #expect(kind == .unsupported)
                #expect(server.connectionCount == 0)
                try await withClient { other in
                    let transport = AsyncHTTPClientTransport(client: client, ephemeral: other)
                    let answers = [
                        try await text(transport, request(server)),
                        try await text(transport, ephemeral),
                    ]
                    #expect(answers == ["1", "2"])
                }
            }
        }

        @Test("redirects are not followed, and a client that follows them is refused")
        func redirects() async throws {
            let server = try LoopbackServer { request in
                request.path == "/there"
                    ? .text("there") : .text("moved", status: 302, fields: [.location: "/there"])
            }
            defer { server.stop() }
            let stubborn = AsyncHTTPClientTransport {
                $0.redirectConfiguration = .follow(max: 5, allowCycles: false)
            }
            #expect(try await text(stubborn, request(server)) == "moved")
            try await withClient {
                $0.redirectConfiguration = .follow(max: 5, allowCycles: false)
            } _: { client in
                let transport = AsyncHTTPClientTransport(client: client)
                let kind = await TransportError.kind {
                    _ = try await transport.send(request(server))
                }
                #expect(kind == .unsupported)
            }
        }
    }
#endif
