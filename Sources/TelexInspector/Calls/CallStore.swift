import TelexInspection
import TelexJSON
import TelexTesting

/// The newest calls within a number and a size, and what waits for changes.
///
/// A page asks for what has changed since its last answer. So a slow page costs no memory, and any
/// number of them may read.
final class CallStore: Sendable {
    /// The events of an operation, or of the refreshes of an API, belong to one call.
    struct Key: Hashable {
        let run: String
        let name: String
    }

    private struct Kept {
        var call: InspectedCall
        var version: Int
        var key: Key?
    }

    private struct State {
        var calls: BoundedQueue<Kept>
        var numbers: [Key: Int] = [:]
        /// Grows with each change.
        var version = 0
        /// Opened at the next change.
        var change = Gate()
        var lost: [String: Int] = [:]
    }

    /// What has changed since a version.
    struct Changes {
        var calls: [(number: Int, call: InspectedCall)]
        /// The first call that is kept.
        let first: Int
        let version: Int
        /// The number of events that apps have dropped.
        let lost: Int
    }

    private let state: Lock<State>

    init(calls: Int, bytes: Int) {
        state = Lock(State(calls: BoundedQueue(count: calls, bytes: bytes)))
    }

    /// Adds a call.
    ///
    /// - Parameter key: By which later events find it.
    func add(_ call: InspectedCall, for key: Key? = nil) {
        change { state in
            if let key { state.numbers[key] = state.calls.numbers.upperBound }
            let kept = Kept(call: call, version: state.version, key: key)
            return state.calls.append(kept, size: call.size)
        }
    }

    /// Changes a call. Returns whether it is kept.
    func update(_ key: Key, _ body: (inout InspectedCall) -> Void) -> Bool {
        let exists = state.withLock { $0.numbers[key] != nil }
        guard exists else { return false }
        change { state in
            guard let number = state.numbers[key] else { return [] }
            let version = state.version
            return state.calls.update(number) { kept in
                body(&kept.call)
                kept.version = version
                return kept.call.size
            }
        }
        return true
    }

    /// Lets a later call have the key.
    func forget(_ key: Key) {
        state.withLock { state in
            guard let number = state.numbers.removeValue(forKey: key) else { return }
            _ = state.calls.update(number) { kept in
                kept.key = nil
                return kept.call.size
            }
        }
    }

    /// Removes all calls.
    func clear() {
        change { state in
            state.calls.clear()
            state.numbers = [:]
            return []
        }
    }

    /// Notes how many events a listener has dropped.
    func note(lost: Int, of run: String) {
        guard lost > 0, state.withLock({ $0.lost[run] != lost && $0.lost.count < 1000 }) else {
            return
        }
        change { state in
            state.lost[run] = lost
            return []
        }
    }

    /// - Parameter body: Returns the calls that made room for others.
    private func change(_ body: (inout State) -> [Kept]) {
        let gate = state.withLock { state in
            state.version += 1
            for case .some(let key) in body(&state).map(\.key) { state.numbers[key] = nil }
            defer { state.change = Gate() }
            return state.change
        }
        gate.open()
    }

    // MARK: Reading

    func call(_ number: Int) -> InspectedCall? { state.withLock { $0.calls[number]?.call } }

    /// All calls, the first one first.
    var calls: [InspectedCall] { state.withLock { $0.calls.elements.map(\.call) } }

    /// A gate that is open once there is something newer than a version.
    func gate(after version: Int) -> Gate {
        state.withLock { state in
            if state.version == version { return state.change }
            let gate = Gate()
            gate.open()
            return gate
        }
    }

    /// The changes since a version: the calls that changed first, and no more than a number.
    func changes(after version: Int, atMost limit: Int) -> Changes {
        state.withLock { state in
            let numbers = state.calls.numbers
            var changed = zip(numbers, state.calls.elements).filter { $1.version > version }
                .sorted { ($0.1.version, $0.0) < ($1.1.version, $1.0) }
            let isAll = changed.count <= limit
            changed = Array(changed.prefix(limit))
            return Changes(
                calls: changed.map { ($0, $1.call) }, first: numbers.lowerBound,
                version: isAll ? state.version : changed.last?.1.version ?? version,
                lost: state.lost.values.reduce(0, +))
        }
    }
}
