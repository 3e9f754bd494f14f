/// The time-outs of a call. A time that is not above zero, in ``CallOptions/timeouts`` or
/// elsewhere, makes the call fail as an `invalidRequest` before anything is sent.
public struct Timeouts: Sendable, Hashable {
    /// The idle time-out: how long an exchange may last without a byte sent or received.
    public var silence: Duration
    /// The time limit of one attempt, from its turn to the last byte of its reply, including the
    /// connection and the token; nil for no limit. The diagnosis after a failed attempt
    /// (``APIError/diagnosis``) is not included.
    ///
    /// An attempt does not time out while its call is suspended. If the limit is exceeded by then,
    /// the attempt is repeated when the call resumes. A call that cannot be repeated, or that may
    /// be sent only once, keeps its attempt, whose limit then starts again.
    public var attempt: Duration?
    /// The time limit of a call from its start to its end, including waiting, suspension and all
    /// attempts; nil for no limit. Nothing is sent or received after it. If a request is in flight
    /// then, the error may come later by a tenth of this time, at most ``DiagnosisRules/limit``, so
    /// that it includes a diagnosis of the network (``APIError/diagnosis``). A call that has
    /// already failed and is being diagnosed ends at once with its error.
    public var total: Duration?
    /// The longest pause of a server (`Retry-After`, `RateLimit-*`, a time in the body) that a call
    /// waits for. If the server asks for a longer one, the call fails at once, with the server's
    /// reply or with ``APIError/Reason/hostPaused(until:)``. Rate information in replies with other
    /// statuses than 429 and 503 fails no call, and delays none for longer than the API's own
    /// limit. Not below zero.
    public var pause: Duration {
        didSet { pause = pause.atLeast(.zero) }
    }

    /// Creates time-outs; by default an idle time-out of 60 seconds, pauses of up to 5 minutes, and
    /// no other limit.
    public init(
        silence: Duration = .seconds(60), attempt: Duration? = nil, total: Duration? = nil,
        pause: Duration = .seconds(300)
    ) {
        self.silence = silence
        self.attempt = attempt
        self.total = total
        self.pause = pause.atLeast(.zero)
    }
}
