#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The identity of a thread among those that run at the same time.
struct ThreadID: Sendable, Equatable {
    private let number: UInt

    /// The current thread.
    static var current: ThreadID {
        // An integer on some systems, a pointer on others.
        ThreadID(number: withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) })
    }
}
