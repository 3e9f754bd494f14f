import TelexScheduling

/// What the world knows about turns and rates, counted on its own.
struct Books {
    let traffic: TrafficLimits
    /// When requests were sent, the latest last: to the API's hosts, and those of the slow method.
    private(set) var all: [Duration] = []
    private(set) var slow: [Duration] = []
    /// What each host asked for.
    var pauses = OperationPlan.hosts.map { _ in Pause() }
    var throttles: [String: Throttling] = [:]
    /// Operations that hold the place in the serial queue, even between their attempts.
    var occupants: Set<Int> = []
    /// How often an owner that could have gone was passed over in favour of another.
    var passed = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    var calls = 0
    var retries = 0

    init(_ traffic: TrafficLimits) {
        self.traffic = traffic
    }

    mutating func sent(at now: Duration, by actor: Actor) {
        if !actor.isOutsideAPI { all.append(now) }
        if actor.rate != nil { slow.append(now) }
    }

    /// What was to be sent at a moment was not.
    mutating func takeBack(_ moment: Duration, by actor: Actor) {
        if !actor.isOutsideAPI, let index = all.lastIndex(of: moment) { all.remove(at: index) }
        if actor.rate != nil, let index = slow.lastIndex(of: moment) { slow.remove(at: index) }
    }

    /// Why an operation may not go now; nil if it may.
    func queueReason(_ index: Int, _ actors: [Actor], _ now: Duration) -> StaticString? {
        guard actors[index].hasSeat else { return nil }
        let crowd = crowd(index, actors)
        return actors[index].sends ? crowd ?? pause(index, actors, now) : crowd
    }

    private func crowd(_ index: Int, _ actors: [Actor]) -> StaticString? {
        let host = actors[index].host
        var (all, sameHost, paired) = (0, 0, 0)
        for other in actors.indices where actors[other].isCounted {
            all += 1
            if actors[other].host == host { sameHost += 1 }
            if actors[other].isPaired { paired += 1 }
        }
        if let most = traffic.concurrent, all >= most { return "too many are at work" }
        if let most = traffic.perHost, sameHost >= most {
            return "the host's limit of concurrent calls is reached"
        }
        if actors[index].isPaired, paired >= 2 { return "its queue is full" }
        if actors[index].isSerial, !isFree(for: index, actors) {
            return "another one holds the serial queue"
        }
        return nil
    }

    /// Whether nobody is at work in the serial queue, and nobody holds it, unless the operation does
    /// as well. Who waits for a new token does not hold it for those who carry none.
    private func isFree(for index: Int, _ actors: [Actor]) -> Bool {
        let others = occupants.subtracting([index])
        if others.contains(where: { actors[$0].isCounted }) { return false }
        if occupants.contains(index) { return true }
        return others.allSatisfy {
            actors[$0].phase == .postponed && actors[index].plan.slot?.usesCredential == false
        }
    }

    private func pause(_ index: Int, _ actors: [Actor], _ now: Duration) -> StaticString? {
        let pause = pauses[actors[index].host]
        if pause.opening > now { return "the host asked for a pause" }
        if pause.earliest > now { return "another one has just come back to the host" }
        if !actors[index].isOutsideAPI, let rate = traffic.rate, isFull(all, rate, now) {
            return "the rate limit is reached"
        }
        if let rate = actors[index].rate, isFull(slow, rate, now) {
            return "the rate of its method is reached"
        }
        return nil
    }

    private func isFull(_ sent: [Duration], _ rate: RequestRate, _ now: Duration) -> Bool {
        sent.count >= rate.requests && sent[sent.count - rate.requests] + rate.interval > now
    }

    /// Whether an operation may still be kept apart from the one that went to its host before it:
    /// for how long exactly is left to chance.
    func mayKeepDistance(_ index: Int, _ actors: [Actor], _ now: Duration) -> Bool {
        actors[index].sends && pauses[actors[index].host].latest > now
    }

    /// Whether an owner has an operation that waits for its turn.
    func hasWaiting(_ owner: Int, _ actors: [Actor]) -> Bool {
        actors.indices.contains { index in
            actors[index].isInLine && actors[index].hasSeat && actors[index].owner == owner
        }
    }
}
