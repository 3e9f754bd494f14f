/// How far the steps of a group are.
struct GroupSteps: Sendable {
    typealias Step = OperationProgress.Step

    /// What has become of a group since the last time.
    struct News {
        let progress: OperationProgress
        /// The only step that is different; nil if any may be.
        let step: Int?
    }

    private var steps: [Step]
    /// Of each name the first planned step that has not begun.
    private var first: [String: Int] = [:]
    /// Of each planned step the next of its name; the number of all for none.
    private var following: [Int]
    /// What each step has sent and received, and how much of that it had from the start.
    private var bytes: [Int: (sent: Int, received: Int, headStart: Int)] = [:]
    /// The sum of it, as long as that is a number.
    private var total = (sent: 0, received: 0, headStart: 0)
    /// Steps that are being told how far they were before.
    private var entering: Set<Int> = []
    /// Whether something has changed that nobody was told of.
    private var hasUntold = true

    init(planned: [Step]) {
        steps = planned.map(\.planned)
        following = Array(repeating: planned.count, count: planned.count)
        for (index, step) in planned.enumerated().reversed() {
            following[index] = first[step.label] ?? planned.count
            first[step.label] = index
        }
    }

    /// A step begins: the one that was planned under this name, or another. What it has come to until
    /// `enter` follows it had before.
    ///
    /// - Returns: Its number.
    mutating func begin(_ label: String, weight: Double) -> Int {
        let index = takePlanned(label) ?? steps.count
        if index == steps.count { steps.append(Step(label, weight: weight)) }
        steps[index].fraction = 0
        entering.insert(index)
        return index
    }

    /// What comes of a step from now on comes while it is one.
    mutating func enter(_ index: Int) { entering.remove(index) }

    private mutating func takePlanned(_ label: String) -> Int? {
        guard let index = first[label] else { return nil }
        let next = following[index]
        first[label] = next < following.count ? next : nil
        return index
    }

    /// A step is so far.
    ///
    /// - Parameter progress: That of the operation which is the step, if it has told any.
    mutating func update(_ index: Int, _ fraction: Double, _ progress: OperationProgress?) {
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

    /// All is done, also what was planned and turned out not to be needed.
    mutating func finish() {
        for index in steps.indices { steps[index].fraction = 1 }
        first = [:]
    }

    /// What is to be told.
    ///
    /// - Parameters:
    ///   - step: The only one that has changed; nil if several may have.
    ///   - isTold: Whether anybody listens. Whoever does so later is told of all steps first.
    mutating func news(of step: Int?, isTold: Bool) -> News? {
        defer { hasUntold = !isTold }
        guard isTold, !steps.isEmpty else { return nil }
        var progress = OperationProgress(
            sent: total.sent, received: total.received, steps: steps)
        progress.headStart.bytes = total.headStart
        return News(progress: progress, step: hasUntold ? nil : step)
    }

    /// What has changed since anybody was told; nil if nothing has.
    mutating func untold() -> OperationProgress? {
        hasUntold ? news(of: nil, isTold: true)?.progress : nil
    }
}

extension Int {
    /// The sum, or the number next to it.
    fileprivate func saturating(plus other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
