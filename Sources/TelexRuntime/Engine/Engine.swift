import Dispatch
import TelexCredentials
import TelexDiagnosis
import TelexInspection
import TelexJSON
@_spi(Engine) import TelexScheduling
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Carries out what an `EngineMachine` decides.
///
/// A thread with an event passes it to the machine under the lock, and leaves the actions in the
/// machine's list. One thread at a time empties the list, without the lock. So actions are carried
/// out in the order of the decisions, and no foreign code runs inside the lock.
final class Engine: Sendable {
    /// Obtains a new token of a scheme in place of an old one and stores it where the attempts find
    /// it.
    typealias Refresh =
        @Sendable (SchemeKey, _ old: Credential?, EngineReference) async throws -> Void

    /// The refreshes of one scheme.
    struct Refreshing: Sendable {
        /// The last refresh, which may have ended.
        var task: Task<Void, Never>?
        var error: (any Error)?
        /// The credential that the last refresh was to replace.
        var replaced: Credential?
        /// The credential that was refused when the refresh of another scheme used it.
        var refused: Credential?
    }

    struct State {
        var machine: EngineMachine
        var operations = OperationTable<OperationHandle>()
        /// Groups of other engines that have run operations with this engine's token.
        var foreignGroups: [OperationID: OperationReference] = [:]
        /// Operations that are going to be started.
        var upcomingOperations: [ObjectIdentifier: OperationReference] = [:]
        var isPerforming = false
        /// The thread that carries out actions, if any.
        var performer: ThreadID?
        /// The completion closures that have to be called.
        var closures: [@Sendable () -> Void] = []
        var isCallingClosures = false
        /// Lists for reuse.
        var batch = Batch()
        var alarm: Task<Void, Never>?
        var refreshing: [SchemeKey: Refreshing] = [:]
        /// Ends when the engine is released.
        var networkObservation: NetworkObservation?
        /// The last log-in with this engine; see `Credential.login`.
        var login: String?

        /// Passes an event to the machine.
        ///
        /// - Returns: Whether the calling thread has to carry out the actions.
        mutating func take(_ event: EngineMachine.Event, at now: Duration) -> Bool {
            machine.handle(event, at: now)
            guard !isPerforming, machine.hasActions else { return false }
            isPerforming = true
            performer = .current
            return true
        }
    }

    /// Actions, and for each the operation that it concerns.
    struct Batch: Sendable {
        var actions: [EngineMachine.Action] = []
        var operations: [OperationHandle?] = []
    }

    /// The privileged task of this engine that the current task belongs to, if any.
    var privilegedTask: PrivilegedTask? {
        PrivilegedTask.current.flatMap { $0.isOpen(for: self) ? $0 : nil }
    }

    let id = EngineID()
    let clock: RuntimeClock
    let state: Lock<State>
    let refresh: Refresh?
    /// Finds out how far the network reached before a call fails; nil if diagnosis is off.
    let diagnostician: Diagnostician?
    /// Called when a refresh exceeds its time limit, so that the operations stop waiting for it.
    let onRefreshTimeout: (@Sendable (any Error) -> Void)?
    /// The listeners of token requests.
    let tokenEvents: TokenEventScope?
    /// Coalesces equal calls of this engine.
    let coalescer = RequestCoalescer()
    /// The queue of completion closures, so that they do not block the threads of the cooperative
    /// pool.
    let closureQueue = DispatchQueue(label: "TelexRuntime.closures")

    init(
        _ machine: EngineMachine, clock: RuntimeClock = .system, refresh: Refresh? = nil,
        onRefreshTimeout: (@Sendable (any Error) -> Void)? = nil,
        tokenEvents: TokenEventScope? = nil, diagnostician: Diagnostician? = nil
    ) {
        self.tokenEvents = tokenEvents
        self.diagnostician = diagnostician
        self.clock = clock
        self.refresh = refresh
        self.onRefreshTimeout = onRefreshTimeout
        state = Lock(State(machine: machine))
    }

    /// Creates an engine for operations that belong to no API, such as fakes.
    convenience init() {
        self.init(EngineMachine(seed: 0))
    }

    deinit {
        // A refresh is not cancelled, because that could lose the token that it receives.
        state.withLock { $0.alarm }?.cancel()
    }

