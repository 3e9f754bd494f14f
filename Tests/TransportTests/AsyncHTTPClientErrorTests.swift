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

    @Suite("What went wrong below AsyncHTTPClient")
    struct AsyncHTTPClientErrorTests {
        /// A call that is never repeated in doubt is repeated when nobody was reached.
        @Test("was no failure to connect if there was a connection: the server may have heard all")
        func lostNetwork() {
            for number in [EHOSTUNREACH, ENETUNREACH, ENETDOWN] {
                let error = TransportError(IOError(errnoCode: number, reason: "read"))
                #expect(error.kind == .connectionLost, "\(number)")
            }
            let refused = TransportError(IOError(errnoCode: ECONNREFUSED, reason: "connect"))
            #expect(refused.kind == .cannotConnect)
        }

        @Test("was a lost connection if a stream found its connection ended")
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

        /// An error that quotes what it was given, as NIO's of forbidden header fields do.
        private struct Quoting: Error, CustomStringConvertible {
            let description: String
        }

        @Test("is told without what foreign errors quote, and in their words if they quote nothing")
        func foreignWords() {
            let foreign = TransportError(Quoting(description: "name: X-Key, value: secret"))
            #expect(foreign.kind == .other && foreign.message == "the client failed with Quoting")
            let own = TransportError(IOError(errnoCode: ECONNRESET, reason: "read"))
            #expect(own.kind == .connectionLost && own.message.contains("read"))
        }
    }
#endif
