/// The timers of the engine, the earliest first. Obsolete timers are skipped when they are due, or
/// swept out when there are many.
struct TimerHeap: Sendable {
    /// What a timer is for.
    enum Timer: Hashable, Sendable {
        /// A throttled operation may start.
        case start(OperationID)
        /// The next attempt may begin.
        case retry(OperationID, attempt: Int)
        /// An attempt has exceeded its time limit.
        case attempt(OperationID, attempt: Int)
        /// An operation has exceeded its time limit.
        case total(OperationID)
        /// A refresh has exceeded its time limit.
        case refresh(Int)
    }

    private struct Entry: Comparable, Sendable {
        let moment: Duration
        let order: UInt64
        let alarm: Timer

        static func < (left: Entry, right: Entry) -> Bool {
            (left.moment, left.order) < (right.moment, right.order)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.order == right.order }
    }

    private var heap = BinaryHeap<Entry>()
    private var order: UInt64 = 0
    private var sweepSize = 256

    var count: Int { heap.count }
    /// The time of the earliest timer.
    var next: Duration? { heap.least?.moment }

    mutating func set(_ alarm: Timer, at moment: Duration) {
        order += 1
        heap.insert(Entry(moment: moment, order: order, alarm: alarm))
    }

    /// Removes and returns a timer that is due.
    mutating func due(at now: Duration) -> Timer? {
        guard let next, next <= now else { return nil }
        return heap.removeLeast()?.alarm
    }

    /// Removes the timers of operations that have ended, once there are many timers.
    mutating func sweep(_ isAlive: (OperationID) -> Bool) {
        guard heap.count > sweepSize else { return }
        heap.filter { $0.alarm.operation.map(isAlive) ?? true }
        sweepSize = max(256, heap.count * 2)
    }
}

extension TimerHeap.Timer {
    var operation: OperationID? {
        switch self {
        case .start(let id), .retry(let id, _), .attempt(let id, _), .total(let id): id
        case .refresh: nil
        }
    }
}
