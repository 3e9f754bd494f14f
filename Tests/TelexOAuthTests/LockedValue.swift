import Synchronization

/// A value that tests and the code under test change concurrently.
final class LockedValue<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func change<T: Sendable>(_ body: (inout Value) -> T) -> T {
        state.withLock { value in body(&value) }
    }
}
