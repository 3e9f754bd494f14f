@testable import TelexRuntime
@testable import TelexScheduling

extension SchemeKey {
    /// The second scheme of the machines in tests.
    static let further = SchemeKey(1)
}

/// An engine machine, and the operations that it launched, in order. Only the test tells it the
/// time.
struct EngineMachineHarness {
    var machine: EngineMachine
    var launched: [UInt64] = []
    var completed: [UInt64: EngineMachine.Ending] = [:]
    /// The schemes of the refreshes, in order.
    var refreshes: [SchemeKey] = []

    init(_ traffic: TrafficLimits = TrafficLimits(), refreshTimeout: Duration? = nil) {
        machine = EngineMachine(
            traffic: traffic, queues: [QueueRules("serial", concurrent: 1)], canRefresh: true,
            furtherSchemes: [.further], refreshTimeout: refreshTimeout, seed: 1)
    }

    mutating func start(
        _ number: UInt64, _ scheduling: SchedulingRequest, isBlocked: Bool = false,
        at now: Duration = .zero
    ) {
        machine.add(OperationID(number: number))
        send(.start(OperationID(number: number), scheduling, isBlocked: isBlocked), at: now)
    }

    mutating func startErrand(_ number: UInt64, _ scheduling: SchedulingRequest) {
        machine.add(OperationID(number: number))
        send(.start(OperationID(number: number), scheduling, isBlocked: false, privilege: .login))
    }

    mutating func succeed(_ number: UInt64, attempt: Int = 1) {
        send(.attemptSucceeded(OperationID(number: number), attempt: attempt))
    }

    mutating func fail(_ number: UInt64, attempt: Int = 1, _ failure: AttemptFailure) {
        send(.attemptFailed(OperationID(number: number), attempt: attempt, failure))
    }

    mutating func send(_ event: EngineMachine.Event, at now: Duration = .zero) {
        machine.handle(event, at: now)
        var actions: [EngineMachine.Action] = []
        machine.takeActions(into: &actions)
        for action in actions {
            if case .launch(let id, _) = action { launched.append(id.number) }
            if case .refresh(let scheme, _, _) = action { refreshes.append(scheme) }
            if case .complete(let id, let ending) = action {
                completed[id.number] = ending
                machine.remove(id)
            }
        }
    }
}
