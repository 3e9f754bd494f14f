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

    private struct State {
        var machine: EngineMachine
        var runners: [OperationID: any OperationRunner] = [:]
        var isPerforming = false
        var alarm: Task<Void, Never>?
        var refresh: Task<Void, Never>?
        var refreshError: (any Error)?
    }

    /// The engine whose refresh this task is: what is started in it must not wait for its end.
    @TaskLocal private static var refreshing: ObjectIdentifier?

    /// Whether this task gets a new credential for this engine.
    var isRefreshing: Bool { Self.refreshing == ObjectIdentifier(self) }

    let clock: RuntimeClock
    private let state: Mutex<State>
    private let refresh: Refresh?

    init(_ machine: EngineMachine, clock: RuntimeClock = .system, refresh: Refresh? = nil) {
        self.clock = clock
        self.refresh = refresh
        state = Mutex(State(machine: machine))
    }

    /// An engine for operations that belong to no API: fakes.
    convenience init() {
        self.init(EngineMachine(seed: 0))
    }

    deinit {
        state.withLock { state in
            state.alarm?.cancel()
            state.refresh?.cancel()
        }
    }

    // MARK: Events

    func send(_ event: EngineMachine.Event) {
        send(event, runner: nil, for: nil)
    }

    /// Starts or ends an operation, which is held until it has completed.
    func send(_ event: EngineMachine.Event, of id: OperationID, _ runner: any OperationRunner) {
        send(event, runner: runner, for: id)
    }

    private func send(
        _ event: EngineMachine.Event, runner: (any OperationRunner)?, for id: OperationID?
    ) {
        let now = clock.elapsed()
        let isMine = state.withLock { state in
            if let id, let runner, state.machine.phase(of: id) != nil { state.runners[id] = runner }
            state.machine.handle(event, at: now)
            guard !state.isPerforming, !state.machine.actions.isEmpty else { return false }
            state.isPerforming = true
            return true
        }
        if isMine { performAll() }
    }

    // MARK: Questions

    /// The phase of an operation; nil after its end, when it knows better itself.
    func phase(of id: OperationID) -> (OperationMachine.Phase, attempt: Int)? {
        state.withLock { $0.machine.phase(of: id) }
    }

    /// The operations that have been started and have not ended.
    var runners: [any OperationRunner] {
        let all = state.withLock { $0.runners }
        return all.sorted { $0.key < $1.key }.map(\.value).filter { !$0.isShared }
    }

    /// Cancels the operations that a closure picks out.
    func cancel(where isUnwanted: (any OperationHandle) -> Bool) {
        for operation in runners where isUnwanted(operation) { operation.cancel() }
    }

    /// Why the last refresh failed.
    var refreshError: (any Error)? { state.withLock { $0.refreshError } }

    /// Whether nothing is left of all that was run.
    var isIdle: Bool {
        state.withLock { $0.machine.isIdle && $0.runners.isEmpty && !$0.isPerforming }
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
}

extension Engine {
    // MARK: Actions

    /// Carries out actions until there are none.
    private func performAll() {
        var completed: [OperationID] = []
        while let batch = nextBatch(completed) {
            completed.removeAll(keepingCapacity: true)
            for (action, runner) in batch {
                perform(action, runner)
                if case .complete(let id, _) = action { completed.append(id) }
            }
        }
    }

    /// What is to be done, and by whom. Completed operations are forgotten only now that they know
    /// their own end, so that their state can be told at any moment.
    private func nextBatch(
        _ completed: [OperationID]
    ) -> [(EngineMachine.Action, (any OperationRunner)?)]? {
        state.withLock { state in
            for id in completed {
                state.machine.remove(id)
                state.runners[id] = nil
            }
            let actions = state.machine.takeActions()
            state.isPerforming = !actions.isEmpty
            guard state.isPerforming else { return nil }
            return actions.map { ($0, $0.operation.flatMap { state.runners[$0] }) }
        }
    }

    private func perform(_ action: EngineMachine.Action, _ runner: (any OperationRunner)?) {
        switch action {
        case .launch(_, let attempt): runner?.launch(attempt: attempt)
        case .pause: runner?.pause()
        case .unpause: runner?.unpause()
        case .stop: runner?.stop()
        case .complete(_, let ending): runner?.complete(ending)
        case .changed(_, let phase, let attempt): runner?.changed(state(phase, attempt: attempt))
        case .tell(_, let attempt, let decision): runner?.tell(decision, attempt: attempt)
        case .refresh(let number, _): startRefresh(number, runner?.refusedCredential)
        case .stopRefresh: stopRefresh()
        case .wake(let moment): setAlarm(moment)
        }
    }

    private func setAlarm(_ moment: Duration) {
        let alarm = Task.detached { [weak self, clock] in
            guard (try? await clock.sleep(moment)) != nil else { return }
            self?.send(.tick)
        }
        let last = state.withLock { state in
            defer { state.alarm = alarm }
            return state.alarm
        }
        last?.cancel()
    }

    /// The refresh belongs to the engine: whoever needs it may be cancelled, it goes on.
    private func startRefresh(_ number: Int, _ old: Credential?) {
        let task = Task.detached { [weak self, refresh] in
            var failure: (any Error)?
            let engine = self.map(ObjectIdentifier.init)
            do {
                try await Engine.$refreshing.withValue(engine) { try await refresh?(old) }
            } catch { failure = error }
            self?.refreshEnded(number, failure)
        }
        state.withLock { $0.refresh = task }
    }

    private func refreshEnded(_ number: Int, _ error: (any Error)?) {
        state.withLock { state in
            guard state.machine.gate.isRefreshing, state.machine.refreshes == number else { return }
            state.refreshError = error
        }
        send(.refreshEnded(number: number, succeeded: error == nil))
    }

    private func stopRefresh() {
        let task = state.withLock { state in
            state.refreshError = RefreshTimedOut()
            return state.refresh
        }
        task?.cancel()
    }

    func date(of moment: Duration) -> Date {
        let wait = moment - clock.elapsed()
        return clock.now().addingTimeInterval(wait / .seconds(1))
    }
}

/// Getting a new credential took too long.
struct RefreshTimedOut: Error, CustomStringConvertible {
    var description: String { "getting a new credential took too long" }
}

extension EngineMachine.Action {
    /// The operation that it is about.
    var operation: OperationID? {
        switch self {
        case .launch(let id, _), .pause(let id), .unpause(let id), .stop(let id),
            .complete(let id, _), .changed(let id, _, _), .tell(let id, _, _),
            .refresh(_, for: let id):
            id
        case .stopRefresh, .wake: nil
        }
    }
}
