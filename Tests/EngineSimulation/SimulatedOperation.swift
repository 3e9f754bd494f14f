import TelexScheduling

/// An operation as its environment sees it: only what the engine has reported.
struct SimulatedOperation {
    let plan: OperationPlan
    // Parts of the plan that are read often.
    let hasSeat: Bool
    let isSerial: Bool
    let isPaired: Bool
    let isOutsideAPI: Bool
    let host: Int
    let owner: Int
    var priority: CallPriority
    let rate: RequestRate?
    var phase = OperationMachine.Phase.ready
    /// Whether the engine has registered it.
    var isKnown = false
    var isForgotten = false
    var isBlocked = false
    var missing = 0
    /// Whether its last attempt has reported that it sent nothing.
    var isUnsent = false
    /// Whether it has sent anything, as far as known.
    var hasSent = false
    /// How many attempts were launched.
    var attempts = 0
    /// The attempt with a running task.
    var live: Int?
    /// When its last request was counted.
    var counted = Duration.zero
    var isPaused = false
    /// The time-out of the live attempt, if it has one.
    var attemptEnd: Duration?
    /// Whether the failure of its last attempt may be a network failure.
    var isSuspicious = false
    /// Its final failure, while it is diagnosed.
    var verdict: EngineFailure?
    /// When the diagnosis of the last attempt ends, if there is one.
    var examinationEnd: Duration?
    /// The reported progress of the live attempt, and of those before it.
    var attemptProgress = AttemptProgress()
    /// The outcome of a suspended attempt, reported when it resumes.
    var held: AttemptOutcome?
    var started: Duration?
    /// No attempt before this moment.
    var notBefore = Duration.zero
    /// The delay that the server of the live attempt asks for.
    var asked: Duration?
    /// Attempts that failed since the last one with progress.
    var failures = 0
    var ending: EngineMachine.Ending?
    var completions = 0
    /// The operations that depend on this one.
    var dependents: [Int] = []
    /// Whether its start came within the throttle interval.
    var isThrottled = false
    /// Whether it was to start immediately.
    var startsAtOnce = true
    /// Whether it waits for its start, or is suspended in that.
    var isDelayed = false
    /// Whether a later start replaces it.
    var isReplaced = false

    init(_ plan: OperationPlan) {
        self.plan = plan
        hasSeat = plan.slot != nil
        isSerial = plan.slot?.queue == "serial"
        isPaired = plan.slot?.queue == "pair"
        isOutsideAPI = plan.slot?.isOutsideAPI ?? false
        host = plan.host
        owner = plan.owner
        priority = plan.slot?.priority ?? .normal
        rate = plan.rate
    }

    /// Whether its attempt may be replaced by another.
    var mayRepeat: Bool { plan.mayRepeat && !attemptProgress.isLast }
    /// Whether it has an attempt that may send and receive.
    var isAtWork: Bool { live != nil && !isPaused }
    /// Whether its attempt counts against the limits.
    var isCounted: Bool { hasSeat && isAtWork }
    /// Whether it waits only for its turn.
    var isInLine: Bool { phase == .queued && !isBlocked }
    /// Whether it sends a request at its turn, and does not continue a sent one.
    var sends: Bool { live == nil || attemptProgress.sendsWhenResumed }
    /// Whether it cannot continue without an action of the app.
    var needsHelp: Bool {
        switch phase {
        case .ready, .suspended, .succeeded, .failed, .cancelled: true
        case .queued: isBlocked
        default: false
        }
    }
}
