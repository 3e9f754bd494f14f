import TelexDiagnosis
import TelexInspection
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
}
