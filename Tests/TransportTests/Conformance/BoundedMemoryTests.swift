#if os(Linux)
    import Foundation
    import TelexJSON
    import TelexRuntime
    import TelexTesting
    import Testing

    /// Each case runs in a process of its own, whose peak of memory the system counts.
    @Suite("The memory that a server can take by a stream without end", .serialized)
    struct BoundedMemoryTests {
        @Test(
            "the memory that a server can take is bounded when an event of a stream does not end",
            arguments: TransportKind.onSockets)
        func event(_ kind: TransportKind) async {
            await #expect(processExitsWith: .success) { [kind = kind.name as String] in
                let error = try await Self.read("data: ", "x", .serverSentEvents, over: kind)
                #expect(error.reason == .transport(.tooLarge(limit: Self.limit)))
            }
        }

        @Test(
            "the memory that a server can take is bounded when a line of a stream does not end",
            arguments: TransportKind.onSockets)
        func line(_ kind: TransportKind) async {
            await #expect(processExitsWith: .success) { [kind = kind.name as String] in
                let error = try await Self.read("\"", "x", .jsonLines, over: kind)
                #expect(error.reason == .transport(.tooLarge(limit: Self.limit)))
            }
        }

        @Test(
            "the memory a server can take is bounded when comments do not end, until the time-out",
            arguments: TransportKind.onSockets)
        func comments(_ kind: TransportKind) async {
            await #expect(processExitsWith: .success) { [kind = kind.name as String] in
                let error = try await Self.read(
                    "", ": a\n", .serverSentEvents, over: kind, for: .seconds(5))
                #expect(error.reason == .timedOut(after: .seconds(5)))
            }
        }

        @Test(
            "the memory a server can take is bounded when four events do not end at the same time",
            arguments: TransportKind.onSockets)
        func events(_ kind: TransportKind) async {
            await #expect(processExitsWith: .success) { [kind = kind.name as String] in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<4 {
                        group.addTask {
                            // Each event may take its limit, and as much again while its buffer grows.
                            let error = try await Self.read(
                                "data: ", "x", .serverSentEvents, over: kind, below: 629_145_600)
                            #expect(error.reason == .transport(.tooLarge(limit: Self.limit)))
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }

        private static let limit = 16_777_216

        /// Reads a stream that repeats a text, and checks the peak of memory.
        private static func read(
            _ start: String, _ text: String, _ format: StreamFormat, over kind: String,
            for time: Duration? = nil, below bound: Int = 157_286_400
        ) async throws -> APIError {
            let type = format == .jsonLines ? "application/jsonl" : "text/event-stream"
            let server = try LoopbackServer { _ in
                .endless(start, repeating: text, fields: [.contentType: type])
            }
            defer { server.stop() }
            let kind = try #require(TransportKind.onSockets.first { $0.name == kind })
            let manager = APIManager<EndlessAPI>(transport: kind.makeTransport()) {
                $0.server = .url("http://\(server.authority)/")
            }
            let stream: StreamOperation<Int> = manager.operation(
                EndlessAPI.feed(format), options: CallOptions(timeouts: Timeouts(total: time)))
            let elements = stream.elements
            let error = await #expect(throws: APIError.self) {
                for try await _ in elements {}
            }
            let peak = try #require(peak)
            #expect(peak < bound, "\(peak / 1_048_576) MiB")
            return try #require(error)
        }

        private static var peak: Int? {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 * 1024 }
        }
    }

    private enum EndlessAPI: APIDescription {
        struct Parameters: DefaultParameters {
            func apply(to request: inout RequestBuilder) {}
        }
        struct ErrorCode: OpenEnum {
            let rawValue: Int
            static let allKnown: [ErrorCode] = []
        }

        static let definition = APIDefinition(
            name: "Endless", servers: [Server("production", "http://127.0.0.1/")])

        static func feed(_ format: StreamFormat) -> APIRequest<StreamEnd<Int>> {
            let endpoint = Endpoint(
                .get, "feed", auth: .none, operation: OperationRules(kind: .stream))
            return RequestBuilder("feed", endpoint).finishStream(format) { json -> Int? in
                json.value()
            }
        }
    }

    extension TransportKind {
        fileprivate var name: String { "\(self)" }
    }
#endif
