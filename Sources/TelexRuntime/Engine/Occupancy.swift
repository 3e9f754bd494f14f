/// How many operations are at work, in all, in each queue and at each host, and whether there is
/// room for another.
struct Occupancy: Sendable {
    private let limits: TrafficLimits
    private let queues: [String: Int]
    private var active = 0
    private var byQueue: [String: Int] = [:]
    private var byHost: [String: Int] = [:]
    /// Places in serial queues, kept for operations that will come back.
    private var kept: [OperationID: Place] = [:]
    private var keptByQueue: [String: Kept] = [:]

    private struct Place: Sendable {
        var queue: String
        var letsPass: Bool
    }

    /// How many places are kept in a queue, and how many of them let nobody pass.
    private struct Kept: Sendable {
        var all = 0
        var closed = 0
    }

    init(_ limits: TrafficLimits, queues: [QueueRules]) {
        self.limits = limits
        self.queues = Dictionary(queues.map { ($0.name, $0.concurrent) }) { first, _ in first }
    }

    /// Whether nobody is at work or keeps a place.
    var isEmpty: Bool { active == 0 && kept.isEmpty }

    /// Whether there is room for anybody at all.
    var hasRoom: Bool { limits.concurrent.map { active < $0 } ?? true }

    /// Whether there is room in a queue, if it takes one.
    ///
    /// What waits for a new token lets those pass that carry none: they may be what brings it, a
    /// login say.
    ///
    /// - Parameter comesBack: Whether its place there is kept.
    func hasRoom(inQueue queue: String?, comesBack: Bool, carriesToken: Bool) -> Bool {
        guard let queue, let most = queues[queue] else { return true }
        guard byQueue[queue] ?? 0 < most else { return false }
        guard !comesBack, let kept = keptByQueue[queue] else { return true }
        return carriesToken ? kept.all == 0 : kept.closed == 0
    }

    /// Whether there is room at a host.
    func hasRoom(atHost host: String) -> Bool {
        limits.perHost.map { byHost[host] ?? 0 < $0 } ?? true
    }

    mutating func enter(host: String) {
        active += 1
        if limits.perHost != nil { byHost[host, default: 0] += 1 }
    }

    mutating func leave(host: String) {
        active -= 1
        if limits.perHost != nil { Self.release(&byHost, host) }
    }

    // MARK: Queues

    /// Takes a place, the kept one if there is one.
    mutating func enter(queue: String, _ id: OperationID) {
        forget(id)
        byQueue[queue, default: 0] += 1
    }

    /// Gives a place in a queue up. If the operation comes back to it and it is serial, nobody of that
    /// queue overtakes it meanwhile.
    ///
    /// - Parameter letsPass: Whether those may that carry no token.
    mutating func leave(queue: String, _ id: OperationID, returns: Bool, letsPass: Bool) {
        Self.release(&byQueue, queue)
        guard returns, queues[queue] == 1 else { return }
        keep(Place(queue: queue, letsPass: letsPass), for: id)
    }

    private mutating func keep(_ place: Place, for id: OperationID) {
        kept[id] = place
        count(place, 1)
    }

    /// What an operation waits for whose place is kept has changed, if one is.
    ///
    /// - Parameter letsPass: Whether those may pass it that carry no token.
    /// - Returns: Whether a place is kept for it.
    @discardableResult
    mutating func keepPlace(of id: OperationID, letsPass: Bool) -> Bool {
        guard let place = kept[id] else { return false }
        forget(id)
        keep(Place(queue: place.queue, letsPass: letsPass), for: id)
        return true
    }

    /// Gives up the place that was kept for an operation, if one was.
    mutating func forget(_ id: OperationID) {
        guard let place = kept.removeValue(forKey: id) else { return }
        count(place, -1)
    }

    private mutating func count(_ place: Place, _ change: Int) {
        var counts = keptByQueue[place.queue] ?? Kept()
        counts.all += change
        if !place.letsPass { counts.closed += change }
        keptByQueue[place.queue] = counts.all == 0 ? nil : counts
    }

    private static func release(_ counts: inout [String: Int], _ name: String) {
        let rest = (counts[name] ?? 1) - 1
        counts[name] = rest == 0 ? nil : rest
    }
}
