#if AsyncHTTPClient
    import NIOCore
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
    }
#endif
