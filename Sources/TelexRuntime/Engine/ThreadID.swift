#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Which thread it is, among those that run at the same time.
struct ThreadID: Sendable, Equatable {
    private let number: UInt

    /// This thread.
    static var current: ThreadID {
        // A number on some systems, and an address on others.
        ThreadID(number: withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) })
    }
}
