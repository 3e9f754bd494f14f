/// Finds out how far the network reaches. It is used only after a call has failed, and only for the
/// host of that call.
public struct ReachabilityProbe: Sendable {
    /// Whether a network interface other than loopback is up.
    public var hasLink: @Sendable () async -> Bool
    /// Whether a host name resolves to an address. A numeric address always does.
    public var resolves: @Sendable (_ host: String) async -> Bool
    /// Whether a host accepts a TCP connection on a port. The connection is closed at once.
    public var connects: @Sendable (_ host: String, _ port: Int) async -> Bool

    /// Makes a probe from closures. They must not block a thread of Swift's cooperative pool; late
    /// results are ignored.
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
