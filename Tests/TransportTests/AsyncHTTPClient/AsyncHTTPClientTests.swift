#if AsyncHTTPClient
    import AsyncHTTPClient
    import HTTPTypes
    import TelexAsyncHTTPClient
    import TelexRuntime
    import TelexTesting
    import Testing

    @Suite("AsyncHTTPClient on a real network")
    struct AsyncHTTPClientTests {
        private let transport = AsyncHTTPClientTransport()

        private func request(
            _ authority: String = "x", _ path: String = "/", timeout: Duration = .noTimeout
        ) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: path),
                timeout: timeout)
        }

        /// The kind of error of `request` when it is answered with `reply`.
        private func kind(
            _ request: TransportRequest, _ reply: LoopbackReply
        ) async throws -> TransportError.Kind? {
            let server = try LoopbackServer { _ in reply }
            defer { server.stop() }
            var request = request
            request.head.authority = server.authority
            return await kind(request)
        }

        private func kind(_ request: TransportRequest) async -> TransportError.Kind? {
            await TransportError.kind {
                _ = try await transport.send(request).body.collect(upTo: .max)
            }
        }

        @Test("a refused connection says so at once")
        func refused() async throws {
            let server = try LoopbackServer.refusing()
            defer { server.stop() }
            #expect(await kind(request(server.authority)) == .cannotConnect)
            let name = "localhost:\(server.port)"
            #expect(await kind(request(name)) == .cannotConnect)
        }

        @Test("an unavailable connection fails at once on Apple's platforms, too")
        func noWaiting() {
            // Only the client over Apple's Network.framework uses this setting.
            var waits: Bool?
            _ = AsyncHTTPClientTransport { waits = $0.networkFrameworkWaitForConnectivity }
            #expect(waits == false)
        }

        @Test("a host without an address says so (AsyncHTTPClient)")
        func noName() async throws {
            #expect(await kind(request("nowhere.invalid")) == .nameNotFound)
        }

        @Test("a server that speaks no TLS cannot be trusted (AsyncHTTPClient)")
        func tls() async throws {
            let server = try LoopbackServer { _ in .closed }
            defer { server.stop() }
            var request = request(server.authority)
            request.head.scheme = "https"
            #expect(await kind(request) == .tls)
        }

        @Test("idle time ends the exchange, before the head and after it (AsyncHTTPClient)")
        func timeout() async throws {
            var request = request()
            request.timeout = .milliseconds(80)
            #expect(try await kind(request, .silence) == .timedOut)
            #expect(try await kind(request, .stalled([1], declaring: 3)) == .timedOut)
        }

        @Test(
            "a reset is a loss before the head, and cuts the body short after it (AsyncHTTPClient)")
        func reset() async throws {
            #expect(try await kind(request(), .reset) == .connectionLost)
            let reply = LoopbackReply(
                LoopbackReply.stalled(declaring: 3).steps.dropLast() + [.reset])
            guard case .truncated(_, expected: 3) = try await kind(request(), reply) else {
                Issue.record("not truncated")
                return
            }
        }

        @Test("a missing last chunk is noticed")
        func chunked() async throws {
            // The client drops unread bytes when the connection ends.
            let taken = Gate()
            let server = try LoopbackServer { _ in
                .head(fields: [.transferEncoding: "chunked"])
                    .then(.chunk([1]), .chunk([2, 3]), .wait(taken), .close)
            }
            defer { server.stop() }
            let reply = try await transport.send(request(server.authority))
            var arrived: [UInt8] = []
            let kind = await TransportError.kind {
                for try await chunk in reply.body {
                    arrived += chunk
                    if arrived.count == 3 { taken.open() }
                }
            }
            #expect(kind == .truncated(received: 3, expected: nil))
            #expect(arrived == [1, 2, 3])
        }

        @Test(
            "a length above the bound is too large before a byte of it has come (AsyncHTTPClient)")
        func declaredTooLarge() async throws {
            var request = request()
            request.maximumReplyBytes = 5
            #expect(try await kind(request, .stalled(declaring: 6)) == .tooLarge(limit: 5))
        }

        @Test("chunks above the bound are too large, without a declared length (AsyncHTTPClient)")
        func chunkedTooLarge() async throws {
            var request = request()
            request.maximumReplyBytes = 5
            let reply = LoopbackReply.chunked([[1, 2, 3], [4, 5, 6]])
            #expect(try await kind(request, reply) == .tooLarge(limit: 5))
        }

        @Test("a reply that is no HTTP is an error (AsyncHTTPClient)")
        func malformed() async throws {
            #expect(try await kind(request(), .raw("hello\r\n\r\n")) == .other)
            #expect(try await kind(request(), .raw("HTTP/1.1 abc\r\n\r\n")) == .other)
        }

        @Test("the head of a reply to HEAD declares a body that is not missed (AsyncHTTPClient)")
        func head() async throws {
            let server = try LoopbackServer { _ in .head(fields: [.contentLength: "1000000000"]) }
            defer { server.stop() }
            var request = request(server.authority)
            request.head.method = .head
            let reply = try await transport.send(request)
            #expect(reply.head.headerFields[.contentLength] == "1000000000")
            #expect(try await reply.body.collect(upTo: 0).isEmpty)
        }

        @Test("early hints are not taken for the reply (AsyncHTTPClient)")
        func earlyHints() async throws {
            let server = try LoopbackServer { _ in
                LoopbackReply(LoopbackReply.head(103).steps + LoopbackReply.text("ok").steps)
            }
            defer { server.stop() }
            let reply = try await transport.send(request(server.authority))
            #expect(reply.head.status == .ok)
            #expect(try await reply.body.collect(upTo: 2) == Array("ok".utf8))
        }

        @Test("repeated header fields stay separate")
        func repeatedFields() async throws {
            var fields = HTTPFields()
            fields.append(HTTPField(name: .setCookie, value: "a=1"))
            fields.append(HTTPField(name: .setCookie, value: "b=2; Expires=Wed, 1 Jan"))
            let sent = fields
            let server = try LoopbackServer { _ in .text("ok", fields: sent) }
            defer { server.stop() }
            let reply = try await transport.send(request(server.authority))
            #expect(
                reply.head.headerFields[values: .setCookie] == ["a=1", "b=2; Expires=Wed, 1 Jan"])
        }

        @Test("a GET sends a body if it is given one")
        func getWithBody() async throws {
            let server = try LoopbackServer { .bytes($0.body) }
            defer { server.stop() }
            var request = request(server.authority)
            request.body = .bytes([1, 2])
            #expect(try await transport.send(request).body.collect(upTo: 9) == [1, 2])
        }

        @Test("a body of a reply has one reader at a time")
        func twoReaders() async throws {
            let server = try LoopbackServer { _ in .stalled([1], declaring: 2) }
            defer { server.stop() }
            let body = try await transport.send(request(server.authority)).body
            var first = body.makeAsyncIterator()
            #expect(try await first.next() == [1])
            let kinds = await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        await TransportError.kind {
                            var chunks = body.makeAsyncIterator()
                            _ = try await chunks.next()
                        }
                    }
                }
                let refused = await group.next()
                group.cancelAll()
                return [refused, await group.next()]
            }
            #expect(kinds == [.unsupported, .cancelled])
        }

        @Test("a reply that is dropped unread gives its connection back (AsyncHTTPClient)")
        func dropped() async throws {
            let server = try LoopbackServer { request in
                request.path == "/" ? .stalled([1], declaring: 2) : .text("ok")
            }
            defer { server.stop() }
            let transport = AsyncHTTPClientTransport {
                $0.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
            }
            for _ in 0..<3 { _ = try await transport.send(request(server.authority)) }
            let reply = try await transport.send(request(server.authority, "/ok"))
            #expect(try await reply.body.collect(upTo: 2) == Array("ok".utf8))
        }

        @Test("400 requests, half of them cancelled, all end (AsyncHTTPClient)")
        func cancelledStorm() async throws {
            let server = try LoopbackServer { request in
                request.path == "/stall" ? .silence : .text("ok")
            }
            defer { server.stop() }
            let transport = AsyncHTTPClientTransport {
                $0.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 500
            }
            let stalling = request(server.authority, "/stall")
            let stalled = (0..<200).map { _ in
                Task { await TransportError.kind { _ = try await transport.send(stalling) } }
            }
            for _ in 0..<200 {
                let reply = try await transport.send(request(server.authority))
                #expect(try await reply.body.collect(upTo: 2).count == 2)
            }
            for task in stalled { task.cancel() }
            for task in stalled { #expect(await task.value == .cancelled) }
        }
    }
#endif
