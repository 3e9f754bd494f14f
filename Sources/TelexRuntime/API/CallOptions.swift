/// What one call wants different from the rest.
public struct CallOptions: Sendable, Hashable {
    /// How long the call may take; nil for the method's limits.
    public var timeouts: Timeouts?
    /// Which server to call; nil for the method's or the manager's.
    public var server: ServerChoice?
    /// Marks of the caller's own; they appear in the events of the call.
    public var tags: Set<String>

    /// Nothing different by default.
    public init(timeouts: Timeouts? = nil, server: ServerChoice? = nil, tags: Set<String> = []) {
        self.timeouts = timeouts
        self.server = server
        self.tags = tags
    }
}
