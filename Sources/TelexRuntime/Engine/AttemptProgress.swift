/// How far a live attempt is, as the engine has to know in case its time runs out, since one that is
/// stopped is not asked what may follow, and in case it is held.
package struct AttemptProgress: Sendable, Equatable {
    /// Whether the attempt brought the operation forward; see `AttemptFailure.hasProgress`.
    package var hasProgress: Bool
    /// Whether another attempt would do again what must not be done twice.
    package var isLast: Bool
    /// The least time before another attempt; nil for no other than usual.
    package var pause: Duration?

    /// Whether it sends a request when it goes on, and not only goes on with what it has sent: it was
    /// held before that, or has given up its connection meanwhile.
    package var asksAgain: Bool

    /// Whether it is held and has sent nothing at all, so that its request does not count until it
    /// goes on.
    package var isUnsent: Bool

    package init(
        hasProgress: Bool = false, isLast: Bool = false, pause: Duration? = nil,
        asksAgain: Bool = false, isUnsent: Bool = false
    ) {
        self.hasProgress = hasProgress
        self.isLast = isLast
        self.pause = pause
        self.asksAgain = asksAgain
        self.isUnsent = isUnsent
    }
}
