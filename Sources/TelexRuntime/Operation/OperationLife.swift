import Dispatch

/// What changes in the life of an operation. Guarded by the lock of the operation.
struct OperationLife {
    /// A task that waits for the end.
    struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// Makes an attempt; nil once there can be no other.
    private(set) var work: OperationHandle.Work?
    /// Whether the engine has heard of it.
    var isKnown = false
    var isPaused = false
    /// Whether somebody wants it suspended, whatever becomes of the group that it is a step of.
    var staysSuspended = false
    /// Whether a task that is about to wait begins the attempt if one is due.
    var leavesAttempt = false
    var shown = OperationState.ready
    /// When it was started.
    var began = Duration.zero
    var waiters: [Waiter] = []
    /// What few operations have; see `requireColdState`.
    private(set) var coldState: ColdState?
    private var made: AttemptHistory?

    init(work: @escaping OperationHandle.Work) {
        self.work = work
    }

    /// What the attempts have brought; made with the first of them, or at the end.
    var history: AttemptHistory {
        mutating get {
            if let made { return made }
            let history = AttemptHistory()
            made = history
            return history
        }
    }

    /// The attempt that may still say something; none before the first.
    var attempt: Int { made?.attempt ?? 0 }
    /// The attempts that have ended.
    var attempts: [OperationAttempt] { made?.attempts ?? [] }
    /// What the last attempt left behind.
    var record: AttemptRecord? { made?.record }
    /// What the attempt has seen that may still say something.
    var current: AttemptRecord? { made?.current }
    /// What came of it, if anything did.
    var result: Result<AnyProduct, any Error>? { made?.result }
    /// The state in which it ended; nil until it has.
    var end: OperationState? { made?.end }

    /// Whether an attempt is at work.
    var isAtWork: Bool { made?.work.isSome ?? false }

    /// Takes its work from the live attempt. If that is still being begun, whoever does so finds out
    /// in `keep`, and cancels it.
    ///
    /// - Returns: The task to be cancelled; nil if there is none.
    mutating func takeTask() -> Task<Void, Never>? {
        guard let made else { return nil }
        defer { made.work = .none }
        if case .task(let task) = made.work { return task }
        return nil
    }

    /// Takes what makes attempts: it may hold much, and whoever holds an operation that has ended.
    mutating func takeWork() -> OperationHandle.Work? {
        defer { work = nil }
        return work
    }

    var metrics: OperationMetrics {
        let ended = made?.ended ?? began
        return OperationMetrics(
            total: ended - began, queued: attempts.first?.start ?? ended - began,
            working: ((made?.worked ?? .zero) - (coldState?.held ?? .zero)).atLeast(.zero))
    }

    /// What few operations have, made when it is first needed.
    mutating func requireColdState() -> ColdState {
        if let coldState { return coldState }
        let new = ColdState()
        coldState = new
        return new
    }
}

extension OperationLife {
    /// What the attempts of an operation have brought. A reference, because operations that wait by
    /// the thousand have none yet.
    final class AttemptHistory {
        /// The attempt that may still say something.
        var attempt = 0
        var launched = Duration.zero
        var ended = Duration.zero
        /// The attempts that have ended: the first and the newest.
        private(set) var attempts: [OperationAttempt] = []
        /// How long all of them took together.
        private(set) var worked = Duration.zero
        /// The work of the live attempt.
        var work = Work.none
        /// What the live attempt has seen; once it has ended, in `record`.
        var current: AttemptRecord?
        /// What the attempt left behind.
        var record: AttemptRecord?
        /// What the attempt brought; once the engine has decided about it, what the operation did.
        /// None of one that was cancelled.
        var result: Result<AnyProduct, any Error>?
        var end: OperationState?

        /// Whether it is known how the attempt ended.
        var hasAttempt: Bool { attempts.last?.number == attempt }

        private static let mostAttempts = 100

        /// Makes room for one more attempt, when it begins: not when thousands are stopped at once.
        func makeRoom() {
            if attempts.count < Self.mostAttempts { attempts.reserveCapacity(attempts.count + 1) }
        }

