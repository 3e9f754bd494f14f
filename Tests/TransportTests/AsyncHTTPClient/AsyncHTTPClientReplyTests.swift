#if AsyncHTTPClient
    import AsyncHTTPClient
    import HTTPTypes
    import NIOCore
    import TelexAsyncHTTPClient
    import TelexJSON
    import TelexRuntime
    import TelexTesting
    import Testing

    @Suite("Bodies that AsyncHTTPClient receives")
    struct AsyncHTTPClientReplyTests {
        private let transport = AsyncHTTPClientTransport()

        private func request(_ authority: String) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/"),
                timeout: .noTimeout)
        }

        // MARK: Compressed replies

        private static let gzip: HTTPFields = [.contentEncoding: "gzip"]
        private static let gzipHead: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 2, 3]
        private static let hello: [UInt8] =
            gzipHead + [203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0]

        /// 200 times 32 KiB of zeros, compressed to 10 KiB.
        private static let bomb: [UInt8] = {
            let zeros: [UInt8] =
                [236, 193, 1, 1, 0, 0, 0, 128, 144, 254, 175, 238, 8, 10]
                + [UInt8](repeating: 0, count: 31) + [24, 0, 0, 255, 255]
            let end: [UInt8] = [3, 0, 81, 197, 179, 221, 0, 0, 100, 0]
            return gzipHead + (0..<200).flatMap { _ in zeros } + end
        }()

        @Test("a compressed reply is asked for, decompressed, and has no known length")
        func decompressed() async throws {
            let server = try LoopbackServer { request in
                request.fields[.acceptEncoding]?.contains("gzip") == true
                    ? .bytes(Self.hello, fields: Self.gzip) : .text("not asked for")
            }
            defer { server.stop() }
            let reply = try await transport.send(request(server.authority))
            #expect(reply.body.length == nil)
            #expect(try await reply.body.collect(upTo: 5) == Array("hello".utf8))
        }

        @Test("a decompression bomb is too large as soon as it exceeds the limit")
        func bomb() async throws {
            let server = try LoopbackServer { _ in .bytes(Self.bomb, fields: Self.gzip) }
            defer { server.stop() }
            var request = request(server.authority)
            request.maximumReplyBytes = 1_000_000
            let body = try await transport.send(request).body
            var received = 0
            let kind = await TransportError.kind {
                for try await chunk in body { received += chunk.count }
            }
            #expect(kind == .tooLarge(limit: 1_000_000))
            #expect(received <= 1_000_000)
            request.maximumReplyBytes = 6_553_600
            let whole = try await transport.send(request).body.collect(upTo: .max)
            #expect(whole.count == 6_553_600)
        }

        @Test("a decompression bomb is too large for a client with its own limit")
        func bombForClientOfTheCaller() async throws {
            let server = try LoopbackServer { _ in .bytes(Self.bomb, fields: Self.gzip) }
            defer { server.stop() }
            let configuration = HTTPClient.Configuration(
                redirectConfiguration: .disallow, decompression: .enabled(limit: .ratio(10)))
            try await HTTPClient.withHTTPClient(configuration: configuration) { client in
                let transport = AsyncHTTPClientTransport(client: client)
                let request = request(server.authority)
                let kind = await TransportError.kind {
                    _ = try await transport.send(request).body.collect(upTo: .max)
                }
                guard case .tooLarge = kind else {
                    Issue.record("not too large: \(String(describing: kind))")
                    return
                }
            }
        }

        @Test("a compressed reply that stops in the middle of its data is truncated")
        func truncatedGzip() async throws {
            let half = Array(Self.hello.dropLast(9))
            let server = try LoopbackServer { _ in .bytes(half, fields: Self.gzip) }
            defer { server.stop() }
            let request = request(server.authority)
            let kind = await TransportError.kind {
                _ = try await transport.send(request).body.collect(upTo: .max)
            }
            guard case .truncated(_, expected: nil) = kind else {
                Issue.record("not truncated: \(String(describing: kind))")
                return
            }
        }

        @Test(
            "a reply without a body may say that it would be compressed",
            arguments: [HTTPRequest.Method.head, .get, .delete])
        func compressedNothing(_ method: HTTPRequest.Method) async throws {
            let server = try LoopbackServer { request in
                switch request.method {
                case "HEAD": .head(fields: [.contentEncoding: "gzip", .contentLength: "100"])
                case "GET": .bytes([], fields: Self.gzip)
                default: .head(204, fields: Self.gzip)
                }
            }
            defer { server.stop() }
            var request = request(server.authority)
            request.head.method = method
            #expect(try await transport.send(request).body.collect(upTo: 0).isEmpty)
        }

        // MARK: A slow reader

        /// Counts the bytes that arrive from the network.
        private final class Counter: ChannelInboundHandler, Sendable {
            typealias InboundIn = ByteBuffer
            let count = Lock(0)

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                count.withLock { $0 += Self.unwrapInboundIn(data).readableBytes }
                context.fireChannelRead(data)
            }
        }

        /// Repeated with longer time-outs, because on a slow machine a short one may end the
        /// exchange while the reader waits for bytes.
        @Test("a slow reader applies back-pressure, and is no idle time")
        func slowReader() async throws {
            for timeout in [2, 20] {
                do { return try await readSlowly(timeout: .seconds(timeout)) } catch let error
                    as TransportError where error.kind == .timedOut
                {}
            }
            try await readSlowly(timeout: .seconds(200))
        }

        private func readSlowly(timeout: Duration) async throws {
            let (megabyte, counter) = ([UInt8](repeating: 7, count: 1_000_000), Counter())
            let server = try LoopbackServer { request in
                guard request.path == "/" else { return .silence }
                let head = LoopbackReply.head(fields: [.contentLength: "64000000"])
                return LoopbackReply(
                    head.steps + [LoopbackReply.Step](repeating: .send(megabyte), count: 64))
            }
            defer { server.stop() }
            let transport = AsyncHTTPClientTransport {
                $0.http1_1ConnectionDebugInitializer = { channel in
                    channel.pipeline.addHandler(counter, position: .first)
                }
            }
            var request = request(server.authority)
            request.timeout = timeout
            request.maximumReplyBytes = .max
            var chunks = try await transport.send(request).body.makeAsyncIterator()
            var total = try #require(try await chunks.next()).count
            // The reader pauses for longer than the time-out.
            var other = request
            other.head.path = "/silence"
            other.timeout = timeout * 1.5
            let (slow, otherTransport) = (other, self.transport)
            let kind = await TransportError.kind { _ = try await otherTransport.send(slow) }
            #expect(kind == .timedOut)
            #expect(counter.count.withLock { $0 } < 4_000_000)
            while let chunk = try await chunks.next() { total += chunk.count }
            #expect(total == 64_000_000)
        }
    }
#endif
