import TelexJSON

/// A value that tests and the code under test change concurrently.
final class LockedValue<Value: Sendable>: Sendable {
    private let state: Lock<Value>

    init(_ value: Value) { state = Lock(value) }

    var value: Value { state.withLock { $0 } }

    func change<T: Sendable>(_ body: (inout Value) -> T) -> T {
        state.withLock { value in body(&value) }
    }
}
