import TelexScheduling

/// An operation as the outside sees it: what it was told by the engine, and nothing else.
struct Actor {
    let plan: OperationPlan
    // Parts of the plan that are looked at all the time.
    let hasSeat: Bool
    let isSerial: Bool
    let isPaired: Bool
    let isOutsideAPI: Bool
    let host: Int
    let owner: Int
    var priority: CallPriority
    let rate: RequestRate?
    var phase = OperationMachine.Phase.ready
    /// Whether the engine has heard of it.
    var isKnown = false
    var isForgotten = false
    var isBlocked = false
    var missing = 0
    /// Whether its last attempt has said that it sent nothing.
    var isUnsent = false
    /// Whether it has sent anything, as far as anybody knows.
    var hasSent = false
    /// How many attempts were launched.
    var attempts = 0
    /// The attempt that has a task at work.
    var live: Int?
    /// When its last request was counted.
    var counted = Duration.zero
    var isPaused = false
    /// When the live attempt has taken too long, if it may.
    var attemptEnd: Duration?
    /// Whether the network may be to blame for the failure of its last attempt.
    var isSuspicious = false
    /// How it will fail, once it is looked into.
    var verdict: EngineFailure?
    /// When it is known how far the network reached for the last attempt, if that is looked into.
    var examinationEnd: Duration?
    /// What the engine was told of the live attempt, and of those before it.
    var attemptProgress = AttemptProgress()
    /// What a held attempt will report once it goes on.
    var held: Outcome?
    var started: Duration?
    /// No attempt before this moment.
    var notBefore = Duration.zero
    /// How long the server of the live attempt wants it to wait, if it says.
    var asked: Duration?
    /// Attempts that failed since the last one that came forward.
    var failures = 0
    var ending: EngineMachine.Ending?
    var completions = 0
    /// The operations that wait for this one.
    var dependents: [Int] = []
    /// Whether its start came too soon after that of its like.
    var isThrottled = false
    /// Whether it was to start as soon as somebody wanted that.
    var startsAtOnce = true
    /// Whether it waits for its start, or is suspended in that.
    var isDelayed = false
    /// Whether another that came later takes its place.
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

    /// Whether its attempt may be given up for another.
    var mayRepeat: Bool { plan.mayRepeat && !attemptProgress.isLast }
    /// Whether it has an attempt that may send and receive.
    var isAtWork: Bool { live != nil && !isPaused }
    /// Whether that counts against the limits.
    var isCounted: Bool { hasSeat && isAtWork }
    /// Whether it waits for nothing but its turn.
    var isInLine: Bool { phase == .queued && !isBlocked }
    /// Whether it sends a request when it has its turn, and does not go on with what it has sent.
    var sends: Bool { live == nil || attemptProgress.sendsWhenResumed }
    /// Whether it can do nothing without somebody's help.
    var needsHelp: Bool {
        switch phase {
        case .ready, .suspended, .succeeded, .failed, .cancelled: true
        case .queued: isBlocked
        default: false
        }
    }
}
