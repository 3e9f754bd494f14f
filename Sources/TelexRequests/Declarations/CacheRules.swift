/// How the replies of a method are kept and reused (RFC 9111). Only replies of `GET` and `HEAD`
/// calls are, and only if they were accepted as successful and mapped.
public struct CacheRules: Sendable, Hashable {
    /// Where replies are kept.
    public enum Store: Sendable, Hashable {
        /// In memory.
        case memory
        /// In memory and, if the manager's cache has a folder, on disk. Only in memory: replies
        /// with sensitive values, replies to requests with such values, and those of a credential
        /// that was not given to `logIn`, because its login has no name but the token.
        case disk
    }

    /// How long a reply without a lifetime of its own is used; nil for no time, so that each use
    /// needs the server's confirmation.
    public var fresh: Duration?
    /// How long after its lifetime a reply is used if the server fails (RFC 5861), unless the reply
    /// says otherwise; nil for no time.
    public var staleIfError: Duration?
    /// Where replies are kept.
    public var store: Store

    /// The server's header fields alone decide by default.
    public init(
        fresh: Duration? = nil, staleIfError: Duration? = nil, store: Store = .memory
    ) {
        self.fresh = fresh
        self.staleIfError = staleIfError
        self.store = store
    }
}

/// How one call uses the cache. For a method that is not cached, nothing is ever stored.
public enum CacheUse: Sendable, Hashable {
    /// Uses a stored reply of any age; asks the server if there is none.
    case cached
    /// Uses a stored reply of any age; if there is none, the call fails with
    /// ``APIError/Reason/notCached``. Nothing is sent.
    case offline
    /// Asks the server, which may confirm the stored reply.
    case validate
    /// Asks the server for the whole reply, and stores it.
    case reload
    /// Neither uses nor stores a reply.
    case off
}

/// Where the reply of a call comes from.
public enum ReplySource: Sendable, Hashable {
    /// The server.
    case network
    /// The cache; the reply is fresh.
    case cache
    /// The cache; the server has confirmed the reply.
    case revalidated
    /// The cache; the reply is older than its lifetime. The server has failed, or the call accepts
    /// any age.
    case stale

    /// The source in a log line.
    package var words: String {
        switch self {
        case .network: "a new reply"
        case .cache: "a stored reply"
        case .revalidated: "a stored reply that the server has confirmed"
        case .stale: "a stored reply past its lifetime"
        }
    }
}
