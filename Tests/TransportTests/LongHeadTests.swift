import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

#if canImport(FoundationNetworking)
    @Suite("A head that keeps Foundation busy", .timeLimit(.minutes(5)))
    struct LongHeadTests {
        @Test("holds up no request that is cancelled meanwhile, nor a thread that others need")
        func cancelled() async {
            // In a process of its own, since it keeps all that share Foundation waiting.
            await #expect(processExitsWith: .success) { try await Self.cancelMeanwhile() }
        }

        private static func cancelMeanwhile() async throws {
            let arrival = Gate()
            let fields = Array(String(repeating: "a:b\r\n", count: 30_000).utf8)
            let busy = try LoopbackServer { _ in
                arrival.open()
                return LoopbackReply([
                    .send(Array("HTTP/1.1 200 OK\r\n".utf8)), .send(fields),
                    .send(Array("Content-Length: 0\r\n\r\n".utf8)),
                ])
            }
            let idle = try LoopbackServer { _ in .text("ok") }
            let transport = URLSessionTransport()
            let long = Task { try? await transport.send(request(.get, busy)) }
            await arrival.wait()
            try await Task.sleep(for: .milliseconds(100))
            // More than the pool has threads; one kind has a session of its own each time.
            let others = (0..<100).map { number in
                Task { _ = try await transport.send(request(number % 2 == 0 ? .get : .post, idle)) }
            }
            let start = ContinuousClock.now
            try await Task.sleep(for: .milliseconds(100))
            for other in others { other.cancel() }
            for other in others { #expect(await other.isCancelledTransport) }
            #expect(ContinuousClock.now - start < .seconds(1))
            long.cancel()
            #expect(await long.value == nil)
            #expect(ContinuousClock.now - start < .seconds(1))
        }

        private static func request(
            _ method: HTTPRequest.Method, _ server: LoopbackServer
        ) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(
                    method: method, scheme: "http", authority: server.authority, path: "/"))
        }
    }

    extension Task<Void, any Error> {
        /// Whether it was cancelled while it sent a request.
        fileprivate var isCancelledTransport: Bool {
            get async { await TransportError.kind { try await value } == .cancelled }
        }
    }
#endif
