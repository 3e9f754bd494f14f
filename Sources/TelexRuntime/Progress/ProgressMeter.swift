/// Turns raw counts into progress values that never decrease, are limited in frequency, and include
/// a throughput.
///
/// It has no clock: each call passes the time of a monotonic clock.
struct ProgressMeter: Sendable {
    /// The time constant of the throughput, in seconds: after a change, it covers about two thirds
    /// of the difference in this time.
    private static let memory = 3.0

    /// The minimum time between two values, except for the first, the last, 100 %, and the begin or
    /// end of a step.
    let interval: Duration
    private var current = OperationProgress()
    private var published: (value: OperationProgress, at: Duration)?
    /// Whether there is a change that has not been published.
    private var isBehind = false
    /// The bytes and time of the last throughput measurement.
    private var lastMeasurement: (bytes: Double, at: Duration)?
    /// Since when the operation is suspended; nil if it is not.
    private var heldSince: Duration?

    /// Creates a meter; by default it publishes at most ten values per second.
    init(interval: Duration = .milliseconds(100)) {
        self.interval = interval
    }

    /// Processes raw counts, which may decrease when a transfer starts over.
    ///
    /// - Parameter step: The only step that changed, so that the others need not be compared; nil
    ///   if any may have changed.
    /// - Returns: The value to publish; nil for none yet.
    mutating func feed(
        _ raw: OperationProgress, step: Int? = nil, at now: Duration
    ) -> OperationProgress? {
        let wasDone = isDoneCall
        take(raw)
        let hasChangedStage = take(raw.steps, changed: step)
        isBehind = true
        guard hasChangedStage || isDoneCall && !wasDone || isDue(now) else { return nil }
        return publish(at: now, isNew: hasChangedStage)
    }

    /// Whether it is a call with all bytes transferred. A group is done when its last step ends.
    private var isDoneCall: Bool { current.steps.isEmpty && current.fraction == 1 }

    /// When the unpublished change is due; nil if there is none.
    var due: Duration? { isBehind ? published.map { $0.at + interval } : nil }

    /// Publishes at the end of the operation, or when an unpublished change is due.
    ///
    /// - Returns: The last value; nil if it has been published already, or there is none.
    mutating func finish(at now: Duration) -> OperationProgress? {
        isBehind || published != nil ? publish(at: now) : nil
    }

    /// Processes everything but the steps.
    private mutating func take(_ raw: OperationProgress) {
        // The sender and the receiver of bytes report separately, each with its own direction only.
        if raw.reportsSending { current.expectedToSend = raw.expectedToSend }
        if raw.reportsReceiving, !isRestart(raw) {
            current.expectedToReceive = raw.expectedToReceive
        }
        current.sent = max(current.sent, raw.sent)
        current.received = max(current.received, raw.received)
        current.headStart.bytes = max(current.headStart.bytes, raw.headStart.bytes)
    }

    /// Whether it reports a restarted transfer whose length does not exceed the bytes received
    /// before. All bytes would seem to be there long before its end, so until then the expected
    /// length is not updated.
    private func isRestart(_ raw: OperationProgress) -> Bool {
        guard let expected = raw.expectedToReceive else { return false }
        return raw.received < expected && expected <= current.received
    }

    /// Processes the steps of a group.
    ///
    /// - Parameter index: The only step that changed; nil if any may have changed.
    /// - Returns: Whether a step has begun or ended. Steps of nested groups are ignored, because
    ///   there may be many of them.
    private mutating func take(_ new: [OperationProgress.Step], changed index: Int?) -> Bool {
        if let index, let hasChangedStage = take(index, of: new) { return hasChangedStage }
        let old = current.steps
        current.steps = Self.later(old, new)
        return old.count != current.steps.count
            || zip(old, current.steps).contains { !$0.isInSameStage(as: $1) }
    }

    /// Processes one step if the others are known.
    ///
    /// - Returns: Whether it has begun or ended; nil if other steps have to be processed too.
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
        return !old.isInSameStage(as: later)
    }

    /// The further progress of each step, including nested ones, because concurrent steps report in
    /// any order.
    private static func later(
        _ old: [OperationProgress.Step], _ new: [OperationProgress.Step]
    ) -> [OperationProgress.Step] {
        // The actual steps of a group may differ from the planned ones.
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

    /// - Parameter isNew: Whether the value is known to differ from the last published one.
    private mutating func publish(at now: Duration, isNew: Bool = false) -> OperationProgress? {
        measure(at: now)
        isBehind = false
        guard isNew || published?.value != current else { return nil }
        published = (current, now)
        return current
    }

    /// Records that the operation is suspended.
    mutating func hold(at now: Duration) { heldSince = now }

    /// Records that the operation resumes. The time of the suspension does not count for the
    /// throughput. If progress was first requested during the suspension, the time before it does
    /// not count either.
    mutating func letGo(at now: Duration) {
        defer { heldSince = nil }
        guard let lastMeasurement else { return }
        self.lastMeasurement?.at =
            now - max(.zero, (heldSince ?? lastMeasurement.at) - lastMeasurement.at)
    }

    /// A first-order filter: the longer an interval, the more its rate counts, up to one half. So
    /// after a stall of any length, the current rate prevails quickly.
    private mutating func measure(at now: Duration) {
        let bytes =
            Double(current.sent) + Double(current.received) - Double(current.headStart.bytes)
        guard let lastMeasurement else {
            self.lastMeasurement = (bytes, now)
            return
        }
        let span = (now - lastMeasurement.at) / .seconds(1)
        // Over shorter intervals, the rate reflects buffers rather than the network.
        guard span > 0, now - lastMeasurement.at >= interval else { return }
        let rate = (bytes - lastMeasurement.bytes) / span
        let old = current.throughput ?? rate
        let weight = min(span, Self.memory)
        current.throughput = old + (rate - old) * weight / (Self.memory + weight)
        self.lastMeasurement = (bytes, now)
    }
}

extension OperationProgress {
    /// Whether it reports on the request's body.
    fileprivate var reportsSending: Bool { sent > 0 || expectedToSend != nil }
    /// Whether it reports on the reply's body.
    fileprivate var reportsReceiving: Bool { received > 0 || expectedToReceive != nil }
}

extension OperationProgress.Step {
    /// Whether both are in the same stage: not begun, in progress, or done.
    fileprivate func isInSameStage(as other: Self) -> Bool {
        (fraction == nil) == (other.fraction == nil) && (fraction == 1) == (other.fraction == 1)
    }
}
