import Dispatch
import TelexCredentials
import TelexDiagnosis
import TelexInspection
import TelexRequests
import TelexScheduling

/// The mutable state of an operation, guarded by the operation's lock.
struct OperationLife {
    /// A task that waits for the end.
    struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// Makes an attempt; nil once no further attempt can follow.
    private(set) var work: OperationHandle.Work?
    /// Whether the engine has registered the operation.
    var isRegistered = false
    var isPaused = false
    /// Whether the operation itself is suspended, independently of the groups that it is a step of.
    var isSuspendedItself = false
    /// Whether the task that is about to wait begins an attempt that is launched now.
    var startsInline = false
    /// When the operation was started.
    var began = Duration.zero
    var waiters: [Waiter] = []
    /// Data that few operations need; see `requireColdState`.
    private(set) var coldState: ColdState?
    private var made: AttemptHistory?

    init(work: @escaping OperationHandle.Work) {
        self.work = work
    }

    /// The results of the attempts, allocated with the first attempt or at the end.
    var history: AttemptHistory {
        mutating get {
            if let made { return made }
            let history = AttemptHistory()
            made = history
            return history
        }
    }

    /// The number of the current attempt; zero before the first.
    var attempt: Int { made?.attempt ?? 0 }
    /// The attempts that have ended.
    var attempts: [OperationAttempt] { made?.attempts ?? [] }
    /// The record of the last attempt that ended by itself.
    var record: AttemptRecord? { made?.record }
    /// The record of the current attempt.
    var current: AttemptRecord? { made?.current }
    /// The result, if there is one.
    var result: Result<AnyProduct, any Error>? { made?.result }
    /// The terminal state; nil until the operation has ended.
    var end: OperationState? { made?.end }

    /// Whether an attempt is in progress.
    var isAtWork: Bool { made?.work.isSome ?? false }

    /// Takes the task of the live attempt. If the attempt is still being begun, `adopt` fails
    /// afterwards and its caller cancels the task.
    ///
    /// - Returns: The task to cancel; nil if there is none.
    mutating func takeTask() -> Task<Void, Never>? {
        guard let made else { return nil }
        defer { made.work = .none }
        if case .task(let task) = made.work { return task }
        return nil
    }

    /// Takes the closure that makes attempts, because it may retain much, and callers may retain an
    /// ended operation.
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

    /// The cold state, allocated on first use.
    mutating func requireColdState() -> ColdState {
        if let coldState { return coldState }
        let new = ColdState()
        coldState = new
        return new
    }
}

extension OperationLife {
    /// The results of an operation's attempts. A class, because waiting operations, of which there
    /// may be thousands, need none.
    final class AttemptHistory {
        /// The number of the current attempt.
        var attempt = 0
        var launched = Duration.zero
        var ended = Duration.zero
        /// The attempts that have ended: the first and the most recent ones.
        private(set) var attempts: [OperationAttempt] = []
        /// The total duration of all attempts.
        private(set) var worked = Duration.zero
        /// The work of the live attempt.
        var work = Work.none
        /// The record of the live attempt; it moves to `record` when the attempt ends.
        var current: AttemptRecord?
        /// The record of the last attempt that ended by itself.
        var record: AttemptRecord?
        /// The result of the attempt and, after the engine's decision, of the operation. Nil if it
        /// was cancelled.
        var result: Result<AnyProduct, any Error>?
        var end: OperationState?

        /// Whether the end of the current attempt is recorded.
        var hasAttempt: Bool { attempts.last?.number == attempt }

        private static let mostAttempts = 100

        /// Reserves memory for the attempt when it begins, rather than when thousands are stopped
        /// at once.
        func makeRoom() {
            if attempts.count < Self.mostAttempts { attempts.reserveCapacity(attempts.count + 1) }
        }

        /// Appends an attempt that has ended.
        func add(_ attempt: OperationAttempt) {
            if attempts.count == Self.mostAttempts { attempts.remove(at: 1) }
            attempts.append(attempt)
            worked += attempt.duration
        }

        /// Replaces the error of the last attempt with a more complete one.
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
        case awaitingCaller
        /// That task runs the first part of the attempt.
        case beginning
        case task(Task<Void, Never>)

        var isSome: Bool {
            if case .none = self { false } else { true }
        }
    }

    /// The waiters for the end other than tasks.
    struct OtherWaiters {
        /// Handlers of the runtime: of dependent operations and of the stream's reader.
        var dependents: [@Sendable (OperationState) -> Void] = []
        /// Closures that release what the operation holds, such as its file.
        var releases: [@Sendable () -> Void] = []
        var threads: [DispatchSemaphore] = []
        /// Completion closures of the app.
        var closures: [@Sendable (OperationState) -> Void] = []
    }

    /// Data that few operations need. A class to save memory.
    final class ColdState {
        /// The privileged task that the operation is part of.
        var privilegedTask: PrivilegedTask?
        /// How far the network reached for the last attempt, if the engine stopped it and the
        /// diagnosis has a result.
        var diagnosis: Diagnosis?
        /// The state of the shared request when the operation left it.
        var snapshot: FailureSnapshot?
        /// An error from outside the attempts.
        var reason: (any Error)?
        /// The distinct credentials of earlier attempts.
        var earlierCredentials: [Credential] = []
        /// Called when the first attempt is launched.
        var onLaunch: (@Sendable (OperationHandle, _ attempt: Int) -> Void)?
        /// Since when the live attempt is paused, and the total of earlier pauses.
        var heldSince: Duration?
        var held = Duration.zero
        /// Called when the attempt is paused and when it continues.
        var onHold: (@Sendable (Bool) -> Void)?
        /// The groups that suspend the operation.
        var holds = OperationHolds()
        /// The paused attempts.
        var heldAttempts: [UInt64: CheckedContinuation<Void, any Error>] = [:]
        /// The waiters for the end other than tasks.
        var otherWaiters = OtherWaiters()
        /// Delivers the elements of a stream to its reader.
        var deliver: (@Sendable (AnyProduct) async throws -> Void)?
        /// The shared request that the live attempt waits for.
        weak var shared: OperationHandle?
        /// The links to groups, if there are any.
        var links: GroupLinks?

        /// Takes all remaining waiters at the end.
        func takeRest() -> (
            otherWaiters: OtherWaiters, held: [CheckedContinuation<Void, any Error>]
        ) {
            defer { (otherWaiters, heldAttempts, onHold, onLaunch) = (.init(), [:], nil, nil) }
            return (otherWaiters, Array(heldAttempts.values))
        }
    }
}
