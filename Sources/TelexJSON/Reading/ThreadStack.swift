#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How much of the current thread's stack is left. Stacks grow downwards on every platform.
///
/// A depth alone does not protect: the frames of a model grow with its fields, and threads that a
/// server's words are read on may have 512 KB (Apple's pools) or 128 KB (Musl).
struct ThreadStack {
    /// What always has to be left: for the frames of one more level, even unoptimized, for whatever
    /// a leaf calls, and for writing and freeing what was read.
    private static let reserve: UInt = 128 * 1024
    /// A reader that has used less of the stack than this has no need to know where it ends.
    private static let free: UInt = 16 * 1024

    /// Where the code stood that began.
    private let start: UInt
    /// The stack; empty if the platform does not tell, nil if nobody asked yet.
    private var stack: Range<UInt>?

    /// Begins here.
    @inline(__always)
    init() {
        start = Self.place()
    }

    /// Whether code may go one level deeper from here.
    @inline(never)
    mutating func hasRoom() -> Bool {
        let here = Self.place()
        guard here < start, start - here > Self.free else { return true }
        let stack = stack ?? Self.current() ?? 0..<0
        self.stack = stack
        // A place that is not on the stack at all is that of a tool that moves variables.
        guard stack.contains(here) else { return true }
        let reserve = min(Self.reserve, UInt(stack.count) / 4)
        return here - stack.lowerBound > reserve
    }

    /// The current thread's stack; nil if the platform does not tell.
    private static func current() -> Range<UInt>? {
        #if canImport(Darwin)
            let thread = pthread_self()
            let end = UInt(bitPattern: pthread_get_stackaddr_np(thread))
            return end - min(UInt(pthread_get_stacksize_np(thread)), end)..<end
        #elseif canImport(Glibc) || canImport(Musl)
            var attributes = pthread_attr_t()
            guard let attributesOf, attributesOf(pthread_self(), &attributes) == 0 else {
                return nil
            }
            defer { pthread_attr_destroy(&attributes) }
            var lowest: UnsafeMutableRawPointer?
            var size = 0
            guard pthread_attr_getstack(&attributes, &lowest, &size) == 0 else { return nil }
            let start = UInt(bitPattern: lowest)
            return start..<start + UInt(size)
        #else
            return nil
        #endif
    }

    #if !canImport(Darwin) && (canImport(Glibc) || canImport(Musl))
        private typealias AttributesOf =
            @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

        /// `pthread_getattr_np`, which the headers show to GNU's dialect of C only; nil in programs that
        /// are linked statically and know no symbols.
        private static let attributesOf = dlsym(nil, "pthread_getattr_np").map {
            unsafeBitCast($0, to: AttributesOf.self)
        }
    #endif

    /// An address in the frame of the caller.
    @inline(__always)
    private static func place() -> UInt {
        var mark: UInt8 = 0
        return withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
    }
}
