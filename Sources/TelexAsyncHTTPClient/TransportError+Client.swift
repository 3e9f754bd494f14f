#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import TelexRuntime

    #if canImport(Network)
        import Network
    #endif
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #endif

    extension TransportError {
        /// What an error of the client, or of what it is made of, means.
        init(_ error: any Error) {
            // The long description of an error of the client may quote header fields.
            let message = (error as? HTTPClientError)?.shortDescription ?? "\(error)"
            self = (error as? TransportError) ?? TransportError(Kind(error), message)
        }
    }

    extension TransportError.Kind {
        fileprivate init(_ error: any Error) {
            switch error {
            case is CancellationError: self = .cancelled
            case let error as HTTPClientError: self.init(error)
            case let error as NIOConnectionError: self.init(error)
            case let error as IOError: self.init(errorNumber: error.errnoCode)
            case let error as ChannelError: self.init(error)
            case is SocketAddressError, is SocketAddressError.UnknownHost: self = .nameNotFound
            case NIOSSLError.uncleanShutdown: self = .connectionLost
            case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .tls
            case HTTPParserError.invalidEOFState: self = .connectionLost
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

        /// No attempt to connect at all means that there was no address to try.
        private init(_ error: NIOConnectionError) {
            guard let first = error.connectionErrors.first?.error else {
                self = .nameNotFound
                return
            }
            let kind = Self(first)
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

        private init(errorNumber: CInt) {
            self =
                switch errorNumber {
                case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL: .cannotConnect
                case ENETDOWN: .offline
                case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: .connectionLost
                case ETIMEDOUT: .timedOut
                default: .other
                }
        }

        /// On Apple's platforms the client may run on Network.framework.
        private init(ofAppleOrUnknown error: any Error) {
            #if canImport(Network)
                switch error {
                case let error as HTTPClient.NWPOSIXError:
                    self.init(errorNumber: error.errorCode.rawValue)
                case is HTTPClient.NWTLSError: self = .tls
                case NWError.dns: self = .nameNotFound
                default: self = .other
                }
            #else
                self = .other
            #endif
        }
    }
#endif
