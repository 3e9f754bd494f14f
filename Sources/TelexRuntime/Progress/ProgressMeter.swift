/// Makes of raw counts what is worth telling: never going down, not too often, with a throughput.
///
/// It knows no clock: every call brings the moment, of any clock that does not jump.
struct ProgressMeter: Sendable {
    /// How long it takes the throughput to forget: after a change it has come about two thirds of
    /// the way in this time.
    private static let memory = 3.0

    /// The shortest time between two values that are neither the first, the last, nor 100 %, and
    /// between which no step has begun or ended.
    let interval: Duration
    private var current = OperationProgress()
    private var published: (value: OperationProgress, at: Duration)?
    /// Whether anything has come since.
    private var isBehind = false
    /// Where and when the throughput was last measured.
    private var mark: (bytes: Double, at: Duration)?
    /// Since when it is suspended, as far as is known here.
    private var heldSince: Duration?

    /// At most ten values a second by default.
    init(interval: Duration = .milliseconds(100)) {
        self.interval = interval
    }

    /// Takes raw counts, which may go down when a transfer begins again.
    ///
    /// - Parameter step: The only step that is different from what was told before, so that of
    ///   thousands only that one is looked at; nil if any may be.
    /// - Returns: What is to be published; nil if nothing is, as yet.
    mutating func feed(
        _ raw: OperationProgress, step: Int? = nil, at now: Duration
    ) -> OperationProgress? {
        let wasDone = isDoneCall
        take(raw)
        let hasTurned = take(raw.steps, changed: step)
        isBehind = true
        guard hasTurned || isDoneCall && !wasDone || isDue(now) else { return nil }
        return publish(at: now, isNew: hasTurned)
    }

    /// Whether it is a call of which all is there. A group is done when its last step ends.
    private var isDoneCall: Bool { current.steps.isEmpty && current.fraction == 1 }

    /// When what has not been published is to be, if nothing else comes; nil if all has been.
    var due: Duration? { isBehind ? published.map { $0.at + interval } : nil }

    /// The operation has ended, or what was too soon is due.
    ///
    /// - Returns: The last value; nil if it has been published already, or there is none.
    mutating func finish(at now: Duration) -> OperationProgress? {
        isBehind || published != nil ? publish(at: now) : nil
    }

    /// Takes what is no matter of steps.
    private mutating func take(_ raw: OperationProgress) {
        // Who knows of the one direction does not know of the other.
        if raw.tellsOfSending { current.expectedToSend = raw.expectedToSend }
        if raw.tellsOfReceiving, !isBack(raw) { current.expectedToReceive = raw.expectedToReceive }
        current.sent = max(current.sent, raw.sent)
        current.received = max(current.received, raw.received)
        current.headStart.bytes = max(current.headStart.bytes, raw.headStart.bytes)
    }

    /// Whether it is about a transfer that begins again with no more bytes than were there before. All of
    /// them seem to be there long before its end, so until then it counts as not further than it was.
    private func isBack(_ raw: OperationProgress) -> Bool {
        guard let expected = raw.expectedToReceive else { return false }
        return raw.received < expected && expected <= current.received
    }

    /// Takes the steps of a group.
    ///
    /// - Parameter index: The only one that has changed; nil if any may have.
    /// - Returns: Whether a step has begun or ended. Those of groups in it are not asked: of them there
    ///   may be many at any time.
    private mutating func take(_ new: [OperationProgress.Step], changed index: Int?) -> Bool {
        if let index, let hasTurned = take(index, of: new) { return hasTurned }
        let old = current.steps
        current.steps = Self.later(old, new)
        return old.count != current.steps.count
            || zip(old, current.steps).contains { !$0.isAsFar(as: $1) }
    }

    /// Takes one step, if all others are known.
    ///
    /// - Returns: Whether it has begun or ended; nil if there are others to be taken.
    private mutating func take(_ index: Int, of new: [OperationProgress.Step]) -> Bool? {
        let (count, step) = (current.steps.count, new[index])
        if index == count, new.count == count + 1 {
            current.steps.append(step)
            return true
        }
        guard new.count <= count, current.steps[index].label == step.label else { return nil }
        let old = current.steps[index]
        let later = Self.later(old, step)
        current.steps[index] = later
        return !old.isAsFar(as: later)
    }

    /// Of each step what is further, also of those of groups in it. Those who do steps at the same time
    /// tell of them in any order.
    private static func later(
        _ old: [OperationProgress.Step], _ new: [OperationProgress.Step]
    ) -> [OperationProgress.Step] {
        // What a group does may be other than what was planned for it.
        guard zip(old, new).allSatisfy({ $0.label == $1.label }) else { return new }
        var steps = new.count < old.count ? old : new
        for (index, (old, new)) in zip(old, new).enumerated() { steps[index] = later(old, new) }
        return steps
    }

    private static func later(
        _ old: OperationProgress.Step, _ new: OperationProgress.Step
    ) -> OperationProgress.Step {
        var step = new
        step.steps = later(old.steps, new.steps)
        guard let fraction = old.fraction ?? new.fraction else { return step }
        step.fraction = max(fraction, new.fraction ?? 0)
        return step
    }

    private func isDue(_ now: Duration) -> Bool {
        published.map { now - $0.at >= interval } ?? true
    }

    /// - Parameter isNew: Whether it is known to differ from what was published last.
    private mutating func publish(at now: Duration, isNew: Bool = false) -> OperationProgress? {
        measure(at: now)
        isBehind = false
        guard isNew || published?.value != current else { return nil }
        published = (current, now)
        return current
    }

    /// The operation is suspended.
    mutating func hold(at now: Duration) { heldSince = now }

    /// It goes on. The time meanwhile says nothing about the throughput; one that somebody follows only
    /// since then has none from before.
    mutating func letGo(at now: Duration) {
        defer { heldSince = nil }
        guard let mark else { return }
        self.mark?.at = now - max(.zero, (heldSince ?? mark.at) - mark.at)
    }

    /// A filter of first order: the longer a span, the more its rate counts. No span counts for more than
    /// half: what comes after a stall, however long that was, says most about what is to come.
    private mutating func measure(at now: Duration) {
        let bytes =
            Double(current.sent) + Double(current.received) - Double(current.headStart.bytes)
        guard let mark else {
            self.mark = (bytes, now)
            return
        }
        let span = (now - mark.at) / .seconds(1)
        // Of a shorter span the rate says more about buffers than about the network.
        guard span > 0, now - mark.at >= interval else { return }
        let rate = (bytes - mark.bytes) / span
        let old = current.throughput ?? rate
        let weight = min(span, Self.memory)
        current.throughput = old + (rate - old) * weight / (Self.memory + weight)
        self.mark = (bytes, now)
    }
}

extension OperationProgress {
    /// Whether it is about the request's body.
    fileprivate var tellsOfSending: Bool { sent > 0 || expectedToSend != nil }
    /// Whether it is about the reply's body.
    fileprivate var tellsOfReceiving: Bool { received > 0 || expectedToReceive != nil }
}

extension OperationProgress.Step {
    /// Whether both have yet to begin, are under way, or are done.
    fileprivate func isAsFar(as other: Self) -> Bool {
        (fraction == nil) == (other.fraction == nil) && (fraction == 1) == (other.fraction == 1)
    }
}
