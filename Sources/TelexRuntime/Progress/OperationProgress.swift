/// How far an operation has come: bytes in both directions, and the steps of a group.
///
/// Within one operation neither ``sent`` nor ``received`` ever goes down. If a transfer has to begin
/// again, they stand still until the new attempt has come as far; ``throughput`` falls meanwhile. If a
/// document has become shorter than what had come of it, they and ``fraction`` stand still until its end.
public struct OperationProgress: Sendable, Hashable {
    /// One part of the work of a group.
    public struct Step: Sendable, Hashable {
        /// What it does, for people.
        public var label: String
        /// Its share of the whole, compared with the other steps; 1 by default. What is not above
        /// zero counts as zero.
        public var weight: Double
        /// How much of it is done, from 0 to 1; nil if that is not known, which counts as 0.
        public var fraction: Double?
        /// The steps of a group that is this step; empty otherwise.
        public var steps: [Step]

        /// Makes a step.
        public init(
            _ label: String, weight: Double = 1, fraction: Double? = nil, steps: [Step] = []
        ) {
            self.label = label
            self.weight = weight
            self.fraction = fraction
            self.steps = steps
        }
    }

    /// How many bytes of the request's body have been sent; of a group, by all that it runs.
    public var sent: Int
    /// How many bytes the request's body has; nil if that is not known, as that of a group.
    public var expectedToSend: Int?
    /// How many bytes of the reply's body have been received; of a group, by all that it runs.
    public var received: Int
    /// How many bytes the reply's body has; nil if that is not known, no reply has come
    /// yet, or it is a group.
    public var expectedToReceive: Int?
    /// Bytes a second in both directions, smoothed over the last seconds; nil at the beginning. The time
    /// in which the operation is suspended does not count, nor do bytes that were on disk before it began
    /// or, of a group, that one of its steps had before it was one.
    public var throughput: Double?
    /// The steps of a group, in order; empty for a single call.
    public var steps: [Step]
    /// What says nothing about the throughput.
    var headStart = HeadStart()

    /// How many of the bytes were there from the start: on disk, or before a group ran what they belong to.
    /// Values that differ in nothing else are equal, since nobody else sees it.
    struct HeadStart: Sendable, Hashable {
        var bytes = 0

        static func == (_: Self, _: Self) -> Bool { true }
        func hash(into _: inout Hasher) {}
    }

    /// Makes a progress value.
    public init(
        sent: Int = 0, expectedToSend: Int? = nil, received: Int = 0,
        expectedToReceive: Int? = nil, throughput: Double? = nil, steps: [Step] = []
    ) {
        self.sent = sent
        self.expectedToSend = expectedToSend
        self.received = received
        self.expectedToReceive = expectedToReceive
        self.throughput = throughput
        self.steps = steps
    }
}

extension OperationProgress {
    /// How much is done, from 0 to 1; nil if that is not known.
    ///
    /// Of a group it is the weighted mean of its steps: those that were planned, and of others those that
    /// have begun. Nobody knows of these before, so it falls when one begins, even from 1; where it must
    /// not, plan all of them. A step that is a group does not go back, and counts as done only when that
    /// has ended.
    ///
    /// Of a call it is the share of all bytes whose number is known: until a reply comes those of the
    /// request, then those of both. So it falls once if a request with a body has a long reply.
    public var fraction: Double? {
        guard steps.isEmpty else { return stepFraction }
        guard let total else { return nil }
        return total > 0 ? min(1, done / total) : 1
    }

    /// How long it will take until all bytes are there, at the present ``throughput``; nil if that
    /// is not known, or more than 30 years.
    public var remaining: Duration? {
        guard let total, let throughput, throughput > 0 else { return nil }
        let seconds = max(0, total - done) / throughput
        return seconds < 1e9 ? .seconds(seconds) : nil
    }

    private var stepFraction: Double? {
        let weights = steps.map { $0.weight > 0 && $0.weight.isFinite ? $0.weight : 0 }
        // Divided first: the sum of large weights need not be finite.
        guard let largest = weights.max(), largest > 0 else { return nil }
        let shares = weights.map { $0 / largest }
        let done = zip(shares, steps).reduce(0) { $0 + $1.0 * Self.unit($1.1.fraction ?? 0) }
        return min(1, done / shares.reduce(0, +))
    }

    private var done: Double { max(0, Double(sent)) + max(0, Double(received)) }

    /// All bytes of both bodies; nil if those of one that is on its way are not known.
    private var total: Double? {
        guard expectedToSend != nil || sent <= 0 else { return nil }
        guard expectedToReceive != nil || received <= 0 else { return nil }
        let sum = max(0, Double(expectedToSend ?? 0)) + max(0, Double(expectedToReceive ?? 0))
        return sum > 0 || expectedToReceive != nil ? sum : nil
    }

    /// Within 0 and 1, also what is no number.
    private static func unit(_ value: Double) -> Double {
        value > 0 ? min(1, value) : 0
    }
}

extension OperationProgress {
    /// How much of a step is done that has not ended, and is an operation that has come so far. If that
    /// is a group, nobody knows what comes when all that has begun is done.
    var fractionOfStep: Double {
        let fraction = fraction ?? 0
        return steps.isEmpty || fraction < 1 ? fraction : 0
    }
}

extension OperationProgress.Step {
    /// The step as a plan has it: nothing of it is done.
    var planned: Self { Self(label, weight: weight, steps: steps.map(\.planned)) }
}
