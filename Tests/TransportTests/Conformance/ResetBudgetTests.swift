import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@Suite("Two hundred calls to a server that resets the connection of every third request")
struct ResetBudgetTests {
    private enum ResettingAPI: APIDescription {
        struct Parameters: DefaultParameters {
            func apply(to request: inout RequestBuilder) {}
        }
        struct ErrorCode: OpenEnum {
            let rawValue: Int
            static let allKnown: [ErrorCode] = []
        }

        static let definition = APIDefinition(
            name: "Resetting", servers: [Server("production", "http://127.0.0.1/")])
    }

    // The transport repeats a request on a new connection, too; that repeat costs no budget.
    @Test(
        "the engine repeats 200 calls, every third of them reset, as often as its budget allows",
        arguments: TransportKind.onSockets)
    func budget(_ kind: TransportKind) async throws {
        let count = Lock(0)
        let server = try LoopbackServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number % 3 == 0 ? .reset : .text("[1]")
        }
        defer { server.stop() }
        let retries = Lock(0)
        let manager = APIManager<ResettingAPI>(transport: kind.makeTransport()) {
            $0.server = .url("http://\(server.authority)/")
            $0.onEvent = { event in
                // The transport's own repeat has no delay.
                guard case .retrying(let delay, _) = event.kind, delay > .zero else { return }
                retries.withLock { $0 += 1 }
            }
        }
        let retry = RetryPolicy(attempts: 3, backoff: Backoff(initial: .milliseconds(1)))
        var served = 0
        for _ in 0..<25 {
            let calls = (0..<8).map { _ in
                manager.operation(
                    address: "http://\(server.authority)/", options: CallOptions(retry: retry))
            }
            for call in calls { if (try? await call.value) != nil { served += 1 } }
        }
        // Ten retries in reserve, a tenth of one for each call, and one for each ten seconds.
        #expect(retries.withLock(\.self) <= 10 + 20 + 10)
        #expect(served >= 190)
    }
}
