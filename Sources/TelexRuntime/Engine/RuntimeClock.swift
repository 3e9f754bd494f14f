#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What time it is, and how to wait. Tests bring their own.
///
/// There are two times, because they differ: the date may jump when somebody sets the clock, and is
/// for rules about dates and the expiry of credentials; the time that has elapsed never goes back,
/// and is for waiting.
public struct RuntimeClock: Sendable {
    /// The moment it is now.
    public var now: @Sendable () -> Date
    /// The time since some moment in the past; never goes back.
    public var elapsed: @Sendable () -> Duration
    /// Waits until so much time has elapsed; throws when its task is cancelled.
    public var sleep: @Sendable (_ deadline: Duration) async throws -> Void

    private static let start = ContinuousClock.now

    /// A clock that asks closures.
    ///
    /// - Parameters:
    ///   - now: The moment it is now.
    ///   - elapsed: The time since some moment; by default since the start of the process.
    ///   - sleep: Waits until so much time has elapsed; by default for real.
    public init(
        now: @escaping @Sendable () -> Date,
        elapsed: (@Sendable () -> Duration)? = nil,
        sleep: (@Sendable (_ deadline: Duration) async throws -> Void)? = nil
    ) {
        self.now = now
        self.elapsed = elapsed ?? { ContinuousClock.now - Self.start }
        self.sleep = sleep ?? { try await Self.sleep(until: $0) }
    }

    /// Waits in steps, because the system's clock traps on moments that it cannot represent.
    private static func sleep(until deadline: Duration) async throws {
        var left = Duration.zero
        repeat {
            let now = ContinuousClock.now
            left = deadline - (now - start)
            try await Task.sleep(until: now + min(max(left, .zero), .day), clock: .continuous)
        } while left > .day
    }

    /// The clock of the system.
    public static let system = RuntimeClock(now: { Date() })

    /// The clock of rules that are checked in this task: an `APIManager` sets its own while it maps
    /// a reply.
    @TaskLocal public static var current = RuntimeClock.system
}
