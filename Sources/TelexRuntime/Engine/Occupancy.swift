/// How many operations are at work, in all, in each queue and at each host, and whether there is
/// room for another.
struct Occupancy: Sendable {
    private let limits: TrafficLimits
    private let queues: [String: Int]
    private var active = 0
    private var byQueue: [String: Int] = [:]
    private var byHost: [String: Int] = [:]
    /// Places in serial queues, kept for operations that will come back.
    private var reserved: [OperationID: String] = [:]

    init(_ limits: TrafficLimits, queues: [QueueRules]) {
        self.limits = limits
        self.queues = Dictionary(queues.map { ($0.name, $0.concurrent) }) { first, _ in first }
    }

    /// Whether nobody is at work or keeps a place.
    var isEmpty: Bool { active == 0 && reserved.isEmpty }

    /// Whether there is room for anybody at all.
    var hasRoom: Bool { limits.concurrent.map { active < $0 } ?? true }

    /// Whether there is room in a queue, if it takes one.
    func hasRoom(inQueue queue: String?) -> Bool {
        guard let queue, let most = queues[queue] else { return true }
        return byQueue[queue] ?? 0 < most
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

    mutating func enter(queue: String) { byQueue[queue, default: 0] += 1 }

    /// Gives a place in a queue up, unless the operation comes back to it and it is serial: then
    /// nobody of that queue overtakes it meanwhile.
    mutating func leave(queue: String, _ id: OperationID, returns: Bool) {
        if returns, queues[queue] == 1 {
            reserved[id] = queue
        } else {
            Self.release(&byQueue, queue)
        }
    }

    /// Whether the operation has come back to a place that was kept, which is its own again.
    mutating func comesBack(_ id: OperationID) -> Bool { reserved.removeValue(forKey: id) != nil }

    /// Gives up the place that was kept for an operation, if one was.
    mutating func forget(_ id: OperationID) {
        if let queue = reserved.removeValue(forKey: id) { Self.release(&byQueue, queue) }
    }

    private static func release(_ counts: inout [String: Int], _ name: String) {
        let rest = (counts[name] ?? 1) - 1
        counts[name] = rest == 0 ? nil : rest
    }
}
