import TelexScheduling

/// The state of an operation when the engine ended it or its attempt.
struct FailureSnapshot: Sendable {
    var state: OperationState
    /// The attempts that had ended.
    var attempts: [OperationAttempt]
    /// How many attempts had begun.
    var count: Int
    /// Whether an attempt was running.
    var isAtWork: Bool
    /// The phase that the call had reached.
    var phase: APIError.Phase
    /// The status of the reply that had begun to arrive.
    var status: Int?
    /// What the operation waited for; nil if an attempt was running.
    var wait: OperationWait?
    /// How far the network reached, if the diagnosis has a result.
    var diagnosis: Diagnosis?

    init(_ live: OperationLife) {
        let current = live.isAtWork ? live.current?.contents : nil
        state = live.lastState
        attempts = live.attempts
        count = live.attempt
        isAtWork = live.isAtWork
        status = current?.head?.status.code
        phase = state == .postponed ? .auth : .queue
        guard isAtWork else { return }
        phase = status != nil ? .receive : current?.hop != nil ? .send : .build
    }
}
