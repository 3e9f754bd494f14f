/// Decides which waiting operations may run. It observes named queues, limits for the whole API and
/// for each host, rates, priorities, fairness between owners, and the pauses of hosts.
///
/// Pure: the time is an argument, and it owns no timer.
struct Scheduler: Sendable {
    /// The key of a line; all operations of one line wait for the same resources.
    private struct LineKey: Hashable {
        var queue: String?
        /// Whether its operations have a reserved place in the queue.
        var hasReservation: Bool
        var carriesToken: Bool
        var host: String
        var rate: SchedulingRequest.MethodRate?
        var isOutsideAPI: Bool
        var sends: Bool
        var network: NetworkRules
    }

    private struct Holder: Sendable {
        /// The scheduling parameters, whose slot is read in place rather than copied.
        var scheduling: SchedulingRequest
        /// The operation's place in the line; nil once it has a turn.
        var place: UInt64?
        /// Whether the operation has a reserved place in its queue.
        var hasReservation: Bool
        /// Whether the operation sends a request when its turn comes.
        var sends: Bool

        func stands(at place: WaitingLine.Place) -> Bool { self.place == place.number }

        var queue: String? { scheduling.slot?.queue }
        var host: String { scheduling.slot?.host ?? "" }
        var isGroup: Bool { scheduling.slot?.isGroup ?? false }

        var line: LineKey {
            LineKey(
                queue: queue, hasReservation: hasReservation,
                carriesToken: queue != nil && scheduling.slot?.schemes.isEmpty == false, host: host,
                rate: scheduling.slot?.rate, isOutsideAPI: scheduling.slot?.isOutsideAPI ?? false,
                sends: sends, network: scheduling.slot?.network ?? NetworkRules())
        }
    }

    private var holders = OperationTable<Holder>()
    private var lines: [LineKey: WaitingLine] = [:]
    /// An operation that arrived while no other waited; it can get its turn without entering a
    /// line.
    private var arrival: OperationID?
    private var turns = OwnerTurns()
    private var lastPlace: UInt64 = 0
    private var occupancy: Occupancy
    private var window: RateWindow?
    private var methodWindows: [String: RateWindow] = [:]
    private var pauses: HostPauses
    /// The hosts with calls in progress.
    private var bursts: [String: HostBurst] = [:]
    /// Whether bursts begin gently: unless the API declares limits, which are better known.
    private let limitsBursts: Bool
    /// The conditions of the current network.
    var network = NetworkStatus()

    /// - Parameter seed: The seed of the random numbers that spread the calls after a host's pause.
    init(_ limits: TrafficLimits, queues: [QueueRules], seed: UInt64 = 0) {
        pauses = HostPauses(seed: seed)
        limitsBursts = limits == TrafficLimits()
        occupancy = Occupancy(limits, queues: queues)
        window = limits.rate.map(RateWindow.init)
    }

    /// Whether no operation has a turn, waits for one, or has a reserved place.
    var isIdle: Bool { holders.isEmpty && occupancy.isEmpty }

    // MARK: Coming and going

    /// Makes an operation wait for its turn.
    ///
    /// - Parameter sends: Whether it then sends a request. An operation that continues a request in
    ///   flight sends none, so neither rates nor pauses of hosts apply to it.
    mutating func add(_ id: OperationID, scheduling: SchedulingRequest, sends: Bool = true) {
        guard scheduling.slot != nil else { return }
        lastPlace += 1
        pauses.notePauseLimit(scheduling.longestPause)
        let hasReservation = occupancy.updateReservation(of: id, allowsTokenless: false)
        holders[id] = Holder(
            scheduling: scheduling, place: lastPlace, hasReservation: hasReservation, sends: sends)
        guard !lines.isEmpty || arrival != nil else {
            arrival = id
            return
        }
        queueArrival()
        enterLine(id)
    }

    private mutating func queueArrival() {
        guard let id = arrival else { return }
        arrival = nil
        enterLine(id)
    }

    private mutating func enterLine(_ id: OperationID) {
        guard let holder = holders[id], let slot = holder.scheduling.slot, let place = holder.place
        else { return }
        turns.join(slot.owner)
        lines[holder.line, default: WaitingLine()].insert(
            WaitingLine.Place(id: id, number: place), priority: slot.priority, owner: slot.owner,
            turns: turns)
    }

    /// Takes away an operation's turn or its place in the line.
    ///
    /// - Parameters:
    ///   - returns: Whether it will return. If its queue is serial, no operation of that queue
    ///     overtakes it.
    ///   - allowsTokenless: Whether operations of the queue without a token may overtake it nevertheless.
    mutating func remove(_ id: OperationID, returns: Bool, allowsTokenless: Bool = false) {
        if returns {
            occupancy.updateReservation(of: id, allowsTokenless: allowsTokenless)
        } else {
            occupancy.forget(id)
        }
        guard let holder = holders.removeValue(of: id) else { return }
        if arrival == id {
            arrival = nil
        } else if holder.place != nil {
            leave(holder)
        } else {
            if !holder.isGroup { leaveHost(holder.host) }
            guard let queue = holder.queue else { return }
            occupancy.leave(
                queue: queue, operation: id, returns: returns, allowsTokenless: allowsTokenless)
        }
    }

