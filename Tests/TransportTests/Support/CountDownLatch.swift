import TelexJSON
import TelexTesting

/// Opens its gate when a number of arrivals is reached.
final class CountDownLatch: Sendable {
    let gate = Gate()
    private let needed: Int
    private let arrived = Lock(0)

    init(_ needed: Int) { self.needed = needed }

    func arrive() {
        let count = arrived.withLock { count in
            count += 1
            return count
        }
        if count == needed { gate.open() }
    }
}
