/// The rules of an operation's life, and nothing else: an event goes in, the new state and the
/// actions to carry out come out. No clock, no network, no lock, so a test can walk the whole table.
///
/// An attempt that is *live* has a task at work. It stays live while its operation is suspended:
/// what it has received is kept, and it goes on when the operation runs again. If its connection
/// breaks meanwhile, the next turn begins a new attempt.
package struct OperationMachine: Equatable, Sendable {
    /// Where the operation is. The moment of `waiting` is one of the engine's clock.
    package enum Phase: Equatable, Hashable, Sendable {
        case ready, queued, running, postponed, suspended, succeeded, failed, cancelled
        case waiting(until: Duration)

        package var isTerminal: Bool {
            switch self {
            case .succeeded, .failed, .cancelled: true
            default: false
            }
        }
    }

    /// What can happen to an operation.
    enum Event: Equatable, Sendable {
        /// Somebody wants the value.
        case start
        /// Its turn has come.
        case slot
        /// Its turn has come, but there is no good credential to go with.
        case lackCredential
        /// The live attempt produced the value.
        case succeed
        /// The operation is over: its live attempt failed for good, or something else ended it.
        case fail
        /// The live attempt failed, and another one may be made at this moment.
        case retry(at: Duration)
        /// The live attempt found out that the credential is no longer good.
        case expire
        /// The live attempt is about to send another request, which waits for a turn as any other.
        case ask
        /// The moment of the next attempt has come.
        case due
        /// There is a new credential.
        case refreshed
        /// Somebody wants it to stop for a while.
        case suspend
        /// Somebody wants it to go on.
        case resume
        /// Somebody wants the value, or wants it to go on, and the moment of its next attempt is still to
        /// come; or that moment is another now.
        case delay(until: Duration)
        /// Somebody no longer wants the value.
        case cancel
    }

    /// What the owner of the machine has to do, in the order in which it stands here.
    struct Actions: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        /// Hold the live attempt.
        static let pause = Actions(rawValue: 1)
        /// Give up the turn, or the place among those that wait for one.
        static let leave = Actions(rawValue: 2)
        /// Wait for a turn.
        static let enqueue = Actions(rawValue: 4)
        /// Begin an attempt, whose number is that of the machine.
        static let launch = Actions(rawValue: 8)
        /// Let the live attempt go on.
        static let unpause = Actions(rawValue: 16)
        /// Stop the attempt that was live until now, if it has not ended by itself.
        static let stop = Actions(rawValue: 32)
        /// Give the outcome to everyone who waits. Happens once in a life.
        static let complete = Actions(rawValue: 64)
    }

    private(set) var phase = Phase.ready
    /// Whether an attempt has a task at work.
    private(set) var isLive = false
    /// How many attempts have been begun.
    var attempt: Int { Int(attempts) }
    private var attempts: UInt32 = 0

    /// Takes in an event. An event that means nothing in the present state changes nothing:
    /// a second `start`, a `cancel` after the end, a moment that has passed.
    mutating func handle(_ event: Event) -> Actions {
        switch phase {
        case .ready: whenReady(event)
        case .queued: whenQueued(event)
        case .running: whenRunning(event)
        case .waiting, .postponed: whenIdle(event)
        case .suspended: whenSuspended(event)
        case .succeeded, .failed, .cancelled: []
        }
    }

    private mutating func whenReady(_ event: Event) -> Actions {
        switch event {
        case .start: move(to: .queued, [.enqueue])
        case .delay(let moment): move(to: .waiting(until: moment), [])
        case .fail: end(.failed)
        case .cancel: end(.cancelled)
        default: []
        }
    }

    private mutating func whenQueued(_ event: Event) -> Actions {
        switch event {
        case .slot: run()
        case .lackCredential where !isLive: move(to: .postponed, [.leave])
        case .suspend: move(to: .suspended, [.leave])
        case .succeed: end(.succeeded, [.leave])
        case .fail: end(.failed, [.leave])
        case .cancel: end(.cancelled, [.leave])
        // The attempt that was to go on is lost; the next turn begins another.
        case .retry(let moment) where isLive: lose(to: .waiting(until: moment), [.leave])
        case .expire where isLive: lose(to: .postponed, [.leave])
        default: []
        }
    }

    private mutating func whenRunning(_ event: Event) -> Actions {
        switch event {
        case .succeed: end(.succeeded, [.leave])
        case .fail: end(.failed, [.leave])
        case .retry(let moment): lose(to: .waiting(until: moment), [.leave])
        case .expire: lose(to: .postponed, [.leave])
        case .suspend: move(to: .suspended, [.pause, .leave])
        case .ask: move(to: .queued, [.pause, .leave, .enqueue])
        case .cancel: end(.cancelled, [.leave])
        default: []
        }
    }

    /// Waiting for a moment or for a credential; no attempt is live.
    private mutating func whenIdle(_ event: Event) -> Actions {
        switch (phase, event) {
        case (.waiting, .due), (.postponed, .refreshed): move(to: .queued, [.enqueue])
        case (.waiting, .delay(let moment)): move(to: .waiting(until: moment), [])
        case (_, .suspend): move(to: .suspended, [.leave])
        case (_, .fail): end(.failed)
        case (_, .cancel): end(.cancelled)
        default: []
        }
    }

    private mutating func whenSuspended(_ event: Event) -> Actions {
        switch event {
        case .resume: move(to: .queued, [.enqueue])
        case .delay(let moment) where !isLive: move(to: .waiting(until: moment), [])
        case .succeed where isLive: end(.succeeded)
        case .fail: end(.failed)
        case .retry where isLive, .expire where isLive: lose()
        case .cancel: end(.cancelled)
        default: []
        }
    }

    // MARK: Moves

    private mutating func move(to next: Phase, _ actions: Actions) -> Actions {
        phase = next
        return actions
    }

    private mutating func run() -> Actions {
        phase = .running
        guard !isLive else { return .unpause }
        isLive = true
        attempts += 1
        return .launch
    }

    private mutating func lose(to next: Phase? = nil, _ actions: Actions = []) -> Actions {
        isLive = false
        phase = next ?? phase
        return actions.union(.stop)
    }

    private mutating func end(_ last: Phase, _ actions: Actions = []) -> Actions {
        phase = last
        defer { isLive = false }
        return actions.union(isLive ? [.stop, .complete] : .complete)
    }
}
