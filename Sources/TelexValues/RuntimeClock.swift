#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The current time, and how to wait. Tests inject their own.
///
/// There are two times. The date may jump when the system clock is set; it serves rules about dates
/// and the expiry of credentials. The elapsed time is monotonic; it serves waiting.
public struct RuntimeClock: Sendable {
    /// The current date.
    public var now: @Sendable () -> Date
    /// The monotonic time since a fixed point in the past.
    public var elapsed: @Sendable () -> Duration
    /// Waits until the elapsed time reaches `deadline`; throws when its task is cancelled.
    public var sleep: @Sendable (_ deadline: Duration) async throws -> Void

    private static let start = ContinuousClock.now
    private static let longestSleep = Duration.seconds(86_400)

    /// Creates a clock from closures.
    ///
    /// - Parameters:
    ///   - now: The current date.
    ///   - elapsed: The monotonic time; by default since the start of the process.
    ///   - sleep: Waits until the elapsed time reaches the deadline; by default in real time.
    public init(
        now: @escaping @Sendable () -> Date,
        elapsed: (@Sendable () -> Duration)? = nil,
        sleep: (@Sendable (_ deadline: Duration) async throws -> Void)? = nil
    ) {
        self.now = now
        self.elapsed = elapsed ?? { ContinuousClock.now - Self.start }
        self.sleep = sleep ?? { try await Self.sleep(until: $0) }
    }

    /// Waits in steps, because the system's clock traps on times that it cannot represent.
    private static func sleep(until deadline: Duration) async throws {
        var left = Duration.zero
        repeat {
            let now = ContinuousClock.now
            left = deadline - (now - start)
            try await Task.sleep(
                until: now + min(max(left, .zero), longestSleep), clock: .continuous)
        } while left > longestSleep
    }

    /// The clock of the system.
    public static let system = RuntimeClock(now: { Date() })

    /// The clock of rules that are checked in this task; an `APIManager` sets its own while it maps
    /// a reply.
    @TaskLocal public static var current = RuntimeClock.system
}
