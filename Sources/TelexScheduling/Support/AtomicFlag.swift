#if !canImport(Darwin)
    import Synchronization
#endif

/// A flag that threads set and read without a lock. What was written before it was set is seen where
/// it is found set.
package struct AtomicFlag: ~Copyable, Sendable {
    #if canImport(Darwin)
        private let count = AtomicCount()
    #else
        // Without memory of its own.
        private let flag = Atomic(false)
    #endif

    /// Creates a flag that is not set.
    package init() {}

    /// Whether it is set.
    package var isSet: Bool {
        #if canImport(Darwin)
            count.value > 0
        #else
            flag.load(ordering: .acquiring)
        #endif
    }

    /// Sets it.
    package func set() {
        #if canImport(Darwin)
            count.value = 1
        #else
            flag.store(true, ordering: .releasing)
        #endif
    }
}
