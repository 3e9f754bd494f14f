#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import NIOHTTP2
    import NIOPosix
    import NIOSSL
    import TelexTransport

    #if canImport(Network)
        import Network
    #endif
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    extension TransportError {
        /// Converts an error of the client or of its libraries.
        init(_ error: any Error) {
            self = (error as? TransportError) ?? TransportError(Kind(error), Self.words(for: error))
        }

        /// Returns the message for an error. Errors may quote header fields, for example NIO's
        /// errors about invalid fields, so only errors about connections and received bytes are
        /// described by their own text.
        private static func words(for error: any Error) -> String {
            switch error {
            case is KeptConnectionLost: "the kept connection was closed before a reply came"
            // The long description may quote header fields too.
            case let error as HTTPClientError: error.shortDescription
            case is IOError, is NIOConnectionError, is ChannelError, is SocketAddressError,
                is SocketAddressError.UnknownHost, is NIOSSLError, is BoringSSLError,
                is NIOSSLExtraError, is HTTPParserError:
                "\(error)"
            default: "the client failed with \(type(of: error))"
            }
        }
    }

    extension TransportError.Kind {
        fileprivate init(_ error: any Error) {
            switch error {
            case is CancellationError: self = .cancelled
            case let error as HTTPClientError: self.init(error)
            case let error as NIOConnectionError: self.init(error)
            case let error as IOError: self.init(error.errnoCode, isConnecting: false)
            case let error as ChannelError: self.init(error)
            case is SocketAddressError, is SocketAddressError.UnknownHost: self = .nameNotFound
            case NIOSSLError.uncleanShutdown: self = .connectionLost
            case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .tls
            case HTTPParserError.invalidEOFState: self = .connectionLost
            case is KeptConnectionLost: self = .connectionLost
            case is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.IOOnClosedConnection,
                is NIOHTTP2Errors.CreatedStreamAfterGoaway:
                self = .connectionLost
            case let error where Self.isFailureBeforeConnection(error): self = .cannotConnect
            default: self.init(ofAppleOrUnknown: error)
            }
        }

        private init(_ error: HTTPClientError) {
            self =
                switch error {
                case .cancelled: .cancelled
                case .remoteConnectionClosed, .requestStreamCancelled: .connectionLost
                case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded,
                    .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout,
                    .httpProxyHandshakeTimeout:
                    .timedOut
                case .invalidURL, .emptyHost, .bodyLengthMismatch: .invalidRequest
                case .traceRequestWithBody: .unsupported
                default: .other
                }
        }

        /// Without any attempt to connect, there was no address to try.
        private init(_ error: NIOConnectionError) {
            guard let first = error.connectionErrors.first?.error else {
                self = .nameNotFound
                return
            }
            let kind =
                (first as? IOError).map { Self($0.errnoCode, isConnecting: true) } ?? Self(first)
            self = kind == .other || kind == .connectionLost ? .cannotConnect : kind
        }

        private init(_ error: ChannelError) {
            self =
                switch error {
                case .connectTimeout: .timedOut
                case .eof, .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed:
                    .connectionLost
                default: .other
                }
        }

        /// - Parameter isConnecting: Whether the error occurred while connecting. On an established
        ///   connection, the server may have received the request before the network failed.
        private init(_ errorNumber: CInt, isConnecting: Bool) {
            self =
                switch errorNumber {
                case ECONNREFUSED, EADDRNOTAVAIL: .cannotConnect
                case EHOSTUNREACH, ENETUNREACH: isConnecting ? .cannotConnect : .connectionLost
                case ENETDOWN: isConnecting ? .offline : .connectionLost
                case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: .connectionLost
                case ETIMEDOUT: .timedOut
                default: .other
                }
        }

        /// On Apple's platforms the client may use Network.framework.
        private init(ofAppleOrUnknown error: any Error) {
            #if canImport(Network)
                switch error {
                // The error does not reveal whether the connection was established.
                case let error as HTTPClient.NWPOSIXError:
                    self.init(error.errorCode.rawValue, isConnecting: false)
                case is HTTPClient.NWTLSError: self = .tls
                case NWError.dns: self = .nameNotFound
                default: self = .other
                }
            #else
                self = .other
            #endif
        }

        /// Whether the other end, perhaps a proxy, closed before there was a connection for the
        /// request. The client does not export the error type, so its name is compared.
        private static func isFailureBeforeConnection(_ error: any Error) -> Bool {
            let name = String(reflecting: type(of: error))
            return name.hasPrefix("AsyncHTTPClient.") && name.hasSuffix("NoResult")
        }
    }
#endif
