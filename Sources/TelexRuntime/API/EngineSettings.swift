/// How the engine of an `APIManager` works: what tests put in its place, and what apps rarely change.
public struct EngineSettings: Sendable {
    /// What time it is, and how to wait; the system's by default.
    public var clock: RuntimeClock
    /// How long getting a new credential may take before the calls that wait for it fail; 10 minutes
    /// by default, so that there is time to type a password. What takes longer is not cancelled, lest
    /// a new token be lost: it is kept when it comes, and the next call that needs one waits for it.
    /// nil for no limit.
    public var refreshTimeout: Duration?
    /// Where the random numbers begin that spread retries; another one each time by default.
    public var seed: UInt64
    /// How a failure of the network is looked into.
    public var diagnosis: DiagnosisRules

    /// Makes settings.
    public init(
        clock: RuntimeClock = .system, refreshTimeout: Duration? = .seconds(600),
        seed: UInt64 = .random(in: .min ... .max), diagnosis: DiagnosisRules = DiagnosisRules()
    ) {
        self.clock = clock
        self.refreshTimeout = refreshTimeout
        self.seed = seed
        self.diagnosis = diagnosis
    }
}
