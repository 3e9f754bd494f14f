import Synchronization
import TelexTesting

/// Opens its gate when a number of arrivals is reached.
final class CountDownLatch: Sendable {
    let gate = Gate()
    private let needed: Int
    private let arrived = Atomic(0)

    init(_ needed: Int) { self.needed = needed }

    func arrive() {
        if arrived.wrappingAdd(1, ordering: .relaxed).newValue == needed { gate.open() }
    }
}
