/// How an attempt ended that produced no value.
package struct AttemptFailure: Sendable {
    /// What may be done about it.
    package enum Remedy: Sendable, Equatable {
        /// Nothing.
        case none
        /// The same call may be sent again, after this time if the server said how long.
        case retry(after: Duration?)
        /// The credential is no longer good.
        case refresh
        /// The same, but the call cannot be sent again with another one.
        case renew

        /// What is left if the call cannot be sent again.
        package var withoutRepeating: Remedy { self == .refresh || self == .renew ? .renew : .none }
    }

    package var remedy: Remedy
    /// Why, in a few words, for events.
    var reason: String
    /// Whether the attempt brought the operation forward, as a download that goes on where it
    /// stopped. Such a failure is no sign of a server in trouble, and is not counted.
    package var hasProgress: Bool
    /// Whether the server has enough of these calls and said when it takes more (RFC 6585, section
    /// 4). It is in no trouble, so going on then costs nothing of the budget of retries.
    package var isPaced = false
    /// Whether the attempt ended before it sent anything, so that no rate has to count it.
    package var sentNothing = false
    /// Whether the network may be to blame, so that it is looked into before the operation fails.
    package var isSuspicious = false
    /// The least time before another attempt, if it is longer than the policy's; nil for none.
    package var pause: Duration?

    /// How long the server of a call that may be sent again says that this takes.
    var delay: Duration? { if case .retry(let delay) = remedy { delay } else { nil } }

    package init(_ remedy: Remedy, _ reason: String, hasProgress: Bool = false) {
        self.remedy = remedy
        self.reason = reason
        self.hasProgress = hasProgress
    }
}
