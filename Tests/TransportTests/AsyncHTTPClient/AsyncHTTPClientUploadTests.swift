#if AsyncHTTPClient
    import Dispatch
    import HTTPTypes
    import NIOCore
    import NIOPosix
    import TelexAsyncHTTPClient
    import TelexJSON
    import TelexRuntime
    import TelexTesting
    import Testing

    @Suite("Bodies that AsyncHTTPClient sends")
    struct AsyncHTTPClientUploadTests {
        private let transport = AsyncHTTPClientTransport()

        private func request(_ authority: String, _ body: RequestBody) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(method: .post, scheme: "http", authority: authority, path: "/"),
                body: body, timeout: .noTimeout)
        }

        /// A server that accepts connections and never reads.
        private func withDeafServer(_ body: (_ authority: String) async throws -> Void) async throws
        {
            let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelOption(.autoRead, value: false)
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(server.localAddress?.port)
            do { try await body("127.0.0.1:\(port)") } catch {
                try await server.close()
                throw error
            }
            try await server.close()
        }

        /// Opens a gate when it is released.
        private final class Token: Sendable {
            private let freed: Gate
            init(_ freed: Gate) { self.freed = freed }
            deinit { freed.open() }
        }

        /// An endless body, each chunk of which waits for `gate`. Opens `freed` when it is
        /// released.
        private func endless(_ freed: Gate, each gate: Gate? = nil) -> RequestBody {
            let token = Token(freed)
            let chunk = [UInt8](repeating: 1, count: 100_000)
            return .stream(length: nil) { () async throws(TransportError) in
                await gate?.wait()
                return withExtendedLifetime(token) { chunk }
            }
        }

        @Test("a server that does not read is an idle time-out, and the body is released")
        func deafServer() async throws {
            try await withDeafServer { authority in
                let freed = Gate()
                let kind = await TransportError.kind {
                    var request = request(authority, endless(freed))
                    request.timeout = .milliseconds(200)
                    _ = try await transport.send(request)
                }
                #expect(kind == .timedOut)
                await freed.wait()
            }
        }

        @Test("cancelling under back-pressure ends at once, and releases the body")
        func cancelled() async throws {
            try await withDeafServer { authority in
                let (freed, sending) = (Gate(), Gate())
                let task = Task {
                    await TransportError.kind {
                        var request = request(authority, endless(freed))
                        request.onBodySent = { _ in sending.open() }
                        _ = try await transport.send(request)
                    }
                }
                await sending.wait()
                task.cancel()
                #expect(await task.value == .cancelled)
                await freed.wait()
            }
        }

        @Test("cancelling while the body is pending ends at once, and releases the body")
        func cancelledSource() async throws {
            let server = try LoopbackServer { _ in .closed }
            defer { server.stop() }
            let (freed, asked, never) = (Gate(), Gate(), Gate())
            let authority = server.authority
            let task = Task {
                let token = Token(freed)
                return await TransportError.kind {
                    let body = RequestBody.stream(length: nil) { () async throws(TransportError) in
                        asked.open()
                        await never.wait()
                        return withExtendedLifetime(token) { nil }
                    }
                    _ = try await transport.send(request(authority, body))
                }
            }
            await asked.wait()
            task.cancel()
            #expect(await task.value == .cancelled)
            await freed.wait()
        }

        @Test(
            "an early refusal arrives, and the body is released")
        func earlyReply() async throws {
            let server = try LoopbackServer(bodyLimit: 10) { _ in .text("never") }
            defer { server.stop() }
            let freed = Gate()
            let head = try await transport.send(request(server.authority, endless(freed))).head
            #expect(head.status.code == 413)
            await freed.wait()
        }

        /// Keeps the thread of a connection in its first read until it is released.
        private final class Holding: ChannelInboundHandler, Sendable {
            typealias InboundIn = ByteBuffer
            let isHeld = Gate()
            let released = DispatchSemaphore(value: 0)

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                if !isHeld.isOpen {
                    isHeld.open()
                    released.wait()
                }
                context.fireChannelRead(data)
            }
        }

        /// The client drops the last piece, because the head of the refusal is read before it is
        /// written.
        @Test("a refusal arrives whole if its head overtakes the last piece of the upload")
        func overtaken() async throws {
            let (holding, hasHead) = (Holding(), Gate())
            let pieces = Lock(0)
            let server = try LoopbackServer(bodyPart: { _ in 0 }) { _ in
                let refusal = LoopbackReply.text("no", status: 401)
                return LoopbackReply(
                    [refusal.steps[0], .wait(hasHead)] + Array(refusal.steps[1...]))
            }
            defer { server.stop() }
            let transport = AsyncHTTPClientTransport {
                $0.http1_1ConnectionDebugInitializer = { channel in
                    channel.pipeline.addHandler(holding, position: .first)
                }
            }
            let body = RequestBody.stream(length: 2) {
                let number = pieces.withLock { pieces in
                    pieces += 1
                    return pieces
                }
                if number == 2 { await holding.isHeld.wait() }
                return number <= 2 ? [1] : nil
            }
            var request = request(server.authority, body)
            request.onBodySent = { if $0 == 2 { holding.released.signal() } }
            let reply = try await transport.send(request)
            hasHead.open()
            #expect(reply.head.status.code == 401)
            #expect(try await reply.body.collect(upTo: 9) == Array("no".utf8))
        }

        /// Uploads more than a connection takes, and returns the reply.
        private func refused(
            _ authority: String, _ token: Token, _ hasBegun: Gate
        ) async throws -> String {
            let body = [UInt8](repeating: 1, count: 20_000_000)
            var request = request(authority, .bytes(body))
            request.onBodySent = { _ in withExtendedLifetime(token) { hasBegun.open() } }
            let reply = try await transport.send(request)
            return String(decoding: try await reply.body.collect(upTo: 9), as: UTF8.self)
        }

        @Test("a refusal on a connection that takes no more bytes releases the upload")
        func releasedAfterRefusal() async throws {
            let (isOver, freed) = (Gate(), Gate())
            let server = try LoopbackServer(bodyPart: { _ in 0 }) { _ in
                LoopbackReply.text("no", status: 413).held(by: isOver)
            }
            defer { server.stop() }
            #expect(try await refused(server.authority, Token(freed), isOver) == "no")
            await freed.wait()
        }

        @Test("upload progress grows to the whole length")
        func progress() async throws {
            let server = try LoopbackServer { .text("\($0.body.count)") }
            defer { server.stop() }
            let counts = Lock<[Int]>([])
            var request = request(server.authority, .bytes([UInt8](repeating: 1, count: 300_000)))
            request.onBodySent = { count in counts.withLock { $0.append(count) } }
            let reply = try await transport.send(request)
            #expect(try await reply.body.collect(upTo: 9) == Array("300000".utf8))
            let told = counts.withLock { $0 }
            #expect(told.count >= 4)
            #expect(told == told.sorted() && Set(told).count == told.count)
            #expect(told.last == 300_000)
        }

        @Test("a stream with another length than declared cannot be sent", arguments: [0, 2, 4])
        func wrongLength(_ promised: Int) async throws {
            let server = try LoopbackServer { .bytes($0.body) }
            defer { server.stop() }
            let rest = Lock<ArraySlice<[UInt8]>>([[1], [2, 3]])
            let body = RequestBody.stream(length: promised) { rest.withLock { $0.popFirst() } }
            let request = request(server.authority, body)
            let kind = await TransportError.kind { _ = try await transport.send(request) }
            #expect(kind == .invalidRequest)
        }

        @Test("a stream is not read for an unreachable server, and can be sent again")
        func refused() async throws {
            let asked = Lock(0)
            let body = RequestBody.stream(length: 3) {
                let number = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                return number == 1 ? [1, 2, 3] : nil
            }
            let refusing = try LoopbackServer.refusing()
            defer { refusing.stop() }
            let kind = await TransportError.kind {
                _ = try await transport.send(request(refusing.authority, body))
            }
            #expect(kind == .cannotConnect)
            #expect(asked.withLock { $0 } == 0)
            let server = try LoopbackServer { .bytes($0.body) }
            defer { server.stop() }
            let reply = try await transport.send(request(server.authority, body))
            #expect(try await reply.body.collect(upTo: 9) == [1, 2, 3])
        }

        @Test("an empty stream that never ends is an idle time-out")
        func endlessNothing() async throws {
            let server = try LoopbackServer { .bytes($0.body) }
            defer { server.stop() }
            let gate = Gate()
            defer { gate.open() }
            var request = request(
                server.authority,
                .stream(length: 0) {
                    await gate.wait()
                    return nil
                })
            request.timeout = .milliseconds(200)
            let sent = request
            let kind = await TransportError.kind { _ = try await transport.send(sent) }
            #expect(kind == .timedOut)
        }

        @Test("the error of a stream is thrown")
        func failingStream() async throws {
            let server = try LoopbackServer { .bytes($0.body) }
            defer { server.stop() }
            let body = RequestBody.stream(length: nil) { () async throws(TransportError) in
                throw TransportError(.offline, "the source has gone")
            }
            let request = request(server.authority, body)
            let kind = await TransportError.kind { _ = try await transport.send(request) }
            #expect(kind == .offline)
        }
    }
#endif
