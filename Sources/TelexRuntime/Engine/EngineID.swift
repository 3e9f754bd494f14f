import TelexScheduling

/// The identity of an engine; unlike its address, it is never reused.
struct EngineID: Hashable, Sendable {
    private static let last = AtomicCount()
    private let number = last.increment()
}
