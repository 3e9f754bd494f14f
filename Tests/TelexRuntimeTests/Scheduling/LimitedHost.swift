@testable import TelexRuntime
@testable import TelexScheduling

/// A server that limits the rate of requests, with calls to it over a few connections, and an
/// engine machine with a virtual clock.
struct LimitedHost {
    /// How the server counts.
    enum Counting: CaseIterable {
        /// A token bucket.
        case bucket
        /// In windows of a second, the first of which begins with the first request.
        case window
        /// In every second, wherever it begins.
        case everySecond
    }

    /// The `Retry-After` of a refusal.
    enum RetryAfter: CaseIterable { case wholeSeconds, exact, none }

    private enum Event {
        case arrive(OperationID, attempt: Int)
        case reply(OperationID, attempt: Int, refusedFor: Duration?)
    }

    let rate: RequestRate
    var counting = Counting.bucket
    var retryAfter = RetryAfter.wholeSeconds
    var latency = Duration.milliseconds(40)
    /// How many requests are on their way at once; the others wait in the transport.
    var connections = Int.max
    private(set) var machine: EngineMachine
    private(set) var now = Duration.zero
    private(set) var requests = 0
    /// The ends of the calls that succeeded.
    private(set) var successes: [Duration] = []
    private var accepted: [Duration] = []
    private var wake: Duration?
    private var events: [(moment: Duration, event: Event)] = []
    private var waiting: [(OperationID, attempt: Int)] = []
    private var busy = 0
    private var random: SeededRandom

    init(_ rate: RequestRate, client: TrafficLimits = TrafficLimits(), seed: UInt64 = 7) {
        self.rate = rate
        machine = EngineMachine(traffic: client, seed: seed)
        random = SeededRandom(seed: seed)
    }

    /// Starts calls at the same time, and goes on until all have ended.
    mutating func run(calls: UInt64) {
        for number in 1...calls {
            let scheduling = SchedulingRequest(
                slot: .init(host: "a.test"), retry: .standard, mayRepeat: true,
                longestPause: .seconds(300))
            machine.add(OperationID(number: number))
            send(.start(OperationID(number: number), scheduling, isBlocked: false))
        }
        while let moment = [events.first?.moment, wake].compactMap(\.self).min() {
            now = max(now, moment)
            guard events.first?.moment != moment else {
                handle(events.removeFirst().event)
                continue
            }
            wake = nil
            // Alarms are late.
            now += .milliseconds(1)
            send(.tick)
        }
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .arrive(let id, let attempt):
            requests += 1
            let wait = takePlace()
            later(.reply(id, attempt: attempt, refusedFor: wait))
        case .reply(let id, let attempt, let wait):
            busy -= 1
            connect()
            if let wait {
                refuse(id, attempt, wait)
            } else {
                send(.attemptSucceeded(id, attempt: attempt))
            }
        }
    }

    private mutating func refuse(_ id: OperationID, _ attempt: Int, _ wait: Duration) {
        let told: Duration? =
            switch retryAfter {
            case .wholeSeconds: .seconds(max(1, Int((wait / .seconds(1)).rounded(.up))))
            case .exact: wait
            case .none: nil
            }
        var failure = AttemptFailure(.retry(after: told), "status 429")
        failure.isRateLimited = told != nil
        failure.hostWait = told ?? RetryPolicy.standard.backoff.initial
        if let told { send(.pauseHost("a.test", told)) }
        send(.attemptFailed(id, attempt: attempt, failure))
    }

    /// Accepts a request, or returns how long the client has to wait.
    private mutating func takePlace() -> Duration? {
        let opening = opening
        if opening > now { return opening - now }
        accepted.append(now)
        return nil
    }

    /// When the server accepts the next request.
    private var opening: Duration {
        let (count, second) = (rate.requests, Duration.seconds(1))
        switch counting {
        case .bucket:
            let spacing = rate.interval / count
            let filled = accepted.reduce(.zero) { max($0, $1) + spacing }
            return filled - spacing * ((rate.burst ?? 1) - 1)
        case .everySecond:
            return accepted.count < count ? .zero : accepted[accepted.count - count] + second
        case .window:
            guard var start = accepted.first else { return .zero }
            for moment in accepted where moment >= start + second { start = moment }
            return accepted.count { $0 >= start } < count ? .zero : start + second
        }
    }

    private mutating func send(_ event: EngineMachine.Event) {
        machine.handle(event, at: now)
        var actions: [EngineMachine.Action] = []
        machine.takeActions(into: &actions)
        for action in actions {
            switch action {
            case .launch(let id, let attempt):
                waiting.append((id, attempt))
                connect()
            case .complete(let id, let ending):
                if ending == .succeeded { successes.append(now) }
                machine.remove(id)
            case .wake(let moment): wake = min(wake ?? moment, moment)
            default: break
            }
        }
    }

    private mutating func connect() {
        while busy < connections, !waiting.isEmpty {
            busy += 1
            let (id, attempt) = waiting.removeFirst()
            later(.arrive(id, attempt: attempt))
        }
    }

    /// Lets something happen after half a latency, more or less.
    private mutating func later(_ event: Event) {
        let moment = now + latency / 2 * Double.random(in: 0.7...1.3, using: &random)
        let index = events.firstIndex { $0.moment > moment } ?? events.endIndex
        events.insert((moment, event), at: index)
    }
}
