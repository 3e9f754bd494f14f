/// The times of repeated work.
struct Stopwatch {
    private var times: [Duration] = []

    /// Runs `body` and records its time.
    mutating func time<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        let value = try await body()
        times.append(ContinuousClock.now - start)
        return value
    }

    /// The time that this share of the runs did not exceed.
    func percentile(_ share: Double) -> Duration {
        let sorted = times.sorted()
        guard !sorted.isEmpty else { return .zero }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// The time of `body`.
    static func time(_ body: () async throws -> Void) async rethrows -> Duration {
        let start = ContinuousClock.now
        try await body()
        return ContinuousClock.now - start
    }
}

extension Duration {
    /// The text in microseconds, with one decimal place.
    var microseconds: String { Self.rounded(self / .microseconds(1)) + " µs" }

    /// The text in milliseconds, with one decimal place.
    var milliseconds: String { Self.rounded(self / .milliseconds(1)) + " ms" }

    private static func rounded(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
