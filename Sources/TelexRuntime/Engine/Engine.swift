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
        var runners = OperationTable<any OperationRunner>()
        var isPerforming = false
        /// Lists that nobody uses at the moment.
        var batch = Batch()
        var alarm: Task<Void, Never>?
        var refresh: Task<Void, Never>?
        var refreshError: (any Error)?
    }

    /// What is to be done, and by whom.
    private struct Batch: Sendable {
        var actions: [EngineMachine.Action] = []
        var runners: [(any OperationRunner)?] = []
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
        // A refresh is left to end: cancelled midway, it could lose the token that it was given.
        state.withLock { $0.alarm?.cancel() }
    }

    // MARK: Events

    /// - Parameter runner: The operation, if this is the first that the engine hears of it. It is
    ///   held until it has completed.
    func send(_ event: EngineMachine.Event, ofNew runner: (any OperationRunner)? = nil) {
        let now = clock.elapsed()
        let isMine = state.withLock { state in
            if let runner {
                state.machine.add(runner.id)
                state.runners[runner.id] = runner
            }
            state.machine.handle(event, at: now)
            guard !state.isPerforming, !state.machine.actions.isEmpty else { return false }
            state.isPerforming = true
            return true
        }
        if isMine { performAll() }
    }

    // MARK: Questions

    /// The phase of an operation; nil before its start and after its end, when it knows better
    /// itself.
    func phase(of id: OperationID) -> (OperationMachine.Phase, attempt: Int)? {
        state.withLock { $0.machine.phase(of: id) }
    }

    /// The operations that have been started and have not ended.
    var runners: [any OperationRunner] {
        let all = state.withLock { Array($0.runners.values) }
        return all.filter { !$0.isShared }.sorted { $0.id < $1.id }
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
        var batch = Batch()
        state.withLock { swap(&batch, &$0.batch) }
        var ended: [any OperationRunner] = []
        while next(&batch, after: ended) {
            for runner in ended { runner.announceEnd() }
            ended.removeAll(keepingCapacity: true)
            for (action, runner) in zip(batch.actions, batch.runners) {
                perform(action, runner)
                if case .complete = action, let runner { ended.append(runner) }
            }
        }
        // Whoever waited for them finds nothing left to do here.
        for runner in ended { runner.announceEnd() }
    }

    /// Gets what is to be done next.
    ///
    /// - Parameter ended: Operations that have completed. They are forgotten only now that they know
    ///   their own end, so that their state can be told at any moment.
    /// - Returns: Whether there is anything.
    private func next(_ batch: inout Batch, after ended: [any OperationRunner]) -> Bool {
        batch.runners.removeAll(keepingCapacity: batch.runners.count <= 1024)
        return state.withLock { state in
            for runner in ended {
                state.machine.remove(runner.id)
                state.runners[runner.id] = nil
            }
            state.machine.takeActions(into: &batch.actions)
            for action in batch.actions {
                batch.runners.append(action.operation.flatMap { state.runners[$0] })
            }
            state.isPerforming = !batch.actions.isEmpty
            if !state.isPerforming { swap(&batch, &state.batch) }
            return state.isPerforming
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
        case .abandonRefresh: state.withLock { $0.refreshError = RefreshTimedOut() }
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
    ///
    /// It goes on even if it takes longer than anybody waits. A server may have put a new refresh
    /// token in the place of the old one by then (RFC 6749, section 6; RFC 9700, section 4.14.2), and
    /// has told it only in the reply that is on its way: to drop that is to be logged out. So the
    /// next refresh waits for the end of this one, and finds in the store what it has brought.
    private func startRefresh(_ number: Int, _ old: Credential?) {
        let last = state.withLock { $0.refresh }
        let task = Task.detached { [weak self, refresh] in
            await last?.value
            // Meanwhile those who wanted this one may have given up as well.
            guard self?.isAwaited(number) == true else { return }
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
            if state.machine.isAwaiting(number) { state.refreshError = error }
        }
        send(.refreshEnded(number: number, succeeded: error == nil))
    }

    /// Whether a refresh has not taken too long yet.
    private func isAwaited(_ number: Int) -> Bool {
        state.withLock { $0.machine.isAwaiting(number) }
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
        case .abandonRefresh, .wake: nil
        }
    }
}
