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

    /// At most ten values a second by default.
    init(interval: Duration = .milliseconds(100)) {
        self.interval = interval
    }

    /// Takes raw counts, which may go down when a transfer begins again.
    ///
    /// - Returns: What is to be published; nil if nothing is, as yet.
    mutating func feed(_ raw: OperationProgress, at now: Duration) -> OperationProgress? {
        let old = current
        take(raw)
        isBehind = true
        let isDone = current.fraction == 1 && old.fraction != 1
        guard isDone || Self.hasTurned(old.steps, current.steps) || isDue(now) else { return nil }
        return publish(at: now)
    }

    /// When what has not been published is to be, if nothing else comes; nil if all has been.
    var due: Duration? { isBehind ? published.map { $0.at + interval } : nil }

    /// The operation has ended, or what was too soon is due.
    ///
    /// - Returns: The last value; nil if it has been published already, or there is none.
    mutating func finish(at now: Duration) -> OperationProgress? {
        isBehind || published != nil ? publish(at: now) : nil
    }

    private mutating func take(_ raw: OperationProgress) {
        let old = current
        current = raw
        // Who knows of the one direction does not know of the other.
        current.expectedToSend = raw.expectedToSend ?? old.expectedToSend
        current.expectedToReceive = raw.expectedToReceive ?? old.expectedToReceive
        current.sent = max(old.sent, raw.sent)
        current.received = max(old.received, raw.received)
        current.throughput = old.throughput
        current.steps = Self.later(old.steps, raw.steps)
    }

    /// Of each step what is further, also of those of groups in it. Those who do steps at the same time
    /// tell of them in any order.
    private static func later(
        _ old: [OperationProgress.Step], _ new: [OperationProgress.Step]
    ) -> [OperationProgress.Step] {
        // What a group does may be other than what was planned for it.
        guard zip(old, new).allSatisfy({ $0.label == $1.label }) else { return new }
        var steps = new.count < old.count ? old : new
        for (index, (old, new)) in zip(old, new).enumerated() {
            steps[index].steps = later(old.steps, new.steps)
            guard let fraction = old.fraction ?? new.fraction else { continue }
            steps[index].fraction = max(fraction, new.fraction ?? 0)
        }
        return steps
    }

    /// Whether a step has begun or ended. Those of groups in it are not asked: of them there may be many
    /// at any time.
    private static func hasTurned(
        _ old: [OperationProgress.Step], _ new: [OperationProgress.Step]
    ) -> Bool {
        old.count != new.count || zip(old, new).contains { !$0.isAsFar(as: $1) }
    }

    private func isDue(_ now: Duration) -> Bool {
        published.map { now - $0.at >= interval } ?? true
    }

    private mutating func publish(at now: Duration) -> OperationProgress? {
        measure(at: now)
        isBehind = false
        guard published?.value != current else { return nil }
        published = (current, now)
        return current
    }

    /// A filter of first order: the longer a span, the more its rate counts.
    private mutating func measure(at now: Duration) {
        let bytes = Double(current.sent) + Double(current.received)
        guard let mark else {
            self.mark = (bytes, now)
            return
        }
        let span = (now - mark.at) / .seconds(1)
        // Of a shorter span the rate says more about buffers than about the network.
        guard span > 0, now - mark.at >= interval else { return }
        let rate = (bytes - mark.bytes) / span
        let old = current.throughput ?? rate
        current.throughput = old + (rate - old) * span / (Self.memory + span)
        self.mark = (bytes, now)
    }
}

extension OperationProgress.Step {
    /// Whether both have yet to begin, are under way, or are done.
    fileprivate func isAsFar(as other: Self) -> Bool {
        (fraction == nil) == (other.fraction == nil) && (fraction == 1) == (other.fraction == 1)
    }
}