    private mutating func leaveHost(_ host: String) {
        occupancy.leave(host: host)
        // A change in place allocates the frame of an accessor.
        guard var burst = bursts[host] else { return }
        burst.leave()
        bursts[host] = burst.active == 0 ? nil : burst
    }

    /// Changes the parameters of an operation, such as a higher priority. It keeps its turn if it
    /// has one.
    mutating func change(_ id: OperationID, to scheduling: SchedulingRequest) {
        change(id) { $0.scheduling = scheduling }
    }

    /// Changes whether an operation sends a request when its turn comes.
    mutating func change(_ id: OperationID, sends: Bool) {
        guard holders[id].map({ $0.place != nil && $0.sends != sends }) == true else { return }
        change(id) { $0.sends = sends }
    }

    private mutating func change(_ id: OperationID, _ change: (inout Holder) -> Void) {
        guard let old = holders[id] else { return }
        var new = old
        change(&new)
        guard old.place != nil, arrival != id else {
            holders[id] = new
            return
        }
        lastPlace += 1
        new.place = lastPlace
        holders[id] = new
        // Join the new line first, so that the owner never stops waiting in between.
        enterLine(id)
        leave(old)
    }

    private mutating func leave(_ holder: Holder) {
        turns.leave(holder.scheduling.slot?.owner)
        let key = holder.line
        lines[key]?.leave { holders[$0.id]?.stands(at: $0) ?? false }
        if lines[key]?.count == 0 { lines[key] = nil }
    }

    // MARK: Hosts

    /// Closes a host for some time, because it demanded a pause.
    mutating func close(_ host: String, for time: Duration, at now: Duration) {
        pauses.close(host, for: time, at: now)
    }

    /// Delays calls to a host, because it advised a pause; nil ends the pause.
    mutating func advise(_ host: String, pause time: Duration?, at now: Duration) {
        pauses.advise(host, pause: time, at: now)
    }

    /// Lets calls to a host go one by one, because it limits their rate and refused one.
    ///
    /// - Returns: Whether the call was sent before an earlier refusal was known.
    mutating func refuse(_ host: String, for time: Duration, at now: Duration) -> Bool {
        pauses.refuse(host, for: time, at: now, in: bursts[host] ?? HostBurst())
    }

    /// Records that the host of an operation served its call: it did not refuse it because of a
    /// rate.
    mutating func noteServed(_ id: OperationID, at now: Duration) {
        guard let holder = holders[id], !holder.isGroup, holder.place == nil else { return }
        if var burst = bursts[holder.host] {
            burst.noteServed()
            bursts[holder.host] = burst
        }
        pauses.noteServed(by: holder.host, at: now)
    }

    /// When the next call to a host may go; zero without a pause.
    func opening(of host: String) -> Duration { pauses.opening(of: host) }

    /// The end of the host's pause, if it is longer than the operation accepts.
    func pause(longerThan scheduling: SchedulingRequest, at now: Duration) -> Duration? {
        scheduling.slot.flatMap {
            pauses.end(of: $0.host, ifLongerThan: scheduling.longestPause, at: now)
        }
    }

    /// The operations whose limit the host's pause exceeds, in order of creation, each with the end
    /// of the pause.
    func pausedTooLong(at host: String, _ now: Duration) -> [(OperationID, until: Duration)] {
        guard pauses.mayExceedLimits(host, at: now) else { return [] }
        let waiting = zip(holders.ids, holders.values)
            .filter { $0.1.place != nil && $0.1.sends && $0.1.host == host }
        return waiting.compactMap { id, holder in
            self.pause(longerThan: holder.scheduling, at: now).map { (id, until: $0) }
        }.sorted { $0.0 < $1.0 }
    }

    // MARK: Turns

    /// Gives the next operation its turn.
    ///
    /// - Returns: nil if no operation may run now; `opening` returns when to try again.
    mutating func next(at now: Duration) -> OperationID? {
        if let id = arrival, let holder = holders[id], occupancy.hasRoom,
            mayGo(holder.line, at: now)
        {
            arrival = nil
            grant(id, at: now)
            return id
        }
        queueArrival()
        guard let best = best(at: now) else { return nil }
        lines.values[best.line].removeNext(best.priority)
        if lines.values[best.line].count == 0 { lines.remove(at: best.line) }
        grant(best.id, at: now)
        return best.id
    }

    /// The first operation of a line.
    private struct Candidate {
        var line: Dictionary<LineKey, WaitingLine>.Index
        var id: OperationID
        var priority: CallPriority
        var since: UInt64

