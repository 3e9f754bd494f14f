/// The progress of the steps of a group.
struct GroupSteps: Sendable {
    typealias Step = OperationProgress.Step

    /// A change of a group's progress since the last report.
    struct News {
        let progress: OperationProgress
        /// The only step that changed; nil if any may have changed.
        let step: Int?
    }

    private var steps: [Step]
    /// The first planned step of each name that has not begun.
    private var first: [String: Int] = [:]
    /// For each planned step, the next one with the same name; the number of steps if there is
    /// none.
    private var following: [Int]
    /// The bytes that each step has sent and received, and how many it had when it joined.
    private var bytes: [Int: (sent: Int, received: Int, headStart: Int)] = [:]
    /// The sums, which saturate.
    private var total = (sent: 0, received: 0, headStart: 0)
    /// Steps whose earlier progress is being reported.
    private var entering: Set<Int> = []
    /// Whether there is a change that has not been reported.
    private var hasUnreported = true

    init(planned: [Step]) {
        steps = planned.map(\.planned)
        following = Array(repeating: planned.count, count: planned.count)
        for (index, step) in planned.enumerated().reversed() {
            following[index] = first[step.label] ?? planned.count
            first[step.label] = index
        }
    }

    /// Begins a step: a planned one with this name, or a new one. Bytes reported until `enter` were
    /// transferred before it joined.
    ///
    /// - Returns: Its index.
    mutating func begin(_ label: String, weight: Double) -> Int {
        let index = takePlanned(label) ?? steps.count
        if index == steps.count { steps.append(Step(label, weight: weight)) }
        steps[index].fraction = 0
        entering.insert(index)
        return index
    }

    /// Marks the end of the step's earlier progress.
    mutating func enter(_ index: Int) { entering.remove(index) }

    private mutating func takePlanned(_ label: String) -> Int? {
        guard let index = first[label] else { return nil }
        let next = following[index]
        first[label] = next < following.count ? next : nil
        return index
    }

    /// Updates the progress of a step.
    ///
    /// - Parameter progress: The progress of the step's operation, if there is any.
    mutating func update(_ index: Int, fraction: Double, progress: OperationProgress?) {
        steps[index].fraction = max(steps[index].fraction ?? 0, fraction)
        guard let progress else { return }
        steps[index].steps = progress.steps
        count(progress, of: index)
    }

    private mutating func count(_ progress: OperationProgress, of index: Int) {
        let old = bytes[index] ?? (0, 0, 0)
        let (sent, received) = (max(0, progress.sent), max(0, progress.received))
        let headStart =
            entering.contains(index)
            ? sent.saturating(plus: received) : max(old.headStart, progress.headStart.bytes)
        bytes[index] = (sent, received, headStart)
        total.sent = total.sent.saturating(plus: sent - old.sent)
        total.received = total.received.saturating(plus: received - old.received)
        total.headStart = total.headStart.saturating(plus: headStart - old.headStart)
    }

    /// Completes all steps, including planned ones that were not needed.
    mutating func finish() {
        for index in steps.indices { steps[index].fraction = 1 }
        first = [:]
    }

    /// The progress to report; nil for none.
    ///
    /// - Parameters:
    ///   - step: The only step that changed; nil if several may have changed.
    ///   - isTold: Whether there is a listener. Later listeners get all steps first.
    mutating func news(of step: Int?, isTold: Bool) -> News? {
        defer { hasUnreported = !isTold }
        guard isTold, !steps.isEmpty else { return nil }
        var progress = OperationProgress(
            sent: total.sent, received: total.received, steps: steps)
        progress.headStart.bytes = total.headStart
        return News(progress: progress, step: hasUnreported ? nil : step)
    }

    /// The progress with all unreported changes; nil if there are none.
    mutating func unreported() -> OperationProgress? {
        hasUnreported ? news(of: nil, isTold: true)?.progress : nil
    }
}

extension Int {
    /// The sum, clamped to the range of `Int`.
    fileprivate func saturating(plus other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
