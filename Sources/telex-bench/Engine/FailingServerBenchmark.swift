import TelexRuntime

/// Measures how many requests retries add if every request fails.
enum FailingServerBenchmark {
    private static let (warmUp, calls) = (1_000, 10_000)

    static func run() async throws -> [EngineBenchmark.Row] {
        let requests = Counter()
        let manager = APIManager<BenchAPI>(
            transport: InstantTransport { _ throws(TransportError) in
                requests.next()
                throw TransportError(.connectionLost, "lost")
            }, credentials: MemoryCredentialStore(Credential(token: "token")))
        await call(manager, warmUp)
        let before = requests.value
        let failed = await call(manager, calls)
        let each = Double(requests.value - before) / Double(calls)
        return [
            EngineBenchmark.Row(
                name: "requests per call of a server that always fails", goal: "≤ 1.1",
                result: "\((each * 1000).rounded() / 1000); \(failed) calls failed",
                isReached: 1...1.1 ~= each && failed == calls)
        ]
    }

    /// - Returns: The number of calls that failed with the transport's error.
    @discardableResult
    private static func call(_ manager: APIManager<BenchAPI>, _ count: Int) async -> Int {
        var failed = 0
        let retry = RetryPolicy(attempts: 5, backoff: Backoff(initial: .zero))
        for id in 0..<count {
            let operation = manager.operation(
                BenchAPI.user(id), options: CallOptions(retry: retry))
            do { _ = try await operation.value } catch {
                if case .transport? = (error as? APIError)?.reason { failed += 1 }
            }
        }
        return failed
    }
}
