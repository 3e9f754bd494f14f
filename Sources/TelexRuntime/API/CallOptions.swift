/// What one call wants different from the rest.
public struct CallOptions: Sendable, Hashable {
    /// The longest silence of the exchange; nil for the method's.
    public var timeout: Duration?
    /// Which server to call; nil for the method's or the manager's.
    public var server: ServerChoice?
    /// Marks of the caller's own; they appear in the events of the call.
    public var tags: Set<String>

    /// Nothing different by default.
    public init(timeout: Duration? = nil, server: ServerChoice? = nil, tags: Set<String> = []) {
        self.timeout = timeout
        self.server = server
        self.tags = tags
    }
}
