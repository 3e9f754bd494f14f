#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import TelexRuntime
    import Testing

    @testable import TelexURLSession

    /// corelibs-foundation says `cannotConnectToHost` of every failure after the first of several
    /// addresses has refused.
    @Suite("What an error of Foundation on Linux means")
    struct FoundationErrorTests {
        private func kind(_ code: URLError.Code, _ words: String) -> TransportError.Kind {
            TransportError(URLError(code, userInfo: [NSLocalizedDescriptionKey: words])).kind
        }

        @Test(
            "is that there was no connection if libcurl says so",
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
            "is that the connection was lost if the words are of what comes after",
            arguments: [
                "Empty reply from server", "transfer closed with 7 bytes remaining to read",
                "Recv failure: Connection reset by peer", "Send failure: Broken pipe",
                "OpenSSL SSL_read: Connection reset by peer, errno 104", "anything else", "",
            ])
        func lost(_ words: String) {
            #expect(kind(.cannotConnectToHost, words) == .connectionLost)
        }

        @Test("is a lack of trust if they are about that")
        func trust() {
            let words = "error:0A00010B:SSL routines::wrong version number"
            #expect(kind(.cannotConnectToHost, words) == .tls)
            #expect(kind(.unknown, words) == .tls)
            #expect(kind(.unknown, "anything else") == .other)
        }

        @Test("keeps the words and the code")
        func words() {
            let error = TransportError(
                URLError(.cannotConnectToHost, userInfo: [NSLocalizedDescriptionKey: "Empty"]))
            #expect(error.message == "Empty (URLError -1004)")
        }
    }
#endif
