/// The progress of an operation: bytes in both directions, and the steps of a group.
///
/// Within one operation neither ``sent`` nor ``received`` ever decreases. If a transfer starts
/// over, they stay constant until the new attempt has reached them, while ``throughput`` falls. If
/// a document is now shorter than the part received before, they and ``fraction`` stay constant
/// until its end.
public struct OperationProgress: Sendable, Hashable {
    /// One part of the work of a group.
    public struct Step: Sendable, Hashable {
        /// What the step does, for people.
        public var label: String
        /// Its share of the work relative to the other steps; 1 by default. Values that are not
        /// above zero count as zero.
        public var weight: Double
        /// How much of it is done, from 0 to 1; nil if unknown, which counts as 0.
        public var fraction: Double?
        /// The steps of a group that is this step; empty otherwise.
        public var steps: [Step]

        /// Creates a step.
        public init(
            _ label: String, weight: Double = 1, fraction: Double? = nil, steps: [Step] = []
        ) {
            self.label = label
            self.weight = weight
            self.fraction = fraction
            self.steps = steps
        }
    }

    /// How many bytes of the request's body have been sent; for a group, by all its operations.
    public var sent: Int
    /// The length of the request's body in bytes; nil if unknown, as for a group.
    public var expectedToSend: Int?
    /// How many bytes of the reply's body have been received; for a group, by all its operations.
    public var received: Int
    /// The length of the reply's body in bytes; nil if unknown, before a reply, and for a group.
    public var expectedToReceive: Int?
    /// Bytes per second in both directions, smoothed over the last seconds; nil at the beginning.
    /// Time during a suspension does not count, nor do bytes that were on disk before the operation
    /// began or that a step transferred before it joined the group.
    public var throughput: Double?
    /// The steps of a group, in order; empty for a single call.
    public var steps: [Step]
    /// Whether the operation has been started. Only the first value of a stream that was created
    /// before can be false; the next one comes once the operation makes progress.
    public internal(set) var hasStarted = true
    /// The bytes that do not count for the throughput.
    var headStart = HeadStart()

    /// The number of bytes that were present from the start: on disk, or transferred before a step
    /// joined the group. All values are equal, because this is internal and must not affect the
    /// equality of progress values.
    struct HeadStart: Sendable, Hashable {
        var bytes = 0

        static func == (_: Self, _: Self) -> Bool { true }
        func hash(into _: inout Hasher) {}
    }

    /// Creates a progress value.
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
    /// How much is done, from 0 to 1; nil if unknown.
    ///
    /// For a group, it is the weighted mean of its steps: the planned ones, and others that have
    /// begun. An unplanned step lowers it when it begins, even from 1; to avoid this, plan all
    /// steps. A step that is a group never decreases, and counts as done only when that group has
    /// ended.
    ///
    /// For a call, it is the share of all bytes whose number is known: until a reply arrives those
    /// of the request, then those of both. So it decreases once if a request with a body has a long
    /// reply.
    public var fraction: Double? {
        guard steps.isEmpty else { return stepFraction }
        guard let total else { return nil }
        return total > 0 ? min(1, done / total) : 1
    }

    /// The estimated time until all bytes are transferred, at the current ``throughput``; nil if
    /// unknown, or more than 30 years.
    public var remaining: Duration? {
        guard let total, let throughput, throughput > 0 else { return nil }
        let seconds = max(0, total - done) / throughput
        return seconds < 1e9 ? .seconds(seconds) : nil
    }

    private var stepFraction: Double? {
        let weights = steps.map { $0.weight > 0 && $0.weight.isFinite ? $0.weight : 0 }
        // Divide first, because the sum of large weights may be infinite.
        guard let largest = weights.max(), largest > 0 else { return nil }
        let shares = weights.map { $0 / largest }
        let done = zip(shares, steps).reduce(0) { $0 + $1.0 * Self.unit($1.1.fraction ?? 0) }
        return min(1, done / shares.reduce(0, +))
    }

    private var done: Double { max(0, Double(sent)) + max(0, Double(received)) }

    /// The length of both bodies in bytes; nil if a body in transfer has an unknown length.
    private var total: Double? {
        guard expectedToSend != nil || sent <= 0 else { return nil }
        guard expectedToReceive != nil || received <= 0 else { return nil }
        let sum = max(0, Double(expectedToSend ?? 0)) + max(0, Double(expectedToReceive ?? 0))
        return sum > 0 || expectedToReceive != nil ? sum : nil
    }

    /// The value clamped to 0...1; `nan` becomes 0.
    private static func unit(_ value: Double) -> Double {
        value > 0 ? min(1, value) : 0
    }
}

extension OperationProgress {
    /// The fraction of a step in progress whose operation has this progress. For a group that has
    /// done all steps begun so far it is 0, because further steps are unknown.
    var fractionOfStep: Double {
        let fraction = fraction ?? 0
        return steps.isEmpty || fraction < 1 ? fraction : 0
    }
}

extension OperationProgress.Step {
    /// The step as planned, with nothing done.
    var planned: Self { Self(label, weight: weight, steps: steps.map(\.planned)) }
}
