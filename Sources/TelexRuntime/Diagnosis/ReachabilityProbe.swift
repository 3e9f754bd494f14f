/// Looks how far the network reaches. It is asked only after a call has failed, and only about the
/// host that the call was for.
public struct ReachabilityProbe: Sendable {
    /// Whether an interface is up that leads out of this device.
    public var hasLink: @Sendable () async -> Bool
    /// Whether a name has an address. Numeric addresses do.
    public var resolves: @Sendable (_ host: String) async -> Bool
    /// Whether a host takes a TCP connection on a port. The connection is closed at once.
    public var connects: @Sendable (_ host: String, _ port: Int) async -> Bool

    /// A probe that asks closures. None of them may block a thread of Swift's own; what they answer
    /// late is not waited for.
    public init(
        hasLink: @escaping @Sendable () async -> Bool,
        resolves: @escaping @Sendable (_ host: String) async -> Bool,
        connects: @escaping @Sendable (_ host: String, _ port: Int) async -> Bool
    ) {
        self.hasLink = hasLink
        self.resolves = resolves
        self.connects = connects
    }
}
