internal import CScan

/// A count that threads use at the same time without a lock. The standard library's `Atomic` needs
/// newer systems than this package.
package struct AtomicCount: ~Copyable, @unchecked Sendable {  // the memory is used atomically only
    private let count: UnsafeMutablePointer<UInt64>

    /// Creates a count of zero.
    package init() {
        count = .allocate(capacity: 1)
        count.initialize(to: 0)
    }

    deinit { count.deallocate() }

    /// The count. What was written before it was set is seen where it is read.
    package var value: UInt64 {
        get { c_atomic_load(count) }
        nonmutating set { c_atomic_store(count, newValue) }
    }

    /// Adds one.
    ///
    /// - Returns: The new count.
    @discardableResult
    package func increment() -> UInt64 { c_atomic_increment(count) }
}
