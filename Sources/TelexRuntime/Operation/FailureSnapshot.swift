/// Where an operation was when the engine ended it, or its attempt.
struct FailureSnapshot: Sendable {
    var state: OperationState
    /// The attempts that had ended.
    var attempts: [OperationAttempt]
    /// How many were begun.
    var count: Int
    /// Whether an attempt was at work.
    var isAtWork: Bool
    /// How far the call had come.
    var phase: APIError.Phase
    /// What the server had begun to say to that.
    var status: Int?
    /// What it waited for; nil if an attempt was at work.
    var wait: OperationWait?
    /// How far the network reached for it, if that was found out.
    var diagnosis: Diagnosis?

    init(_ live: OperationLife) {
        let current = live.isAtWork ? live.current?.contents : nil
        state = live.shown
        attempts = live.attempts
        count = live.attempt
        isAtWork = live.isAtWork
        status = current?.head?.status.code
        phase = state == .postponed ? .auth : .queue
        guard isAtWork else { return }
        phase = status != nil ? .receive : current?.hop != nil ? .send : .build
    }
}

/// What an operation waits for that has no attempt at work.
package enum OperationWait: Sendable, Equatable {
    /// Its turn.
    case turn
    /// Others, which have to succeed first.
    case others
    /// Its host, which wants to be left alone for so long.
    case host(Duration)
    /// A new token.
    case token
    /// Somebody who lets it go on.
    case resumption
}
