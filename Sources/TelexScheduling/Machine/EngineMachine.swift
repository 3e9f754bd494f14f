/// Makes every decision of the engine without carrying any out: an event and the time go in,
/// actions come out. It has no task, lock, clock or network, so that a test can run millions of
/// schedules, each repeatable by its seed.
///
/// Each operation has an `OperationMachine`, which holds its permitted transitions. This machine
/// decides what concerns several operations: turns, rates, retries, time-outs, and the single
/// refresh that many operations share.
package struct EngineMachine: Sendable {
    /// An event that the machine handles.
    package enum Event: Sendable {
        /// The operation is started. A privileged one obtains or revokes a token of the scheme
        /// `privilege`: it must not wait for operations that wait for a refresh.
        case start(OperationID, SchedulingRequest, isBlocked: Bool, privilege: SchemeKey? = nil)
        /// The prerequisites of the operation have ended.
        case unblock(OperationID)
        /// A caller with a higher priority joins the operation.
        case raise(OperationID, to: CallPriority)
        /// Another call joins the operation's request and needs no start of its own.
        case join(OperationID, SchedulingRequest.ThrottleKey)
        case suspend(OperationID)
        case resume(OperationID)
        case cancel(OperationID)
        /// Cancels all of them at once, so that cancelling one does not give another its turn.
        case cancelAll([OperationID])
        case fail(OperationID)
        /// The operation fails because the shared request that it waited for failed, as soon as it
        /// is known how far the network reached for that request.
        case diagnoseThenFail(OperationID)
        /// A live attempt reports its progress, which decides what follows if it times out.
        case attemptProgressed(OperationID, attempt: Int, AttemptProgress)
        /// A live attempt sends another request: after a redirect, or because an interceptor
        /// resends it.
        case attemptSends(OperationID, attempt: Int)
        /// A live attempt is about to send another request, and waits for a turn unless it already
        /// does. `attemptProgressed` reports this too.
        case attemptAsks(OperationID, attempt: Int)
        case attemptSucceeded(OperationID, attempt: Int)
        case attemptFailed(OperationID, attempt: Int, AttemptFailure)
        /// The diagnosis of the last attempt has ended: how far the network reached, as far as that
        /// can be determined.
        case attemptDiagnosed(OperationID)
        /// - Parameter pause: How long no further refresh may be requested; nil for no pause.
        case refreshEnded(number: Int, succeeded: Bool, pause: Duration? = nil)
        /// A new log-in replaced the session, so the refresh had no subject left.
        case refreshSuperseded(number: Int)
        /// The refresh requires a new token of another scheme first.
        case refreshNeeds(SchemeKey, number: Int)
        /// The store of a scheme holds a newer token that this engine did not refresh.
        case foundNewer(SchemeKey)
        /// The session that the current refresh belongs to has logged out.
        case loggedOut
        /// A session logged in independently of the current refresh.
        case loggedIn
        /// A host demanded a pause.
        case pauseHost(String, Duration)
        /// A host advised a pause; nil if it accepts calls again.
        case adviseHost(String, Duration?)
        /// The network has other conditions than before.
        case networkChanged(NetworkStatus)
        /// The time of the last `wake` has come.
        case tick
    }

    /// An action that the engine carries out.
    package enum Action: Sendable {
        case launch(OperationID, attempt: Int)
        case pause(OperationID)
        case unpause(OperationID)
        /// Stops the live attempt, if it has not ended by itself, because another attempt will
        /// follow. The failure is the reason, except for `attempt`, where the attempt's own error
        /// is.
        case stop(OperationID, EngineFailure)
        /// An attempt failed, and the next one begins no earlier than this. Subscribers whose
        /// deadline comes first need not wait.
        case waits(OperationID, until: Duration)
        /// Stops the live attempt unless it has ended, and finds out how far the network reached;
        /// `attemptDiagnosed` reports the end of this. The operation fails with this failure
        /// whatever else happens until then, and is not sent again.
        case diagnose(OperationID, EngineFailure)
        case complete(OperationID, Ending)
        /// Requests a new token of the scheme, because this operation's was refused.
        case refresh(SchemeKey, number: Int, for: OperationID)
        /// No operation waits for the refresh of the scheme any longer; it may still end.
        case abandonRefresh(SchemeKey)
        /// The operation entered another state that is not terminal.
        case changed(OperationID, OperationMachine.Phase, attempt: Int)
        case tell(OperationID, attempt: Int, EngineDecision)
        /// Send `tick` at this time at the latest.
        case wake(at: Duration)
    }

    /// How an operation ended.
    package enum Ending: Sendable, Equatable {
        case succeeded
        case failed(EngineFailure)
        case cancelled
    }

    var entries = OperationTable<Entry>()
    /// The progress of the few attempts that reported any.
    var attemptProgress = OperationTable<AttemptProgress>()
    /// The failures of operations whose last attempt is being diagnosed.
    var pendingFailures = OperationTable<EngineFailure>()
    var scheduler: Scheduler
    /// One gate for each scheme whose token the engine refreshes, that of the log-in first.
    var gates: [CredentialGate]
    var budget = RetryBudget()
    var timers = TimerHeap()
    var throttles = Throttles()
    var random: SeededRandom
    /// The actions that have not been taken yet.
    var actions: [Action] = []
    var now = Duration.zero
    /// The number of refreshes so far, and of those that have ended or are known to be needless.
    var refreshes = 0
    var refreshEnds: UInt32 = 0
    let refreshTimeout: Duration?
    /// Whether the engine can find out how far the network reached.
    let canDiagnose: Bool
    private var wake: Duration?

    /// - Parameters:
    ///   - canRefresh: Whether there is a source of new tokens for the scheme of the log-in.
    ///   - furtherSchemes: The other schemes whose tokens the engine refreshes.
    package init(
        traffic: TrafficLimits = TrafficLimits(), queues: [QueueRules] = [],
        canRefresh: Bool = false, furtherSchemes: [SchemeKey] = [],
        refreshTimeout: Duration? = nil, canDiagnose: Bool = false, seed: UInt64
    ) {
        self.canDiagnose = canDiagnose
        self.refreshTimeout = refreshTimeout
        scheduler = Scheduler(traffic, queues: queues, seed: ~seed)
        gates =
            [CredentialGate(.login, canRefresh: canRefresh)]
            + furtherSchemes.map { CredentialGate($0, canRefresh: true) }
        random = SeededRandom(seed: seed)
    }

    /// The number of timers that are set, including obsolete ones.
    package var timerCount: Int { timers.count }

    package var hasActions: Bool { !actions.isEmpty }

    /// Whether the machine is empty: no operation, no turn, no relevant timer.
    package var isIdle: Bool {
        entries.isEmpty && attemptProgress.isEmpty && pendingFailures.isEmpty && scheduler.isIdle
            && !gates.contains(where: \.isRefreshing) && throttles.isIdle
    }

    package func phase(of id: OperationID) -> (OperationMachine.Phase, attempt: Int)? {
        entries[id].map { ($0.machine.phase, $0.machine.attempt) }
    }

    /// Handles an event; `takeActions` returns the resulting actions.
    package mutating func handle(_ event: Event, at now: Duration) {
        self.now = max(self.now, now)
        let startedOperation = startedOperation(event)
        take(event)
        fireTimers()
        startDelayed()
        giveTurns()
        // Report only operations that really have to wait.
        if let startedOperation, let entry = entries[startedOperation],
            entry.machine.phase == .queued
        {
            let reason =
                entry.isBlocked
                ? "its prerequisites have not ended"
                : scheduler.queueReason(startedOperation, at: now)
            report(.queued(reason: reason), of: startedOperation, attempt: 0)
        }
        setWake()
    }

    /// The operation that the event starts for the first time, if any.
    private func startedOperation(_ event: Event) -> OperationID? {
        guard case .start(let id, _, _, _) = event, entries[id]?.machine.phase == .ready else {
            return nil
        }
        return id
    }

    /// Replaces the list's content with the pending actions, in order. Callers reuse one list to
    /// avoid allocations.
    package mutating func takeActions(into list: inout [Action]) {
        list.removeAll(keepingCapacity: list.count <= 1024)
        swap(&actions, &list)
    }

    /// Registers an operation; events may name it from now on.
    package mutating func add(_ id: OperationID) {
        entries[id] = Entry()
    }

    /// Removes an operation that has completed.
    package mutating func remove(_ id: OperationID) {
        entries[id] = nil
        attemptProgress.removeValue(of: id)
        pendingFailures.removeValue(of: id)
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .start(let id, let scheduling, let isBlocked, let privilege):
            start(id, scheduling: scheduling, isBlocked: isBlocked, privilege: privilege)
        case .unblock(let id): unblock(id)
        case .raise(let id, let priority): raise(id, to: priority)
        case .join(let id, let key): replaceDelayed(for: id, key)
        case .suspend(let id): suspend(id)
        case .resume(let id): resumeOperation(id)
        case .cancel(let id): pass(.cancel, to: id)
        case .cancelAll(let ids): for id in ids { pass(.cancel, to: id) }
        case .fail(let id): pass(.fail, to: id)
        case .diagnoseThenFail(let id): diagnoseThenFail(id, .attempt)
        case .attemptProgressed(let id, let attempt, let attemptProgress)
        where isCurrent(id, attempt):
            noteProgress(id, attemptProgress)
        case .attemptSends(let id, let attempt) where isCurrent(id, attempt):
            scheduler.recordRequest(id, at: now)
        case .attemptAsks(let id, let attempt) where isCurrent(id, attempt): pass(.ask, to: id)
        case .attemptSucceeded(let id, let attempt) where isCurrent(id, attempt):
            succeeded(id)
        case .attemptFailed(let id, let attempt, let failure) where isCurrent(id, attempt):
            attemptFailed(id, failure)
        case .attemptProgressed, .attemptSends, .attemptAsks, .attemptSucceeded, .attemptFailed:
            break
        case .attemptDiagnosed(let id): diagnosisEnded(id)
        case .refreshEnded(let number, let succeeded, let pause):
            refreshEnded(number, succeeded: succeeded, pause: pause)
        case .refreshSuperseded(let number): refreshSuperseded(number)
        case .refreshNeeds(let scheme, let number): refreshNeeds(scheme, number)
        case .foundNewer(let scheme): foundNewer(scheme)
        case .loggedOut: loggedOut()
        case .loggedIn: loggedIn()
        case .pauseHost(let host, let time): pause(host, for: time)
        case .adviseHost(let host, let time): scheduler.advise(host, pause: time, at: now)
        case .networkChanged(let status): scheduler.network = status
        case .tick: wake = nil
        }
    }

    /// Whether the attempt is the live one and the operation's end is still open. Events of other
    /// attempts are ignored.
    package func isCurrent(_ id: OperationID, _ attempt: Int) -> Bool {
        guard let entry = entries[id], !pendingFailures.contains(id) else { return false }
        return entry.machine.isLive && entry.machine.attempt == attempt
    }

    private mutating func setWake() {
        var next = timers.next
        if let opening = scheduler.opening(after: now) { next = min(next ?? opening, opening) }
        guard let next, wake.map({ next < $0 || $0 <= now }) ?? true else { return }
        wake = next
        actions.append(.wake(at: next))
    }
}
