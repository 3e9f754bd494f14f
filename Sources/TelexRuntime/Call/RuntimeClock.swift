#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What time it is, for rules about dates and for the expiry of credentials. Tests bring their own.
public struct RuntimeClock: Sendable {
    /// The moment it is now.
    public var now: @Sendable () -> Date

    /// A clock that asks a closure.
    public init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The clock of the system.
    public static let system = RuntimeClock { Date() }

    /// The clock of rules that are checked in this task: an `APIManager` sets its own while it maps
    /// a reply.
    @TaskLocal public static var current = RuntimeClock.system
}
