#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP2
    import NIOPosix
    import NIOSSL
    import TelexAsyncHTTPClient
    import TelexRuntime
    import Testing

    @Suite("AsyncHTTPClient with servers that end things early")
    struct AsyncHTTPClientHTTP2Tests {
        /// How a server ends a stream before the head of a reply.
        enum Ending: CaseIterable, Sendable {
            case refused, cancelled, downgraded, goAway, goAwayAndClose

            fileprivate func frame(_ stream: HTTP2StreamID) -> HTTP2Frame {
                switch self {
                case .refused: HTTP2Frame(streamID: stream, payload: .rstStream(.refusedStream))
                case .cancelled: HTTP2Frame(streamID: stream, payload: .rstStream(.cancel))
                case .downgraded:
                    HTTP2Frame(streamID: stream, payload: .rstStream(.http11Required))
                case .goAway, .goAwayAndClose:
                    HTTP2Frame(
                        streamID: .rootStream,
                        payload: .goAway(
                            lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil))
                }
            }
        }

        @Test(
            "a request over HTTP/2 that ends before its reply is lost", arguments: Ending.allCases)
        func streamEnded(_ ending: Ending) async throws {
            let context = try NIOSSLContext(configuration: try .testServer)
            let kind = try await kind { channel in
                try channel.pipeline.syncOperations.addHandlers([
                    NIOSSLServerHandler(context: context), NIOHTTP2Handler(mode: .server),
                    StreamEnder(ending),
                ])
            }
            #expect(kind == .connectionLost)
        }

        @Test("a proxy that closes the connection is a failure to connect")
        func proxyEnded() async throws {
            let kind = try await kind {
                try $0.pipeline.syncOperations.addHandler(Closer())
            } configure: { configuration, port in
                configuration.proxy = .socksServer(host: "127.0.0.1", port: port)
            }
            #expect(kind == .cannotConnect)
        }

        @Test("a server that closes the connection in the handshake cannot be trusted")
        func handshakeEnded() async throws {
            let kind = try await kind { try $0.pipeline.syncOperations.addHandler(Closer()) }
            #expect(kind == .tls)
        }

        /// The error of a request to a server whose connections `setUp` configures.
        private func kind(
            _ setUp: @escaping @Sendable (any Channel) throws -> Void,
            configure: (inout HTTPClient.Configuration, _ port: Int) -> Void = { _, _ in }
        ) async throws -> TransportError.Kind? {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try setUp(channel) }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(server.localAddress?.port)
            let transport = AsyncHTTPClientTransport {
                $0.tlsConfiguration = .makeClientConfiguration()
                $0.tlsConfiguration?.certificateVerification = .none
                configure(&$0, port)
            }
            let kind = await TransportError.kind {
                _ = try await transport.send(.get("127.0.0.1:\(port)"))
            }
            try await server.close()
            return kind
        }
    }

    /// Ends each stream when its request has arrived.
    private final class StreamEnder: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        private let ending: AsyncHTTPClientHTTP2Tests.Ending

        init(_ ending: AsyncHTTPClientHTTP2Tests.Ending) { self.ending = ending }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            guard case .headers = frame.payload else { return }
            context.writeAndFlush(wrapOutboundOut(ending.frame(frame.streamID)), promise: nil)
            if ending == .goAwayAndClose { context.close(promise: nil) }
        }
    }

    /// Closes a connection with FIN after the first read.
    private final class Closer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.close(promise: nil)
        }
    }

    extension TransportRequest {
        fileprivate static func get(_ authority: String) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: authority, path: "/"),
                timeout: .noTimeout)
        }
    }

    extension TLSConfiguration {
        /// The configuration of an HTTP/2 server with an untrusted certificate.
        fileprivate static var testServer: TLSConfiguration {
            get throws {
                var configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: [
                        .certificate(try NIOSSLCertificate(bytes: certificate, format: .der))
                    ],
                    privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .der)))
                configuration.applicationProtocols = ["h2"]
                return configuration
            }
        }

        private static let certificate = bytes(
            """
            MIIBgDCCASWgAwIBAgIUIYClcr69s/SNPfDelmzLbv0YHYIwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJMTI3
            LjAuMC4xMCAXDTI2MTEyMzA1MDYzM1oYDzIxMjYxMDMwMDUwNjMzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEw
            WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARPLsxLC+L+RXSlNpD9GYWedz8fzW6L8RilY5mHvBxQi8Tkp3XG
            8s5gQuUK/cngiEYk8u9/Rqaet9/dsOXQL8mfo1MwUTAdBgNVHQ4EFgQUuKhKvqP277WoUyLSytYCREXgfaQw
            HwYDVR0jBBgwFoAUuKhKvqP277WoUyLSytYCREXgfaQwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJ
            ADBGAiEAqQXKavNk8anrjAP+dL7DqVnsWpjSEHue/8nKoeWb34ECIQDXRX2HJnmJq/RK1XRKUoBrCgWfZJBE
            WIZDh2Jp3eBEOA==
            """)

        private static let key = bytes(
            """
            MHcCAQEEIC9/UcnA3trsDdCCp2LXKPcehztGgmOxH0bnmEFCl/KeoAoGCCqGSM49AwEHoUQDQgAETy7MSwvi
            /kV0pTaQ/RmFnnc/H81ui/EYpWOZh7wcUIvE5Kd1xvLOYELlCv3J4IhGJPLvf0amnrff3bDl0C/Jnw==
            """)

        private static func bytes(_ text: String) -> [UInt8] {
            Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
        }
    }
#endif
