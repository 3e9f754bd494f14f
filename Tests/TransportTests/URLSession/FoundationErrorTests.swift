#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import TelexRuntime
    import Testing

    @testable import TelexURLSession

    /// corelibs-foundation reports `cannotConnectToHost` for every failure after the first of
    /// several addresses has refused the connection.
    @Suite("An error of Foundation on Linux")
    struct FoundationErrorTests {
        private func kind(_ code: URLError.Code, _ words: String) -> TransportError.Kind {
            TransportError(URLError(code, userInfo: [NSLocalizedDescriptionKey: words])).kind
        }

        @Test(
            "an error of Foundation on Linux is a failure to connect if libcurl's message says so",
            arguments: [
                "Failed to connect to a.test port 80 after 2 ms: Couldn't connect to server",
                "Failed to connect to a.test port 80 after 2 ms: Could not connect to server",
                "Failed to connect to a.test port 80: Connection refused",
                "Failed to connect to certificates.SSL.test port 443 after 0 ms: Couldn't connect",
                "Couldn't connect to server", "Could not connect to server",
            ])
        func refused(_ words: String) {
            #expect(kind(.cannotConnectToHost, words) == .cannotConnect)
            #expect(kind(.unknown, words) == .cannotConnect)
        }

        @Test(
            "a Foundation error on Linux is a lost connection if its message is about a later phase",
            arguments: [
                "Empty reply from server", "transfer closed with 7 bytes remaining to read",
                "Recv failure: Connection reset by peer", "Send failure: Broken pipe",
                "OpenSSL SSL_read: Connection reset by peer, errno 104", "anything else", "",
            ])
        func lost(_ words: String) {
            #expect(kind(.cannotConnectToHost, words) == .connectionLost)
        }

        @Test("an error of Foundation on Linux is a TLS error if the message is about trust")
        func trust() {
            let words = "error:0A00010B:SSL routines::wrong version number"
            #expect(kind(.cannotConnectToHost, words) == .tls)
            #expect(kind(.unknown, words) == .tls)
            #expect(kind(.unknown, "anything else") == .other)
        }

        @Test("an error of Foundation on Linux keeps the message and the code")
        func words() {
            let error = TransportError(
                URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: "Empty"]))
            #expect(error.message == "Empty (URLError -1004)")
        }
    }
#endif
