import Synchronization

/// The identity of an engine; unlike its address, it is never reused.
struct EngineID: Hashable, Sendable {
    private static let last = Atomic<UInt64>(0)
    private let number = last.wrappingAdd(1, ordering: .relaxed).newValue
}
