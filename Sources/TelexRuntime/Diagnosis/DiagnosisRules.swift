/// How a failure of the network is looked into.
public struct DiagnosisRules: Sendable {
    /// What looks at the network; nil, the default, for what the transport says: those of the
    /// network use ``ReachabilityProbe/system``, but none on watchOS, which allows apps no looking;
    /// those of tests use none.
    public var probe: ReachabilityProbe?
    /// How one finds out that a network wants its user to log in; nil, the default, for not at all. It
    /// is asked after failures of the transport and time-outs, and when HTML comes with a status of
    /// success where JSON is promised, or a redirect that is not followed: once for all calls to a host
    /// within ``lifetime``.
    public var portal: PortalCheck?
    /// How long an error may be held back for its diagnosis; one second by default, a day at most. One
    /// of a call whose time is over (``Timeouts/total``) is held back by a tenth of that at most.
    /// With zero nothing is looked at, and only what the failure itself tells is known.
    public var limit: Duration
    /// How long a diagnosis is good for other failures of calls to the same host; 5 seconds by
    /// default.
    public var lifetime: Duration

    /// What is described at each property by default.
    public init(
        probe: ReachabilityProbe? = nil, portal: PortalCheck? = nil, limit: Duration = .seconds(1),
        lifetime: Duration = .seconds(5)
    ) {
        self.probe = probe
        self.portal = portal
        self.limit = limit
        self.lifetime = lifetime
    }
}

/// An address whose reply is known. If something else comes, somebody stands in between.
public struct PortalCheck: Sendable, Hashable {
    /// The address: `http`, since nobody can answer in the place of an `https` server. On Apple's
    /// platforms, App Transport Security lets an app send there only if its `Info.plist` makes an
    /// exception for the host (`NSExceptionAllowsInsecureHTTPLoads`); without one, nobody finds out
    /// and ``Diagnosis/isCaptive`` is nil.
    public var url: String
    /// The status that it answers with; 204 by default.
    public var status: Int
    /// The body that it answers with; nil, the default, for any.
    public var body: String?

    /// Describes a check.
    public init(_ url: String, status: Int = 204, body: String? = nil) {
        self.url = url
        self.status = status
        self.body = body
    }
}
