/// Limits throttled operations to one start in each interval per name. Operations that start too
/// soon and may wait stand in a line, in order of arrival.
///
/// Pure: the time is an argument, and it owns no timer. Each change of a line adds its name to
/// `changedLines`.
struct Throttles: Sendable {
    /// A start that delays later ones.
    private struct Start: Sendable {
        package let id: OperationID
        /// When the next operation may start, unless this one bars it for longer.
        package var end: Duration
        /// The interval that begins at the end of the operation, which has not ended; nil if the
        /// interval began at the start, or the operation has ended.
        package var interval: Duration?
        /// The operation that has a timer for that time.
        package var timerOwner: OperationID?
    }

    /// A place in a line. A removed operation leaves its place behind, which is dropped later.
    private struct Place: Comparable, Sendable {
        package let number: UInt64
        package let id: OperationID

        package static func < (left: Place, right: Place) -> Bool { left.number < right.number }
    }

    private struct Line: Sendable {
        package var places = BinaryHeap<Place>()
        /// The number of waiting operations.
        package var count = 0
    }

    /// The last start of each name.
    private var starts: [String: Start] = [:]
    /// The number of starts at which expired ones are removed.
    private var bound = 1024
    /// The lines by name; there are no empty ones.
    private var lines: [String: Line] = [:]
    /// The place number of each waiting operation.
    private var numbers = OperationTable<UInt64>()
    private var lastNumber: UInt64 = 0
    private var changedLines: [String] = []

    /// Whether no operation waits.
    package var isIdle: Bool { lines.isEmpty && numbers.isEmpty }

    // MARK: Coming and going

    /// Starts an operation now if its interval permits it. Delayed operations that are due must
    /// have started before this call.
    ///
    /// - Returns: When the operation may start; nil if it has started now. It joins the line unless
    ///   its policy is `refuse`.
    package mutating func start(
        _ id: OperationID, key: SchedulingRequest.ThrottleKey, at now: Duration
    ) -> Duration? {
        guard let moment = delay(of: key, at: now) else {
            record(id, key: key, at: now)
            return nil
        }
        if key.policy != .refuse { join(id, key.name) }
        return moment
    }

    /// When an operation may start that comes now, at the earliest; nil if it may start now.
    package func delay(of key: SchedulingRequest.ThrottleKey, at now: Duration) -> Duration? {
        let waiting = lines[key.name]?.count ?? 0
        let opening = opening(of: key.name, at: now) ?? now
        guard opening > now || waiting > 0 else { return nil }
        return opening.later(by: min(key.interval, .longest) * waiting)
    }

    private mutating func join(_ id: OperationID, _ name: String) {
        lastNumber += 1
        numbers[id] = lastNumber
        lines[name, default: Line()].count += 1
        lines[name]?.places.insert(Place(number: lastNumber, id: id))
        markChanged(name)
    }

    /// Removes an operation from its line.
    package mutating func leave(_ id: OperationID, _ name: String) {
        guard numbers.removeValue(of: id) != nil, let count = lines[name]?.count else { return }
        markChanged(name)
        guard count > 1 else {
            lines[name] = nil
            return
        }
        lines[name]?.count = count - 1
        // Rebuild the line when most of its places are stale.
        guard let length = lines[name]?.places.count, length > 2 * count + 64 else { return }
        lines[name]?.places.filter { [numbers] in numbers[$0.id] == $0.number }
    }

    /// The first waiting operation.
    package mutating func first(of name: String) -> OperationID? {
        while let place = lines[name]?.places.least {
            if numbers[place.id] == place.number { return place.id }
            lines[name]?.places.removeLeast()
        }
        return nil
    }

    // MARK: Starts

    /// When the next operation may start; nil if it may start at any time. As long as an operation
    /// bars others until its end, this is the time that holds if it ends now.
    package func opening(of name: String, at now: Duration) -> Duration? {
        guard let start = starts[name] else { return nil }
        return start.interval.map { now.later(by: $0) } ?? start.end
    }

    /// Records that an operation starts.
    package mutating func record(
        _ id: OperationID, key: SchedulingRequest.ThrottleKey, at now: Duration
    ) {
        sweep(at: now)
        starts[key.name] = Start(
            id: id, end: now.later(by: key.interval), interval: key.isFromEnd ? key.interval : nil)
    }

    /// Begins the interval of an operation that bars others until its end.
    package mutating func end(_ id: OperationID, _ name: String, at now: Duration) {
        guard let start = starts[name], start.id == id, let interval = start.interval else {
            return
        }
        starts[name] = Start(id: id, end: now.later(by: interval))
        markChanged(name)
    }

    /// Removes the start of an operation that ended before it sent anything, so that others may
    /// start.
    package mutating func forget(_ id: OperationID, _ name: String) {
        guard starts[name]?.id == id else { return }
        starts[name] = nil
        markChanged(name)
    }

    /// Removes expired starts in batches, so that the amortized cost is small.
    private mutating func sweep(at now: Duration) {
        guard starts.count >= bound else { return }
        starts = starts.filter { $0.value.end > now || $0.value.interval != nil }
        bound = max(1024, 2 * starts.count)
    }

    // MARK: Moments

    /// Whether the first operation of a line needs a timer; true once for each.
    package mutating func needsTimer(_ id: OperationID, name: String) -> Bool {
        guard let start = starts[name], start.timerOwner != id else { return false }
        starts[name]?.timerOwner = id
        return true
    }

    /// Marks a line as changed.
    mutating func markChanged(_ name: String) {
        if lines[name] != nil, changedLines.last != name { changedLines.append(name) }
    }

    /// Removes and returns the name of a changed line.
    mutating func takeChanged() -> String? { changedLines.popLast() }
}
