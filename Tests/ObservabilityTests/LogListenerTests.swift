#if Observability
    import InMemoryLogging
    import Logging
    import RuntimeTestSupport
    import TelexObservability
    import TelexRuntime
    import TelexTesting
    import Testing

    @Suite("The listener for logs")
    struct LogListenerTests {
        private func log(
            level: Logger.Level = .trace, _ replies: [TransportReply]
        ) async -> [InMemoryLogHandler.Entry] {
            let handler = InMemoryLogHandler()
            var logger = Logger(label: "test") { _ in handler }
            logger.logLevel = level
            _ = await call([LogListener(logger)], replies)
            return handler.entries
        }

        @Test("the listener for logs writes traffic at the debug level")
        func success() async throws {
            let entries = await log([.json("{}")])
            #expect(entries.map(\.level) == [.debug, .debug, .debug, .debug])
            let sent = try #require(entries.first { $0.message.description.hasPrefix("→") })
            #expect(sent.metadata["telex.api"] == "Things")
            #expect(sent.metadata["telex.method"] == "things.get")
            #expect(sent.metadata["telex.attempt"] == "1")
            #expect(sent.metadata["telex.owner"] == "screen")
            #expect(sent.metadata["telex.tags"] == ["a", "b"])
            #expect(sent.metadata["http.request.method"] == "GET")
            #expect(sent.metadata["server.address"] == "toy.test")
            #expect(sent.metadata["server.port"] == "8443")
            let received = try #require(entries.first { $0.message.description.hasPrefix("←") })
            #expect(received.metadata["http.response.status_code"] == "200")
        }

        @Test("the log listener writes retries at the notice level and failures at the error level")
        func failure() async {
            let entries = await log(level: .notice, [])
            #expect(entries.map(\.level) == [.notice, .notice, .notice, .notice, .error])
            #expect(entries.first?.metadata["error.type"] == "connection_lost")
            #expect(entries.last?.metadata["error.type"] == "connection_lost")
        }

        @Test(
            "the listener for logs writes throttled calls below the error level",
            arguments: [(TestAPI.APIMethod.seldom, "throttled"), (.search, "replaced")])
        func throttled(method: TestAPI.APIMethod, reason: String) async {
            let handler = InMemoryLogHandler()
            var logger = Logger(label: "test") { _ in handler }
            logger.logLevel = .trace
            await throttledCall(method, LogListener(logger))
            let levels = handler.entries.filter { $0.metadata["error.type"] == .string(reason) }
                .map(\.level)
            #expect(!levels.isEmpty)
            #expect(levels.allSatisfy { $0 == (method == .search ? .info : .notice) })
        }

        @Test("the listener for logs contains no secret")
        func secrecy() async {
            let echo = TransportReply.json(
                #"{"message":"no \#(secret)"}"#, status: .badRequest,
                fields: [.server: secret, .setCookie: "a=\(secret)"])
            for replies in [[echo], []] {
                let text = "\(await log(replies))"
                #expect(text.contains("‹redacted›"))
                #expect(!text.contains(secret))
                #expect(!text.contains("s3cr3t%26t0k3n"))
            }
        }
    }
#endif
