/// The starts of what is throttled: of operations with the same name at most one in each interval. Who
/// comes too soon and may wait stands in a line, in the order of coming.
///
/// Pure: it is told the time and owns no timer. Whoever has changed something about a line finds its
/// name among those that are `stirred`.
struct Throttles: Sendable {
    /// A start that keeps others away for a while.
    private struct Start: Sendable {
        let id: OperationID
        /// When the next may follow.
        let end: Duration
        /// For whom there is an alarm at that moment.
        var called: OperationID?
    }

    /// Whoever leaves a line leaves its place there, which is dropped when it is met.
    private struct Place: Comparable, Sendable {
        let number: UInt64
        let id: OperationID

        static func < (left: Place, right: Place) -> Bool { left.number < right.number }
    }

    private struct Line: Sendable {
        var places = BinaryHeap<Place>()
        /// How many wait.
        var count = 0
    }

    /// The last start of each name.
    private var starts: [String: Start] = [:]
    /// How many there may be before those that are over are forgotten.
    private var bound = 1024
    /// Those who wait; a name for which nobody does has none.
    private var lines: [String: Line] = [:]
    /// The place of each who waits.
    private var numbers = OperationTable<UInt64>()
    private var lastNumber: UInt64 = 0
    private var stirred: [String] = []

    /// Whether nobody waits.
    var isIdle: Bool { lines.isEmpty && numbers.isEmpty }

    // MARK: Coming and going

    /// An operation is to start. Who is due is to have started before.
    ///
    /// - Returns: When it may; nil if it has started now. If its policy is to wait, it does.
    mutating func start(
        _ id: OperationID, _ key: SchedulingRequest.ThrottleKey, at now: Duration
    ) -> Duration? {
        let waiting = lines[key.name]?.count ?? 0
        let opening = opening(of: key.name) ?? now
        guard opening > now || waiting > 0 else {
            record(id, key, at: now)
            return nil
        }
        if key.policy != .refuse { join(id, key.name) }
        return opening.later(by: min(key.interval, .longest) * waiting)
    }

    private mutating func join(_ id: OperationID, _ name: String) {
        lastNumber += 1
        numbers[id] = lastNumber
        lines[name, default: Line()].count += 1
        lines[name]?.places.insert(Place(number: lastNumber, id: id))
        stir(name)
    }

    /// An operation no longer waits.
    mutating func leave(_ id: OperationID, _ name: String) {
        guard numbers.removeValue(of: id) != nil, let count = lines[name]?.count else { return }
        stir(name)
        guard count > 1 else {
            lines[name] = nil
            return
        }
        lines[name]?.count = count - 1
        // So many places that nobody stands at.
        guard let length = lines[name]?.places.count, length > 2 * count + 64 else { return }
        lines[name]?.places.filter { [numbers] in numbers[$0.id] == $0.number }
    }

    /// The next of those who wait.
    mutating func first(of name: String) -> OperationID? {
        while let place = lines[name]?.places.least {
            if numbers[place.id] == place.number { return place.id }
            lines[name]?.places.removeLeast()
        }
        return nil
    }

    // MARK: Starts

    /// When the next may start; nil if it may at any time.
    func opening(of name: String) -> Duration? { starts[name]?.end }

    /// An operation starts.
    mutating func record(_ id: OperationID, _ key: SchedulingRequest.ThrottleKey, at now: Duration)
    {
        sweep(at: now)
        starts[key.name] = Start(id: id, end: now.later(by: key.interval))
    }

    /// An operation that ends before it has sent anything keeps nobody else from starting.
    mutating func forget(_ id: OperationID, _ name: String) {
        guard starts[name]?.id == id else { return }
        starts[name] = nil
        stir(name)
    }

    /// Forgets starts that keep nobody away any more; seldom, so that it costs next to nothing for each.
    private mutating func sweep(at now: Duration) {
        guard starts.count >= bound else { return }
        starts = starts.filter { $0.value.end > now }
        bound = max(1024, 2 * starts.count)
    }

    // MARK: Moments

    /// Whether the first of a line needs an alarm for its moment; once for each.
    mutating func call(_ id: OperationID, _ name: String) -> Bool {
        guard let start = starts[name], start.called != id else { return false }
        starts[name]?.called = id
        return true
    }

    /// A line is to be looked at.
    mutating func stir(_ name: String) {
        if lines[name] != nil, stirred.last != name { stirred.append(name) }
    }

    /// A line that is to be looked at.
    mutating func takeStirred() -> String? { stirred.popLast() }
}
