/// The progress of a live attempt. The engine keeps it for time-outs and pauses, because a stopped
/// attempt can no longer report what may follow.
package struct AttemptProgress: Sendable, Equatable {
    /// Whether the attempt advanced the operation; see `AttemptFailure.hasProgress`.
    package var hasProgress: Bool
    /// Whether another attempt would repeat an effect that must not happen twice.
    package var isLast: Bool
    /// The minimum time before another attempt; nil for the usual one.
    package var pause: Duration?

    /// Whether it sends a request when it continues, because it was paused before sending, or
    /// closed its connection while paused.
    package var sendsWhenResumed: Bool

    /// Whether it is paused and has sent nothing, so that its request does not count until it
    /// continues.
    package var isUnsent: Bool

    package init(
        hasProgress: Bool = false, isLast: Bool = false, pause: Duration? = nil,
        sendsWhenResumed: Bool = false, isUnsent: Bool = false
    ) {
        self.hasProgress = hasProgress
        self.isLast = isLast
        self.pause = pause
        self.sendsWhenResumed = sendsWhenResumed
        self.isUnsent = isUnsent
    }
}
