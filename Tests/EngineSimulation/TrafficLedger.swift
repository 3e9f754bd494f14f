import TelexScheduling

/// The world's own count of turns and rates.
struct TrafficLedger {
    let traffic: TrafficLimits
    /// The moments of requests, in order: to the API's hosts, and of the rate-limited method.
    private(set) var all: [Duration] = []
    private(set) var slow: [Duration] = []
    /// The pause of each host.
    var pauses = OperationPlan.hosts.map { _ in SimulatedHostPause() }
    var throttles: [String: ThrottleRecord] = [:]
    /// Operations that hold the slot of the serial queue, even between their attempts.
    var occupants: Set<Int> = []
    /// How often an owner with a ready operation was passed over in favour of another.
    var passed = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    var calls = 0
    var retries = 0

    init(_ traffic: TrafficLimits) {
        self.traffic = traffic
    }

    mutating func sent(at now: Duration, by operation: SimulatedOperation) {
        if !operation.isOutsideAPI { all.append(now) }
        if operation.rate != nil { slow.append(now) }
    }

    /// Takes back a request that was counted but not sent.
    mutating func takeBack(_ moment: Duration, by operation: SimulatedOperation) {
        if !operation.isOutsideAPI, let index = all.lastIndex(of: moment) { all.remove(at: index) }
        if operation.rate != nil, let index = slow.lastIndex(of: moment) { slow.remove(at: index) }
    }

    /// Why an operation may not start now; nil if it may.
    func queueReason(_ index: Int, _ operations: [SimulatedOperation], _ now: Duration)
        -> StaticString?
    {
        guard operations[index].hasSeat else { return nil }
        let crowd = crowd(index, operations)
        return operations[index].sends ? crowd ?? pause(index, operations, now) : crowd
    }

    private func crowd(_ index: Int, _ operations: [SimulatedOperation]) -> StaticString? {
        let host = operations[index].host
        var (all, sameHost, paired) = (0, 0, 0)
        for other in operations.indices where operations[other].isCounted {
            all += 1
            if operations[other].host == host { sameHost += 1 }
            if operations[other].isPaired { paired += 1 }
        }
        if let most = traffic.concurrent, all >= most { return "too many are at work" }
        if let most = traffic.perHost, sameHost >= most {
            return "the host's limit of concurrent calls is reached"
        }
        if operations[index].isPaired, paired >= 2 { return "its queue is full" }
        if operations[index].isSerial, !isFree(for: index, operations) {
            return "another one holds the serial queue"
        }
        return nil
    }

    /// Whether the serial queue is free for an operation: nothing runs in it, and only the
    /// operation itself may hold it. An operation that waits for a refresh does not hold it for
    /// operations without a token.
    private func isFree(for index: Int, _ operations: [SimulatedOperation]) -> Bool {
        let others = occupants.subtracting([index])
        if others.contains(where: { operations[$0].isCounted }) { return false }
        if occupants.contains(index) { return true }
        return others.allSatisfy {
            operations[$0].phase == .postponed
                && operations[index].plan.slot?.schemes.isEmpty == true
        }
    }

    private func pause(_ index: Int, _ operations: [SimulatedOperation], _ now: Duration)
        -> StaticString?
    {
        let pause = pauses[operations[index].host]
        if pause.opening > now { return "the host asked for a pause" }
        if pause.earliest > now { return "another one has just come back to the host" }
        if !operations[index].isOutsideAPI, let rate = traffic.rate, isFull(all, rate, now) {
            return "the rate limit is reached"
        }
        if let rate = operations[index].rate, isFull(slow, rate, now) {
            return "the rate of its method is reached"
        }
        return nil
    }

    private func isFull(_ sent: [Duration], _ rate: RequestRate, _ now: Duration) -> Bool {
        sent.count >= rate.requests && sent[sent.count - rate.requests] + rate.interval > now
    }

    /// Whether an operation may still wait for its distance from the previous one at its host. The
    /// exact distance is random.
    func mayKeepDistance(_ index: Int, _ operations: [SimulatedOperation], _ now: Duration) -> Bool
    {
        operations[index].sends && pauses[operations[index].host].latest > now
    }

    /// Whether an owner has an operation that waits for its turn.
    func hasWaiting(_ owner: Int, _ operations: [SimulatedOperation]) -> Bool {
        operations.indices.contains { index in
            operations[index].isInLine && operations[index].hasSeat
                && operations[index].owner == owner
        }
    }
}
