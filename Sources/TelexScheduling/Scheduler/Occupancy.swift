/// Counts the running operations in total, in each queue and at each host, and tells whether
/// another may start.
struct Occupancy: Sendable {
    private let limits: TrafficLimits
    private let queues: [String: Int]
    private var active = 0
    private var byQueue: [String: Int] = [:]
    private var byHost: [String: Int] = [:]
    /// Places in serial queues that are reserved for operations that will return.
    private var reservations: [OperationID: Place] = [:]
    private var reservationCounts: [String: ReservationCount] = [:]

    private struct Place: Sendable {
        var queue: String
        var allowsTokenless: Bool
    }

    /// The number of reserved places in a queue, and how many of them let no operation pass.
    private struct ReservationCount: Sendable {
        var all = 0
        var closed = 0
    }

    init(_ limits: TrafficLimits, queues: [QueueRules]) {
        self.limits = limits
        self.queues = Dictionary(queues.map { ($0.name, $0.concurrent) }) { first, _ in first }
    }

    /// Whether no operation is running or has a reserved place.
    var isEmpty: Bool { active == 0 && reservations.isEmpty }

    /// Whether the API's total limit permits another operation.
    var hasRoom: Bool { limits.concurrent.map { active < $0 } ?? true }

    /// Whether a queue has room; true for operations without a queue.
    ///
    /// An operation that waits for a new token lets operations without a token pass, because one of
    /// them may obtain it (a log-in, for example).
    ///
    /// - Parameter hasReservation: Whether the operation has a reserved place there.
    func hasRoom(inQueue queue: String?, hasReservation: Bool, carriesToken: Bool) -> Bool {
        guard let queue, let most = queues[queue] else { return true }
        guard byQueue[queue] ?? 0 < most else { return false }
        guard !hasReservation, let reservations = reservationCounts[queue] else { return true }
        return carriesToken ? reservations.all == 0 : reservations.closed == 0
    }

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

    /// Takes a place in a queue: the reserved one if there is one.
    mutating func enter(queue: String, _ id: OperationID) {
        forget(id)
        byQueue[queue, default: 0] += 1
    }

    /// Releases a place in a queue. If the operation returns and the queue is serial, its place
    /// stays reserved so that no other operation overtakes it.
    ///
    /// - Parameter allowsTokenless: Whether operations without a token may overtake it.
    mutating func leave(
        queue: String, operation id: OperationID, returns: Bool, allowsTokenless: Bool
    ) {
        Self.release(&byQueue, queue)
        guard returns, queues[queue] == 1 else { return }
        keep(Place(queue: queue, allowsTokenless: allowsTokenless), for: id)
    }

    private mutating func keep(_ place: Place, for id: OperationID) {
        reservations[id] = place
        count(place, 1)
    }

    /// Updates the reserved place of an operation, if it has one.
    ///
    /// - Parameter allowsTokenless: Whether operations without a token may overtake it.
    /// - Returns: Whether the operation has a reserved place.
    @discardableResult
    mutating func updateReservation(of id: OperationID, allowsTokenless: Bool) -> Bool {
        guard let place = reservations[id] else { return false }
        forget(id)
        keep(Place(queue: place.queue, allowsTokenless: allowsTokenless), for: id)
        return true
    }

    /// Releases the reserved place of an operation, if it has one.
    mutating func forget(_ id: OperationID) {
        guard let place = reservations.removeValue(forKey: id) else { return }
        count(place, -1)
    }

    private mutating func count(_ place: Place, _ change: Int) {
        var counts = reservationCounts[place.queue] ?? ReservationCount()
        counts.all += change
        if !place.allowsTokenless { counts.closed += change }
        reservationCounts[place.queue] = counts.all == 0 ? nil : counts
    }

    private static func release(_ counts: inout [String: Int], _ name: String) {
        let rest = (counts[name] ?? 1) - 1
        counts[name] = rest == 0 ? nil : rest
    }
}
