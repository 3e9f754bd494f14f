import TelexJSON
import TelexRuntime
import TelexScheduling
import TelexTesting

/// Counts the ends of operations and opens a gate when all have ended.
final class Tally: Sendable {
    private struct State {
        var ends: [OperationID: Int] = [:]
        var states: [OperationState: Int] = [:]
    }

    let allEnded = Gate()
    private let expected: Int
    private let state = Lock(State())

    init(expecting count: Int) {
        expected = count
    }

    func follow(_ operation: OperationHandle) {
        operation.whenEnded { [self, id = operation.id] end in
            let isLast = state.withLock { state in
                state.ends[id, default: 0] += 1
                state.states[end, default: 0] += 1
                return state.ends.count == expected
            }
            if isLast { allEnded.open() }
        }
    }

    /// The number of operations that ended in a state.
    func count(_ end: OperationState) -> Int { state.withLock { $0.states[end] ?? 0 } }

    /// The number of operations that ended never or more than once.
    var irregular: Int {
        state.withLock { state in
            expected - state.ends.count + state.ends.values.count { $0 != 1 }
        }
    }
}

/// A thread-safe counter.
final class Counter: Sendable {
    private let count = AtomicCount()

    @discardableResult
    func next() -> Int { Int(count.increment()) }

    var value: Int { Int(count.value) }
}

/// A transport without a network that takes no time and records nothing.
struct InstantTransport: Transport {
    let answer: @Sendable (TransportRequest) async throws(TransportError) -> TransportReply

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        try await answer(request)
    }
}