        /// Keeps an attempt that has ended.
        func add(_ attempt: OperationAttempt) {
            if attempts.count == Self.mostAttempts { attempts.remove(at: 1) }
            attempts.append(attempt)
            worked += attempt.duration
        }

        /// Puts another error in the place of that of the last attempt: more is known by now.
        func replaceError(with error: any Error) {
            result = .failure(error)
            guard let last = attempts.popLast() else { return }
            attempts.append(last.failed(with: error))
        }
    }

    /// The work of an attempt.
    enum Work {
        case none
        /// Left to the task that is about to wait.
        case left
        /// That one makes the first steps.
        case beginning
        case task(Task<Void, Never>)

        var isSome: Bool {
            if case .none = self { false } else { true }
        }
    }

    /// Those who wait for the end and are no tasks.
    struct Audience {
        /// What belongs to operations: those that depend on this one, its reader.
        var dependents: [@Sendable (OperationState) -> Void] = []
        /// What gives back what the operation has, such as its file.
        var releases: [@Sendable () -> Void] = []
        var threads: [DispatchSemaphore] = []
        /// Anybody's closures.
        var closures: [@Sendable (OperationState) -> Void] = []
    }

    /// What few operations have. A reference for the same reason.
    final class ColdState {
        /// What it is a part of.
        var privilegedTask: PrivilegedTask?
        /// How far the network reached for the last attempt, if the engine has given it up and that was
        /// found out.
        var diagnosis: Diagnosis?
        /// Where the request was that it shared, when it gave that up.
        var snapshot: FailureSnapshot?
        /// An error from outside of the attempts.
        var reason: (any Error)?
        /// What attempts have shown that are over, each once.
        var earlierCredentials: [Credential] = []
        /// Told when the first attempt is launched.
        var onLaunch: (@Sendable (OperationHandle, _ attempt: Int) -> Void)?
        /// Since when the live attempt is held, and for how long attempts were before.
        var heldSince: Duration?
        var held = Duration.zero
        /// Told when the attempt is held and when it goes on.
        var onHold: (@Sendable (Bool) -> Void)?
        /// Who holds the operation.
        var holds = OperationHolds()
        /// Attempts that are held.
        var heldAttempts: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        /// Who waits for the end, besides tasks.
        var audience = Audience()
        var states: Broadcast<OperationState>?
        var events: Broadcast<APIEvent>?
        var tracker: ProgressTracker?
        /// How far it is, of a transfer, until somebody follows that.
        var unseen: OperationProgress?
        /// The same of a group, which is asked; nil if its followers know.
        var untold: (@Sendable () -> OperationProgress?)?
        /// Gives the elements of a stream to its reader.
        var handOut: (@Sendable (AnyProduct) async throws -> Void)?
        /// The request that its live attempt waits for with others.
        weak var shared: OperationHandle?
        /// What runs inside of it, if it is a group.
        var members: (@Sendable () -> [OperationHandle])?
        /// The groups whose bodies wait for it now; see `OperationHandle.mayCloseCircle`.
        var groups: [OperationHandle] = []
        /// The same the other way round: what its body waits for, if it is a group.
        var awaited: [OperationID: OperationHandle] = [:]
        /// Whose tokens what runs or has run inside of it carries; some may be gone.
        var tokens: [EngineID: EngineReference] = [:]
        /// How many log-outs its body is at, of each engine's API.
        var logOuts: [EngineID: Int] = [:]

        /// Takes what tells, without the lock, how far it is that nobody was told.
        func takeMissed() -> (@Sendable () -> OperationProgress?)? {
            guard let progress = unseen.take() else { return untold }
            return { progress }
        }

        /// Takes those who wait for anything, at the end.
        func takeRest() -> (
            audience: Audience, held: [CheckedContinuation<Void, any Error>]
        ) {
            defer { (audience, heldAttempts, onHold, onLaunch) = (.init(), [:], nil, nil) }
            return (audience, Array(heldAttempts.values))
        }
    }
}
