/// Makes of raw counts what is worth telling: never going down, not too often, with a throughput.
///
/// It knows no clock: every call brings the moment, of any clock that does not jump.
struct ProgressMeter: Sendable {
    /// How long it takes the throughput to forget: after a change it has come about two thirds of
    /// the way in this time.
    private static let memory = 3.0

    /// The shortest time between two values that are neither the first, the last, nor 100 %.
    let interval: Duration
    private var current = OperationProgress()
    private var published: (value: OperationProgress, at: Duration)?
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
        let wasDone = current.fraction == 1
        take(raw)
        let isDone = current.fraction == 1
        guard isDone && !wasDone || isDue(now) else { return nil }
        return publish(at: now)
    }

    /// The operation has ended.
    ///
    /// - Returns: The last value; nil if it has been published already.
    mutating func finish(at now: Duration) -> OperationProgress? {
        publish(at: now)
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

    /// Of each step what is further. Those who do steps at the same time tell of them in any order.
    private static func later(
        _ old: [OperationProgress.Step], _ new: [OperationProgress.Step]
    ) -> [OperationProgress.Step] {
        var steps = new.count < old.count ? old : new
        for (index, (old, new)) in zip(old, new).enumerated() {
            guard let fraction = old.fraction ?? new.fraction else { continue }
            steps[index].fraction = max(fraction, new.fraction ?? 0)
        }
        return steps
    }

    private func isDue(_ now: Duration) -> Bool {
        published.map { now - $0.at >= interval } ?? true
    }

    private mutating func publish(at now: Duration) -> OperationProgress? {
        measure(at: now)
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