    /// Observes the conditions of the network from now on. A weak reference slows down each further
    /// use of the engine, so there is none without need.
    func observe(_ network: any NetworkConditions) {
        guard !(network is SystemNetwork) || SystemNetwork.isAvailable else { return }
        let observation = network.observe { [weak self] in self?.send(.networkChanged($0)) }
        state.withLock { $0.networkObservation = observation }
    }

    // MARK: Events

    /// Passes an event to the machine.
    ///
    /// - Parameter operation: The operation of the event, if the engine may not have registered it
    ///   yet. The engine retains it until it has completed.
    /// - Returns: Whether the operation was registered by this call.
    @discardableResult
    func send(_ event: EngineMachine.Event, from operation: OperationHandle? = nil) -> Bool {
        let now = clock.elapsed()
        let (isNew, isPerformer) = state.withLock { state in
            // Inside the lock, so that other events of the operation are ordered before or after
            // this.
            let isNew = operation?.register(at: now) ?? false
            if isNew, let operation {
                state.machine.add(operation.id)
                state.operations[operation.id] = operation
            }
            return (isNew, state.take(event, at: now))
        }
        if isPerformer { performAll(for: operation) }
        return isNew
    }

    // MARK: Questions

    /// The phase of an operation; nil before its start and after its end, when the operation itself
    /// has the state.
    func phase(of id: OperationID) -> (OperationMachine.Phase, attempt: Int)? {
        state.withLock { $0.machine.phase(of: id) }
    }

    /// Whether an attempt is live and the operation's end is still open.
    func isCurrent(_ id: OperationID, attempt: Int) -> Bool {
        state.withLock { $0.machine.isCurrent(id, attempt) }
    }

    /// Whether the operation's end is decided; nil before its start and after its end, when the
    /// operation itself has the state.
    func isSettled(_ id: OperationID) -> Bool? { state.withLock { $0.machine.isSettled(id) } }

    /// What an operation waits for before its next attempt, or waited for until it just ended.
    func wait(of id: OperationID) -> OperationWait { state.withLock { $0.machine.wait(of: id) } }

    /// When an operation with this throttle may start, at the earliest; nil if it may start now.
    func throttleDelay(_ key: SchedulingRequest.ThrottleKey) -> Duration? {
        let now = clock.elapsed()
        return state.withLock { $0.machine.startDelay(key, at: now) }
    }

    /// Whether the last attempt of an operation has failed and is being diagnosed.
    func hasFailed(_ id: OperationID) -> Bool {
        state.withLock { $0.machine.hasFailed(id) }
    }

    /// The operations among these whose deadline is reached by this time, in order of creation.
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
        // Operations that have ended are removed a little later.
        return all.filter { !$0.isShared && !$0.state.isTerminal }.sorted { $0.id < $1.id }
    }

    /// Cancels the operations that satisfy a predicate, and everything that they run.
    func cancel(where isUnwanted: (OperationHandle) -> Bool) {
        Self.cancel(in: [self], where: isUnwanted)
    }

    /// Cancels the operations of several engines that satisfy a predicate, and everything that they
    /// run.
    static func cancel(in engines: [Engine], where isUnwanted: (OperationHandle) -> Bool) {
        for operation in engines.flatMap(\.upcomingOperations).filter(isUnwanted) {
            operation.cancel()
        }
        cancel(engines.flatMap(\.operations).filter(isUnwanted))
    }

    /// Cancels operations that have been started, everything that they run, and the requests that
    /// only they share. All operations of an engine are cancelled in one event, so that cancelling
    /// one does not start another.
    static func cancel(_ operations: [OperationHandle]) {
        let all = operations.flatMap(\.tree)
        for (_, some) in Dictionary(grouping: all, by: { $0.engine.id }) {
            guard let engine = some.first?.engine else { continue }
            let ids = some.map(\.id)
            engine.send(.cancelAll(ids + engine.coalescer.take(onlyFor: Set(ids))))
        }
    }

    /// Whether this thread is carrying out actions. As long as code called from here runs, the
    /// engine's other actions wait.
    var isPerformedHere: Bool {
        state.withLock { $0.isPerforming && $0.performer == .current }
    }

    /// Why the last refresh of a scheme failed.
    func refreshError(of scheme: SchemeKey = .login) -> (any Error)? {
        state.withLock { $0.refreshing[scheme]?.error }
    }

    /// Whether nothing is left: no operation, no action, no timer.
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
