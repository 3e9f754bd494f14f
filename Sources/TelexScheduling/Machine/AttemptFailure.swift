/// How an attempt without a value ended.
package struct AttemptFailure: Sendable {
    /// What may be done about the failure.
    package enum Remedy: Sendable, Equatable {
        /// Nothing.
        case none
        /// The same call may be sent again, after this time if the server named one.
        case retry(after: Duration?)
        /// The token of the scheme must be refreshed.
        case refresh(SchemeKey)
        /// The token of the scheme must be refreshed, but the call cannot be sent again.
        case renew(SchemeKey)

        /// The remedy if the call cannot be sent again.
        package var withoutRepeating: Remedy {
            switch self {
            case .none, .retry: .none
            case .refresh(let scheme), .renew(let scheme): .renew(scheme)
            }
        }
    }

    package var remedy: Remedy
    /// The reason, as a short phrase for events.
    package var reason: String
    /// Whether the attempt advanced the operation, as a download that resumes at its last byte.
    /// Such a failure does not indicate a failing server and is not counted.
    package var hasProgress: Bool
    /// Whether the server limits these calls (RFC 6585, section 4). It is not failing, so the retry
    /// costs no retry budget; `LearnedPace` keeps such retries from overloading it.
    package var isRateLimited = false
    /// How long calls to the operation's host must wait, if the host refused the attempt because it
    /// limits the rate of calls.
    package var hostWait: Duration?
    /// Whether the host had refused another call before it refused this one, which was in flight.
    var isOneOfMany = false
    /// The wait before the next request, if the attempt got a reply that is not final yet. It is
    /// repeated whatever the retry policy is.
    package var polling: Backoff?
    /// Whether the attempt ended before it sent anything, so that no rate counts it.
    package var sentNothing = false
    /// Whether the network may be to blame, so that a diagnosis runs before the operation fails.
    package var isSuspicious = false
    /// The minimum time before another attempt, if longer than the policy's; nil for none.
    package var pause: Duration?

    /// The delay that the server named for a call that may be sent again.
    package var delay: Duration? { if case .retry(let delay) = remedy { delay } else { nil } }

    package init(_ remedy: Remedy, _ reason: String, hasProgress: Bool = false) {
        self.remedy = remedy
        self.reason = reason
        self.hasProgress = hasProgress
    }
}
