/// Everything that the engine decides, without doing any of it: an event and the time go in,
/// actions come out. No task, no lock, no clock, no network, so that a test can run through millions
/// of schedules, each repeatable by its seed.
///
/// Each operation has an `OperationMachine`, which knows what may follow what. This one knows what
/// lies between operations: turns, rates, retries, time-outs, and the one refresh that many wait for.
package struct EngineMachine: Sendable {
    /// Something that happened.
    package enum Event: Sendable {
        /// Somebody wants the value. One that is an errand is needed to get a new credential, or gives
        /// one back: it cannot wait for a refresh, nor for those who do.
        case start(OperationID, SchedulingRequest, isBlocked: Bool, isErrand: Bool = false)
        /// What the operation had to wait for first has ended.
        case unblock(OperationID)
        /// Somebody more urgent wants it, too.
        case raise(OperationID, to: CallPriority)
        /// Another call shares it, which needs no start of its own.
        case join(OperationID, SchedulingRequest.ThrottleKey)
        case suspend(OperationID)
        case resume(OperationID)
        case cancel(OperationID)
        /// Together: nobody's turn comes because another of them has gone.
        case cancelAll([OperationID])
        case fail(OperationID)
        /// The operation fails with the attempt of another that it has waited for: as soon as it is known
        /// how far the network reached for that.
        case giveUp(OperationID)
        /// A live attempt can tell what may follow it if its time runs out.
        case attemptProgressed(OperationID, attempt: Int, AttemptProgress)
        /// A live attempt sends another request: a redirect led it on, or an interceptor sends it again.
        case attemptSends(OperationID, attempt: Int)
        /// A live attempt is about to send another request, and waits for a turn if it does not already.
        /// Its standing says so too.
        case attemptAsks(OperationID, attempt: Int)
        case attemptSucceeded(OperationID, attempt: Int)
        case attemptFailed(OperationID, attempt: Int, AttemptFailure)
        /// It is known how far the network reached for the last attempt, as far as that can be found
        /// out.
        case attemptExamined(OperationID)
        /// - Parameter pause: For how long nobody may ask for another; nil if anybody may.
        case refreshEnded(number: Int, succeeded: Bool, pause: Duration? = nil)
        /// Somebody has logged in anew, so that there was nobody to refresh a credential for.
        case refreshSuperseded(number: Int)
        /// The store has a newer credential, by no refresh of this engine's.
        case foundNewer
        /// Whoever the refresh under way is for has logged out.
        case loggedOut
        /// Somebody has logged in, without the refresh under way.
        case loggedIn
        /// A host asked not to be called for some time.
        case pauseHost(String, Duration)
        /// A host advises not to be called for some time; nil if it may be called again.
        case adviseHost(String, Duration?)
        /// A moment that was asked for has come.
        case tick
    }

    /// Something to do.
    package enum Action: Sendable {
        case launch(OperationID, attempt: Int)
        case pause(OperationID)
        case unpause(OperationID)
        /// Stop the live attempt, if it has not ended by itself: another will follow it. It failed so,
        /// unless that is `attempt`.
        case stop(OperationID, EngineFailure)
        /// The attempt of an operation failed, and there is none before this moment: who shares it, and
        /// has no time left by then, need not wait.
        case waits(OperationID, until: Duration)
        /// Stop the live attempt unless it has ended, and find out how far the network reached for it;
        /// `attemptExamined` says that this has been done. Its operation will fail so, whatever else
        /// ends it meanwhile; and it is not sent again.
        case examine(OperationID, EngineFailure)
        case complete(OperationID, Ending)
        /// Get a new credential in place of the one that this operation was refused.
        case refresh(number: Int, for: OperationID)
        /// Nobody waits for the refresh any more; it may still end.
        case abandonRefresh
        /// The state of an operation changed, and not to its last.
        case changed(OperationID, OperationMachine.Phase, attempt: Int)
        case tell(OperationID, attempt: Int, EngineDecision)
        /// Ask again at this moment, at the latest.
        case wake(at: Duration)
    }

    /// How an operation ended.
    package enum Ending: Sendable, Equatable {
        case succeeded
        case failed(EngineFailure)
        case cancelled
    }

    var entries = OperationTable<Entry>()
    /// What is known of the attempts of the few that said so: transfers that came forward.
    var attemptProgress = OperationTable<AttemptProgress>()
    /// How those will fail that are looked into.
    var verdicts = OperationTable<EngineFailure>()
    var scheduler: Scheduler
    var credentialGate: CredentialGate
    var budget = RetryBudget()
    var timers = TimerHeap()
    var throttles = Throttles()
    var random: SeededRandom
    /// What is to be done and has not been taken.
    var actions: [Action] = []
    var now = Duration.zero
    /// How many refreshes there have been.
    var refreshes = 0
    let refreshTimeout: Duration?
    /// Whether anybody can find out how far the network reached.
    let canExamine: Bool
    private var wake: Duration?

    package init(
        traffic: TrafficLimits = TrafficLimits(), queues: [QueueRules] = [],
        canRefresh: Bool = false, refreshTimeout: Duration? = nil, canExamine: Bool = false,
        seed: UInt64
    ) {
        self.canExamine = canExamine
        self.refreshTimeout = refreshTimeout
        scheduler = Scheduler(traffic, queues: queues, seed: ~seed)
        credentialGate = CredentialGate(canRefresh: canRefresh)
        random = SeededRandom(seed: seed)
    }

    /// How many moments it has set itself; some may no longer matter.
    package var alarmCount: Int { timers.count }

    /// Whether nothing is left: no operation, no turn, no alarm that matters.
    package var isIdle: Bool {
        entries.isEmpty && attemptProgress.isEmpty && verdicts.isEmpty && scheduler.isIdle
            && !credentialGate.isRefreshing && throttles.isIdle
    }

    package func phase(of id: OperationID) -> (OperationMachine.Phase, attempt: Int)? {
        entries[id].map { ($0.machine.phase, $0.machine.attempt) }
    }

    /// Takes in an event; `takeActions` tells what to do about it.
    package mutating func handle(_ event: Event, at now: Duration) {
        self.now = max(self.now, now)
        let startedOperation = startedOperation(event)
        take(event)
        ringAlarms()
        startDelayed()
        giveTurns()
        // Worth telling only of one that really has to wait.
        if let startedOperation, let entry = entries[startedOperation],
            entry.machine.phase == .queued
        {
            let reason =
                entry.isBlocked
                ? "other operations come first" : scheduler.queueReason(startedOperation, at: now)
            tell(startedOperation, 0, .queued(reason: reason))
        }
        setWake()
    }

    /// The operation that is started for the first time, if one is.
    private func startedOperation(_ event: Event) -> OperationID? {
        guard case .start(let id, _, _, _) = event, entries[id]?.machine.phase == .ready else {
            return nil
        }
        return id
    }

    /// Puts everything that is to be done, in its order, in the place of what is in the list. Who
    /// takes again and again needs but one list.
    package mutating func takeActions(into list: inout [Action]) {
        list.removeAll(keepingCapacity: list.count <= 1024)
        swap(&actions, &list)
    }

    /// Takes in an operation, which events may be about from now on.
    package mutating func add(_ id: OperationID) {
        entries[id] = Entry()
    }

    /// Drops an operation that has completed.
    package mutating func remove(_ id: OperationID) {
        entries[id] = nil
        attemptProgress.removeValue(of: id)
        verdicts.removeValue(of: id)
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .start(let id, let scheduling, let isBlocked, let isErrand):
            start(id, scheduling, isBlocked: isBlocked, isErrand: isErrand)
        case .unblock(let id): unblock(id)
        case .raise(let id, let priority): raise(id, to: priority)
        case .join(let id, let key): makeWay(for: id, key)
        case .suspend(let id): suspend(id)
        case .resume(let id): goOn(id)
        case .cancel(let id): feed(id, .cancel)
        case .cancelAll(let ids): for id in ids { feed(id, .cancel) }
        case .fail(let id): feed(id, .fail)
        case .giveUp(let id): giveUp(id, .attempt)
        case .attemptProgressed(let id, let attempt, let attemptProgress)
        where isCurrent(id, attempt):
            noteProgress(id, attemptProgress)
        case .attemptSends(let id, let attempt) where isCurrent(id, attempt):
            scheduler.recordRequest(id, at: now)
        case .attemptAsks(let id, let attempt) where isCurrent(id, attempt): feed(id, .ask)
        case .attemptSucceeded(let id, let attempt) where isCurrent(id, attempt):
            succeeded(id)
        case .attemptFailed(let id, let attempt, let failure) where isCurrent(id, attempt):
            attemptFailed(id, failure)
        case .attemptProgressed, .attemptSends, .attemptAsks, .attemptSucceeded, .attemptFailed:
            break
        case .attemptExamined(let id): examined(id)
        case .refreshEnded(let number, let succeeded, let pause):
            refreshEnded(number, succeeded, pause: pause)
        case .refreshSuperseded(let number): refreshSuperseded(number)
        case .foundNewer: credentialGate.noteNewer(at: now)
        case .loggedOut: loggedOut()
        case .loggedIn: endWaiting(withNewCredential: true)
        case .pauseHost(let host, let time): pause(host, for: time)
        case .adviseHost(let host, let time): scheduler.advise(host, time, at: now)
        case .tick: wake = nil
        }
    }

    /// Whether an attempt is the live one, and it is not settled how its operation ends; what others
    /// still say is of no interest.
    package func isCurrent(_ id: OperationID, _ attempt: Int) -> Bool {
        guard let entry = entries[id], !verdicts.contains(id) else { return false }
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
