/// A set of connections: requests of one session may share connections with one another, but not
/// with requests of other sessions. Sessions with equal properties are the same session.
public struct TransportSession: Sendable, Hashable {
    /// The name from the API's description; nil for the two built-in sessions.
    public var name: String?
    /// Whether nothing may be kept after a call, such as cookies, credentials or cached replies.
    /// `false` by default.
    public var isEphemeral: Bool
    /// The largest number of simultaneous connections to one host, at least 1; nil, the default,
    /// for the transport's own limit.
    public var connectionsPerHost: Int? {
        didSet { connectionsPerHost = connectionsPerHost.map { max($0, 1) } }
    }
    /// Whether transfers continue while the app is suspended, and after it was terminated. `false`
    /// by default. Without effect if the session is ephemeral, or if the transport or the platform
    /// does not support it: the transfers then continue only while the app runs.
    public var isBackground: Bool

    /// Makes a session; without a name, one of the two built-in sessions.
    public init(
        _ name: String? = nil, isEphemeral: Bool = false, connectionsPerHost: Int? = nil,
        isBackground: Bool = false
    ) {
        self.name = name
        self.isEphemeral = isEphemeral
        self.connectionsPerHost = connectionsPerHost.map { max($0, 1) }
        self.isBackground = isBackground
    }

    /// The session of requests that specify none.
    public static let shared = TransportSession()
    /// The session of ephemeral requests without a name.
    public static let ephemeral = TransportSession(isEphemeral: true)
}
