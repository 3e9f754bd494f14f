import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Carries out what an `EngineMachine` decides.
///
/// Whoever brings an event takes it to the machine under the lock and leaves the actions in the
/// machine's list; one thread at a time empties the list, without the lock. So actions are carried
/// out in the order of the decisions, and no foreign code runs while the lock is held.
final class Engine: Sendable {
    /// Gets a new credential in place of an old one and keeps it where the attempts find it.
    typealias Refresh = @Sendable (_ old: Credential?) async throws -> Void

    struct State {
        var machine: EngineMachine
        var operations = OperationTable<OperationHandle>()
        /// Groups of other engines that have run what carries this one's token.
        var foreignGroups: [OperationID: OperationReference] = [:]
        /// Operations that somebody will start.
        var expected: [ObjectIdentifier: OperationReference] = [:]
        var isPerforming = false
        /// The thread that carries out what follows, while one does.
        var performer: ThreadID?
        /// What calls the closures that wait for ends.
        var closures: [@Sendable () -> Void] = []
        var isCallingClosures = false
        /// Lists that nobody uses at the moment.
        var batch = Batch()
        var alarm: Task<Void, Never>?
        var refresh: Task<Void, Never>?
        var refreshError: (any Error)?
        /// What the last refresh was to put another in the place of.
        var wornOut: Credential?
        /// Who has logged in last with this engine; see `Credential.login`.
        var login: String?

        /// Takes an event to the machine.
        ///
        /// - Returns: Whether it is up to whoever asks to carry out what follows.
        mutating func take(_ event: EngineMachine.Event, at now: Duration) -> Bool {
            machine.handle(event, at: now)
            guard !isPerforming, !machine.actions.isEmpty else { return false }
            isPerforming = true
            performer = .current
            return true
        }
    }

    /// What is to be done, and by whom.
    struct Batch: Sendable {
        var actions: [EngineMachine.Action] = []
        var operations: [OperationHandle?] = []
    }

    /// The errand of this engine's that this task runs, if it does.
    var privilegedTask: PrivilegedTask? {
        PrivilegedTask.current.flatMap { $0.isOpen(for: self) ? $0 : nil }
    }

    let id = EngineID()
    let clock: RuntimeClock
    let state: Mutex<State>
    let refresh: Refresh?
    /// Finds out how far the network reached before a call fails; nil if nobody can.
    let diagnostician: Diagnostician?
    /// Is told that nobody waits for a refresh any more, which takes too long.
    let onRefreshTimeout: (@Sendable (any Error) -> Void)?
    /// What its calls share.
    let coalescer = RequestCoalescer()
    /// Where closures that wait for ends are called: on none of the few threads that tasks run on.
    let closureQueue = DispatchQueue(label: "TelexRuntime.closures")

    init(
        _ machine: EngineMachine, clock: RuntimeClock = .system, refresh: Refresh? = nil,
        onRefreshTimeout: (@Sendable (any Error) -> Void)? = nil,
        diagnostician: Diagnostician? = nil
    ) {
        self.diagnostician = diagnostician
        self.clock = clock
        self.refresh = refresh
        self.onRefreshTimeout = onRefreshTimeout
        state = Mutex(State(machine: machine))
    }

    /// An engine for operations that belong to no API: fakes.
    convenience init() {
        self.init(EngineMachine(seed: 0))
    }

    deinit {
        // A refresh is left to end: cancelled midway, it could lose the token that it was given.
        state.withLock { $0.alarm }?.cancel()
    }

    // MARK: Events

    /// Takes an event to the machine.
    ///
    /// - Parameter operation: What the event is about, if the engine may not know it yet. It is held
    ///   until it has completed.
    /// - Returns: Whether the engine had not heard of the operation before.
    @discardableResult
    func send(_ event: EngineMachine.Event, from operation: OperationHandle? = nil) -> Bool {
        let now = clock.elapsed()
        let (isNew, isMine) = state.withLock { state in
            // Under the lock: whatever else happens to the operation comes before this, or after it.
            let isNew = operation?.register(at: now) ?? false
            if isNew, let operation {
                state.machine.add(operation.id)
                state.operations[operation.id] = operation
            }
            return (isNew, state.take(event, at: now))
        }
        if isMine { performAll(for: operation) }
        return isNew
    }

