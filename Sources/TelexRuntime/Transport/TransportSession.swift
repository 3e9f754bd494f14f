/// A set of connections: requests of one session may share connections with one another, and with no
/// others. Sessions are the same if all that is said of them is.
public struct TransportSession: Sendable, Hashable {
    /// What the API's description calls it; nil for the two that every transport has.
    public var name: String?
    /// Whether nothing of it is to outlive a call. `false` by default.
    public var isEphemeral: Bool
    /// How many connections it may have to one host at a time, at least 1; nil, the default, for
    /// the transport's usual.
    public var connectionsPerHost: Int? {
        didSet { connectionsPerHost = connectionsPerHost?.atLeast(1) }
    }
    /// Whether its transfers are to go on while the app is suspended, and after it was ended.
    /// `false` by default. To a transport or a platform that cannot do that, and if the session is
    /// ephemeral, it is a session like any other, whose transfers go on while the app runs.
    public var isBackground: Bool

    /// A session; without a name, one of the two that every transport has.
    public init(
        _ name: String? = nil, isEphemeral: Bool = false, connectionsPerHost: Int? = nil,
        isBackground: Bool = false
    ) {
        self.name = name
        self.isEphemeral = isEphemeral
        self.connectionsPerHost = connectionsPerHost?.atLeast(1)
        self.isBackground = isBackground
    }

    /// The session of requests of which nothing is said.
    public static let shared = TransportSession()
    /// The session of ephemeral requests without a name.
    public static let ephemeral = TransportSession(isEphemeral: true)
}
