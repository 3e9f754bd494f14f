#if AsyncHTTPClient
    import NIOCore
    import NIOHTTP2
    import TelexRuntime
    import Testing

    @testable import TelexAsyncHTTPClient

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    @Suite("Errors of AsyncHTTPClient and NIO")
    struct AsyncHTTPClientErrorTests {
        /// A non-idempotent call is repeated only if the server was not reached.
        @Test("errors on a connection are a lost connection: the server may have the request")
        func lostNetwork() {
            for number in [EHOSTUNREACH, ENETUNREACH, ENETDOWN] {
                let error = TransportError(IOError(errnoCode: number, reason: "read"))
                #expect(error.kind == .connectionLost, "\(number)")
            }
            let refused = TransportError(IOError(errnoCode: ECONNREFUSED, reason: "connect"))
            #expect(refused.kind == .cannotConnect)
        }

        @Test("errors of NIO about streams on an ended connection are a lost connection")
        func lostStream() {
            let errors: [any Error] = [
                NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .cancel),
                NIOHTTP2Errors.ioOnClosedConnection(),
                NIOHTTP2Errors.createdStreamAfterGoaway(),
            ]
            for error in errors {
                #expect(TransportError(error).kind == .connectionLost, "\(error)")
            }
        }

        /// An error that quotes its input, like NIO's errors about forbidden header fields.
        private struct Quoting: Error, CustomStringConvertible {
            let description: String
        }

        @Test(
            "errors of AsyncHTTPClient and NIO are described without quotations of foreign errors")
        func foreignWords() {
            let foreign = TransportError(Quoting(description: "name: X-Key, value: secret"))
            #expect(foreign.kind == .other && foreign.message == "the client failed with Quoting")
            let own = TransportError(IOError(errnoCode: ECONNRESET, reason: "read"))
            #expect(own.kind == .connectionLost && own.message.contains("read"))
        }
    }
#endif
