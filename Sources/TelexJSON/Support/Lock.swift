#if canImport(Darwin)
    import Darwin

    /// A value that one thread at a time uses. It has the interface of the standard library's
    /// `Mutex`, which needs newer systems than this package.
    package struct Lock<Value: ~Copyable>:
        ~Copyable, @unchecked Sendable  // the value is only reached while the lock is held
    {
        @usableFromInline let lock: UnsafeMutablePointer<os_unfair_lock>
        @usableFromInline let value: UnsafeMutablePointer<Value>

        /// Creates a lock with the first value.
        @inlinable
        package init(_ value: consuming sending Value) {
            lock = .allocate(capacity: 1)
            lock.initialize(to: os_unfair_lock())
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        @inlinable
        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
            lock.deallocate()
        }

        /// Calls a closure with the value, which no other thread uses meanwhile.
        @inlinable
        package borrowing func withLock<Product: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Product
        ) throws(Failure) -> sending Product {
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
            return try body(&value.pointee)
        }
    }
#else
    import Synchronization

    /// A value that one thread at a time uses.
    package typealias Lock = Mutex
#endif