        func goes(before other: Candidate?) -> Bool {
            guard let other else { return true }
            if priority != other.priority { return priority > other.priority }
            return (since, id) < (other.since, other.id)
        }
    }

    private mutating func best(at now: Duration) -> Candidate? {
        guard !lines.isEmpty, occupancy.hasRoom else { return nil }
        var best: Candidate?
        var line = lines.startIndex
        while line != lines.endIndex {
            if mayGo(lines.keys[line], at: now), let first = first(of: line),
                first.goes(before: best)
            {
                best = first
            }
            lines.formIndex(after: &line)
        }
        return best
    }

    private mutating func first(of line: Dictionary<LineKey, WaitingLine>.Index) -> Candidate? {
        let first = lines.values[line].next(turns) { holders[$0.id]?.stands(at: $0) ?? false }
        guard let first else { return nil }
        return Candidate(
            line: line, id: first.place.id, priority: first.priority,
            since: turns.since(holders[first.place.id]?.scheduling.slot?.owner))
    }

    private func hasRoom(_ key: LineKey) -> Bool {
        hasRoomInQueue(key) && occupancy.hasRoom(atHost: key.host) && mayUseNetwork(key)
    }

    private func hasRoomInQueue(_ key: LineKey) -> Bool {
        occupancy.hasRoom(
            inQueue: key.queue, hasReservation: key.hasReservation, carriesToken: key.carriesToken)
    }

    private func mayUseNetwork(_ key: LineKey) -> Bool {
        !key.sends || key.network.condition(.wait, in: network) == nil
    }

    private func mayGo(_ key: LineKey, at now: Duration) -> Bool {
        hasRoom(key) && opening(key) <= now
    }

    private mutating func grant(_ id: OperationID, at now: Duration) {
        guard var holder = holders[id] else { return }
        if holder.sends { delayNextCall(to: holder.host, at: now) }
        holder.place = nil
        turns.serve(holder.scheduling.slot?.owner)
        if !holder.isGroup {
            occupancy.enter(host: holder.host)
            bursts[holder.host, default: HostBurst()].enter(at: now)
        }
        if let queue = holder.queue { occupancy.enter(queue: queue, id) }
        holders[id] = holder
    }

    private mutating func delayNextCall(to host: String, at now: Duration) {
        pauses.go(to: host, at: now) {
            lines.reduce(0) {
                $0 + ($1.key.host == host && $1.key.sends ? $1.value.count : 0)
            }
        }
    }

    /// Counts a request that is sent now against the rates. The API's own rate counts only requests
    /// to the API's servers.
    mutating func recordRequest(_ id: OperationID, at now: Duration) {
        guard let slot = holders[id]?.scheduling.slot, !slot.isGroup else { return }
        if !slot.isOutsideAPI { window?.record(at: now) }
        guard let rate = slot.rate else { return }
        methodWindows[rate.method, default: RateWindow(rate.rate)].record(at: now)
    }

    /// Removes a request that was counted at this time but not sent.
    mutating func takeBackRequest(_ slot: SchedulingRequest.QueueSlot, at moment: Duration) {
        if !slot.isOutsideAPI { window?.removeRequest(moment) }
        if let rate = slot.rate { methodWindows[rate.method]?.removeRequest(moment) }
    }

    // MARK: Reasons

    /// Why an operation waits, as a short phrase.
    func queueReason(_ id: OperationID, at now: Duration) -> String {
        guard let line = holders[id]?.line else { return "it has not been scheduled" }
        guard occupancy.hasRoom else { return "the API's limit of concurrent calls is reached" }
        guard hasRoomInQueue(line) else { return "its queue is full" }
        guard occupancy.hasRoom(atHost: line.host) else {
            return "its host's limit of concurrent calls is reached"
        }
        if line.sends, let condition = line.network.condition(.wait, in: network) {
            return "the network is \(condition.rawValue)"
        }
        guard line.sends else { return "other operations have precedence" }
        if pauses.opening(of: line.host) > now { return "its host asked for a pause" }
        if burstOpening(line.host) > now { return "its host has not replied to earlier calls yet" }
        return opening(line) > now
            ? "the rate limit is reached" : "other operations have precedence"
    }

    // MARK: Moments

    /// When the next line that waits only for time may proceed; nil if there is none.
    func opening(after now: Duration) -> Duration? {
        guard !lines.isEmpty, occupancy.hasRoom else { return nil }
        return lines.keys.filter(hasRoom).map(opening).filter { $0 > now }.min()
    }

    private func opening(_ key: LineKey) -> Duration {
        guard key.sends else { return .zero }
        let all = key.isOutsideAPI ? .zero : window?.opening ?? .zero
        let host = pauses.opening(of: key.host)
        let rate = key.rate.flatMap { methodWindows[$0.method]?.opening } ?? .zero
        return max(all, host, rate, burstOpening(key.host))
    }

    private func burstOpening(_ host: String) -> Duration {
        limitsBursts ? bursts[host]?.opening ?? .zero : .zero
    }
}
