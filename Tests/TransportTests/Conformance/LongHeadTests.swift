import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

#if canImport(FoundationNetworking)
    @Suite("A head that keeps Foundation busy")
    struct LongHeadTests {
        @Test(
            "a head keeping Foundation busy delays no other cancellation, and blocks no pool thread"
        )
        func cancelled() async {
            // In a process of its own, because it blocks all users of Foundation.
            await #expect(processExitsWith: .success) { try await Self.cancelMeanwhile() }
        }

        private static func cancelMeanwhile() async throws {
            let (isSent, hasEnded) = (Gate(), Gate())
            // Foundation needs seconds for so many fields of one name.
            let fields = Array(String(repeating: "a:b\r\n", count: 50_000).utf8)
            let busy = try LoopbackServer { _ in
                LoopbackReply([
                    .send(Array("HTTP/1.1 200 OK\r\n".utf8)), .send(fields),
                    .send(Array("Content-Length: 0\r\n\r\n".utf8)), .open(isSent),
                ])
            }
            let idle = try LoopbackServer { _ in .silence }
            let transport = URLSessionTransport()
            let long = Task {
                defer { hasEnded.open() }
                return try? await transport.send(request(.get, busy))
            }
            await isSent.wait()
            try await computeForAWhile()
            // More than the pool has threads. Each POST has a session of its own.
            let begun = CountDownLatch(100)
            let others = (0..<100).map { number in
                Task {
                    begun.arrive()
                    _ = try await transport.send(request(number % 2 == 0 ? .get : .post, idle))
                }
            }
            await begun.gate.wait()
            try await computeForAWhile()
            for other in others { other.cancel() }
            for other in others { #expect(await other.isCancelledTransport) }
            #expect(!hasEnded.isOpen)
            long.cancel()
            // A cancellation that waited for Foundation would find the reply.
            #expect(await long.value == nil)
        }

        /// Returns once this process has used a tenth of a second of a processor. Only Foundation
        /// has something to compute, so that it is busy with the head then.
        private static func computeForAWhile() async throws {
            let start = clock()
            while clock() - start < CLOCKS_PER_SEC / 10 {
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        private static func request(
            _ method: HTTPRequest.Method, _ server: LoopbackServer
        ) -> TransportRequest {
            TransportRequest(
                head: HTTPRequest(
                    method: method, scheme: "http", authority: server.authority, path: "/"),
                timeout: .noTimeout)
        }
    }

    extension Task<Void, any Error> {
        /// Whether the request of the task was cancelled.
        fileprivate var isCancelledTransport: Bool {
            get async { await TransportError.kind { try await value } == .cancelled }
        }
    }
#endif
