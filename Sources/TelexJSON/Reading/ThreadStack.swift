#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Measures the free stack of the current thread. Stacks grow downwards on every platform.
///
/// A depth limit is not sufficient: the frames of a model grow with its fields, and threads that
/// read replies may have only 512 KB (Apple's thread pools) or 128 KB (Musl).
struct ThreadStack {
    /// The stack that must stay free: for the frames of one more level, even unoptimized, for the
    /// calls of a leaf, and for writing and freeing the values.
    private static let reserve: UInt = 128 * 1024
    /// The stack use of a reader below which the end of the stack is not looked up.
    private static let free: UInt = 16 * 1024

    /// An address in the frame that created this value.
    private let start: UInt
    /// The stack; empty if the platform does not provide it, nil before the first look-up.
    private var stack: Range<UInt>?

    /// Starts the measurement at the current frame.
    @inline(__always)
    init() {
        start = Self.place()
    }

    /// Whether code may go one level deeper.
    @inline(never)
    mutating func hasRoom() -> Bool {
        let here = Self.place()
        guard here < start, start - here > Self.free else { return true }
        let stack = stack ?? Self.current() ?? 0..<0
        self.stack = stack
        // The address is outside the stack if a tool, such as a sanitizer, moves variables.
        guard stack.contains(here) else { return true }
        let reserve = min(Self.reserve, UInt(stack.count) / 4)
        return here - stack.lowerBound > reserve
    }

    /// The stack of the current thread; nil if the platform does not provide it.
    private static func current() -> Range<UInt>? {
        #if canImport(Darwin)
            let thread = pthread_self()
            let end = UInt(bitPattern: pthread_get_stackaddr_np(thread))
            return end - min(UInt(pthread_get_stacksize_np(thread)), end)..<end
        #elseif canImport(Glibc) || canImport(Musl)
            guard let known = Self.known else { return lookUp() }
            if let stack = pthread_getspecific(known) {
                return stack.assumingMemoryBound(to: Range<UInt>.self).pointee
            }
            let stack = UnsafeMutablePointer<Range<UInt>>.allocate(capacity: 1)
            stack.initialize(to: lookUp() ?? 0..<0)
            pthread_setspecific(known, stack)
            return stack.pointee
        #else
            return nil
        #endif
    }

    #if !canImport(Darwin) && (canImport(Glibc) || canImport(Musl))
        /// The stack of each thread that was looked up, because that of the main thread is read
        /// from a file.
        private static let known: pthread_key_t? = {
            var key = pthread_key_t()
            return pthread_key_create(&key, { $0?.deallocate() }) == 0 ? key : nil
        }()

        private static func lookUp() -> Range<UInt>? {
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
        }

        private typealias AttributesOf =
            @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

        /// `pthread_getattr_np`, which the headers declare only for GNU C. Nil in statically linked
        /// programs without dynamic symbols.
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
