/// The state machine of one operation: an event goes in, the new state and the actions to perform
/// come out. It has no clock, network or lock, so that a test can walk the whole table.
///
/// A *live* attempt has a running task. It stays live while its operation is suspended: it keeps
/// what it has received and continues when the operation runs again. If its connection breaks
/// before that, the next turn begins a new attempt.
package struct OperationMachine: Equatable, Sendable {
    /// The state of the operation. The time of `waiting` is one of the engine's clock.
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

    /// An event in the life of an operation.
    enum Event: Equatable, Sendable {
        /// The operation is started.
        case start
        /// Its turn has come.
        case slot
        /// Its turn has come, but there is no valid credential.
        case lackCredential
        /// The live attempt produced the value.
        case succeed
        /// The operation has failed: its live attempt failed for good, or something else ended it.
        case fail
        /// The live attempt failed, and another may begin at this time.
        case retry(at: Duration)
        /// The server refused the credential of the live attempt.
        case expire
        /// The live attempt is about to send another request, which needs a turn of its own.
        case ask
        /// The time of the next attempt has come.
        case due
        /// There is a new credential.
        case refreshed
        /// The operation is suspended.
        case suspend
        /// The operation is resumed.
        case resume
        /// The operation is started or resumed before the time of its next attempt, or that time
        /// has changed.
        case delay(until: Duration)
        /// The operation is cancelled.
        case cancel
    }

    /// The actions that the owner of the machine performs, in this order.
    struct Actions: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Pause the live attempt.
        static let pause = Actions(rawValue: 1)
        /// Release the turn, or the place in the line.
        static let leave = Actions(rawValue: 2)
        /// Wait for a turn.
        static let enqueue = Actions(rawValue: 4)
        /// Begin an attempt; its number is the machine's `attempt`.
        static let launch = Actions(rawValue: 8)
        /// Continue the paused attempt.
        static let unpause = Actions(rawValue: 16)
        /// Stop the attempt that was live so far, if it has not ended by itself.
        static let stop = Actions(rawValue: 32)
        /// Deliver the outcome to all waiters. Occurs exactly once.
        static let complete = Actions(rawValue: 64)
    }

    private(set) var phase = Phase.ready
    /// Whether an attempt has a running task.
    private(set) var isLive = false
    /// The number of attempts that have begun.
    var attempt: Int { Int(attempts) }
    private var attempts: UInt32 = 0

    /// Handles an event. An event without meaning in the current state changes nothing: a second
    /// `start`, a `cancel` after the end, a time that has passed.
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
        // The paused attempt has been lost; the next turn begins another.
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

    /// Waiting for a time or for a credential; no attempt is live.
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
