import TelexJSON

/// Counts from 1, on any thread.
final class Counter: Sendable {
    private let count = Lock(0)

    func next() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }

    var value: Int { count.withLock { $0 } }
}
