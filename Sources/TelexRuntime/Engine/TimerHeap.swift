/// The moments that the engine waits for, the earliest first. What became pointless is not searched
/// for but skipped when its moment comes, or swept out when there is too much of it.
struct TimerHeap: Sendable {
    /// What happens at a moment.
    enum Alarm: Hashable, Sendable {
        /// An operation that came too soon after another may start.
        case start(OperationID)
        /// The next attempt may begin.
        case retry(OperationID, attempt: Int)
        /// An attempt has taken too long.
        case attempt(OperationID, attempt: Int)
        /// An operation has taken too long.
        case total(OperationID)
        /// A refresh has taken too long.
        case refresh(Int)
    }

    private struct Entry: Comparable, Sendable {
        let moment: Duration
        let order: UInt64
        let alarm: Alarm

        static func < (left: Entry, right: Entry) -> Bool {
            (left.moment, left.order) < (right.moment, right.order)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.order == right.order }
    }

    private var heap = BinaryHeap<Entry>()
    private var order: UInt64 = 0
    private var sweepSize = 256

    var count: Int { heap.count }
    /// The next moment.
    var next: Duration? { heap.least?.moment }

    mutating func set(_ alarm: Alarm, at moment: Duration) {
        order += 1
        heap.insert(Entry(moment: moment, order: order, alarm: alarm))
    }

    /// Takes out an alarm whose moment has come.
    mutating func due(at now: Duration) -> Alarm? {
        guard let next, next <= now else { return nil }
        return heap.removeLeast()?.alarm
    }

    /// Drops the alarms of operations that are gone, once there are many alarms.
    mutating func sweep(_ isAlive: (OperationID) -> Bool) {
        guard heap.count > sweepSize else { return }
        heap.filter { $0.alarm.operation.map(isAlive) ?? true }
        sweepSize = max(256, heap.count * 2)
    }
}

extension TimerHeap.Alarm {
    var operation: OperationID? {
        switch self {
        case .start(let id), .retry(let id, _), .attempt(let id, _), .total(let id): id
        case .refresh: nil
        }
    }
}
