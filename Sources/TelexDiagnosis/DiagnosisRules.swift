import TelexTransport

/// The rules for diagnosing network failures.
public struct DiagnosisRules: Sendable {
    /// The probe that examines the network. `nil`, the default, means the transport's own: network
    /// transports use `ReachabilityProbe.system`, except on watchOS, which does not allow apps to
    /// probe; test transports use none.
    public var probe: ReachabilityProbe?
    /// The check for a captive portal; `nil`, the default, for no check. The check runs after
    /// transport failures and time-outs, and when HTML with a success status arrives where JSON is
    /// promised, or a redirect is not followed. It runs once for all calls to a host within
    /// ``lifetime``.
    public var portal: PortalCheck?
    /// The maximum time for which an error is delayed for its diagnosis; one second by default, at
    /// most a day. The error of a call that exceeded `Timeouts.total` is delayed by at most a
    /// tenth of that time-out. With zero, the network is not examined, and a diagnosis contains
    /// only what follows from the failure itself.
    public var limit: Duration
    /// The time for which a diagnosis is reused for other failures of calls to the same host; 5
    /// seconds by default.
    public var lifetime: Duration

    /// Makes rules; the defaults are described at the properties.
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

/// A URL with a known reply. Any other reply means that a captive portal intercepts requests.
public struct PortalCheck: Sendable, Hashable {
    /// The URL. Its scheme must be `http`, because a portal cannot reply in place of an `https`
    /// server. On Apple's platforms, App Transport Security allows the request only if the app's
    /// `Info.plist` makes an exception for the host (`NSExceptionAllowsInsecureHTTPLoads`);
    /// otherwise ``Diagnosis/isCaptive`` is `nil`.
    public var url: String
    /// The expected status code; 204 by default.
    public var status: Int
    /// The expected body; `nil`, the default, for any.
    public var body: String?

    /// Makes a check.
    public init(_ url: String, status: Int = 204, body: String? = nil) {
        self.url = url
        self.status = status
        self.body = body
    }
}