    // MARK: Questions

    /// The phase of an operation; nil before its start and after its end, when it knows better
    /// itself.
    func phase(of id: OperationID) -> (OperationMachine.Phase, attempt: Int)? {
        state.withLock { $0.machine.phase(of: id) }
    }

    /// Whether an attempt is live, and it is not settled how its operation ends.
    func isCurrent(_ id: OperationID, attempt: Int) -> Bool {
        state.withLock { $0.machine.isCurrent(id, attempt) }
    }

    /// Whether it is settled how an operation ends; nil before its start and after its end, when it knows
    /// better itself.
    func isSettled(_ id: OperationID) -> Bool? { state.withLock { $0.machine.isSettled(id) } }

    /// What an operation waits for before its next attempt, or did until it ended a moment ago.
    func wait(of id: OperationID) -> OperationWait { state.withLock { $0.machine.wait(of: id) } }

    /// Whether the last attempt of an operation has failed, and is looked into.
    func hasFailed(_ id: OperationID) -> Bool {
        state.withLock { $0.machine.verdicts[id] == .attempt }
    }

    /// Those of these operations whose time is over by a moment, in the order in which they were made.
    func operations(_ ids: Set<OperationID>, overBy moment: Duration) -> [OperationHandle] {
        state.withLock { state in
            ids.filter { state.machine.isOver($0, by: moment) }.sorted().compactMap {
                state.operations[$0]
            }
        }
    }

    /// The operations that have been started and have not ended.
    var operations: [OperationHandle] {
        let all = state.withLock { $0.operations.values }
        // What has ended is taken out a moment later.
        return all.filter { !$0.isShared && !$0.state.isTerminal }.sorted { $0.id < $1.id }
    }

    /// Cancels the operations that a closure picks out, and what runs inside of them.
    func cancel(where isUnwanted: (OperationHandle) -> Bool) {
        Self.cancel(in: [self], where: isUnwanted)
    }

    /// Cancels the operations of several engines that a closure picks out, and what runs inside of them.
    static func cancel(in engines: [Engine], where isUnwanted: (OperationHandle) -> Bool) {
        for operation in engines.flatMap(\.expected).filter(isUnwanted) { operation.cancel() }
        cancel(engines.flatMap(\.operations).filter(isUnwanted))
    }

    /// Cancels operations that have been started, and what runs inside of them, all of an engine
    /// together, with the requests that nobody else shares: none of them begins because another has
    /// made room.
    static func cancel(_ operations: [OperationHandle]) {
        let all = operations.flatMap(\.tree)
        for (_, some) in Dictionary(grouping: all, by: { $0.engine.id }) {
            guard let engine = some.first?.engine else { continue }
            let ids = some.map(\.id)
            engine.send(.cancelAll(ids + engine.coalescer.take(onlyFor: Set(ids))))
        }
    }

    /// Whether this thread carries out what follows from events: whoever it calls keeps the engine from
    /// going on.
    var isPerformedHere: Bool {
        state.withLock { $0.isPerforming && $0.performer == .current }
    }

    /// Why the last refresh failed.
    var refreshError: (any Error)? { state.withLock { $0.refreshError } }

    /// Whether nothing is left of all that was run.
    var isIdle: Bool {
        state.withLock { $0.machine.isIdle && $0.operations.isEmpty && !$0.isPerforming }
    }

    /// The public form of a phase.
    func state(_ phase: OperationMachine.Phase, attempt: Int) -> OperationState {
        switch phase {
        case .ready: .ready
        case .queued: .queued
        case .running: .running(attempt: attempt)
        case .waiting(let moment): .waiting(until: date(of: moment))
        case .postponed: .postponed
        case .suspended: .suspended
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }

    func date(of moment: Duration) -> Date {
        let wait = moment - clock.elapsed()
        return clock.now().addingTimeInterval(wait / .seconds(1))
    }
}
