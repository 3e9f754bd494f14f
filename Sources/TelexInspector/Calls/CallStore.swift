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

    fileprivate struct Kept {
        var call: InspectedCall
        var size: Int
        var version: Int
        var key: Key?
    }

    fileprivate struct State {
        /// The calls by their numbers, of which the first kept one and the next are known.
        var calls: [Int: Kept] = [:]
        var first = 1
        var next = 1
        var bytes = 0
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

    private let most: (calls: Int, bytes: Int)
    private let state = Lock(State())

    init(calls: Int, bytes: Int) { most = (max(1, calls), bytes) }

    /// Adds a call.
    ///
    /// - Parameter key: By which later events find it.
    func add(_ call: InspectedCall, for key: Key? = nil) {
        change { state in
            if let key { state.numbers[key] = state.next }
            let size = call.size
            state.calls[state.next] = Kept(
                call: call, size: size, version: state.version, key: key)
            state.next += 1
            state.bytes += size
            state.shrink(to: most)
        }
    }

    /// Changes a call. Returns whether it is kept.
    func update(_ key: Key, _ body: (inout InspectedCall) -> Void) -> Bool {
        let exists = state.withLock { $0.numbers[key] != nil }
        guard exists else { return false }
        change { state in
            guard let number = state.numbers[key], var kept = state.calls[number] else { return }
            // Otherwise the change would copy the call.
            state.calls[number] = nil
            body(&kept.call)
            let size = kept.call.size
            state.bytes += size - kept.size
            (kept.size, kept.version) = (size, state.version)
            state.calls[number] = kept
            state.shrink(to: most)
        }
        return true
    }

    /// Lets a later call have the key.
    func forget(_ key: Key) { state.withLock { $0.numbers[key] = nil } }

    /// Removes all calls.
    func clear() {
        change { state in
            (state.calls, state.numbers, state.bytes) = ([:], [:], 0)
            state.first = state.next
        }
    }

    /// Notes how many events a listener has dropped.
    func note(lost: Int, of run: String) {
        guard lost > 0, state.withLock({ $0.lost[run] != lost && $0.lost.count < 1000 }) else {
            return
        }
        change { $0.lost[run] = lost }
    }

    private func change(_ body: (inout State) -> Void) {
        let gate = state.withLock { state in
            state.version += 1
            body(&state)
            defer { state.change = Gate() }
            return state.change
        }
        gate.open()
    }

    // MARK: Reading

    func call(_ number: Int) -> InspectedCall? { state.withLock { $0.calls[number]?.call } }

    /// All calls, the first one first.
    var calls: [InspectedCall] {
        state.withLock { state in
            (state.first..<state.next).compactMap { state.calls[$0]?.call }
        }
    }

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
            var changed = state.calls.filter { $0.value.version > version }
                .sorted { ($0.value.version, $0.key) < ($1.value.version, $1.key) }
            let isAll = changed.count <= limit
            changed = Array(changed.prefix(limit))
            return Changes(
                calls: changed.map { ($0.key, $0.value.call) }, first: state.first,
                version: isAll ? state.version : changed.last?.value.version ?? version,
                lost: state.lost.values.reduce(0, +))
        }
    }
}

extension CallStore.State {
    fileprivate mutating func shrink(to most: (calls: Int, bytes: Int)) {
        while calls.count > 1, calls.count > most.calls || bytes > most.bytes {
            guard let kept = calls.removeValue(forKey: first) else {
                first += 1
                continue
            }
            first += 1
            bytes -= kept.size
            if let key = kept.key { numbers[key] = nil }
        }
    }
}
