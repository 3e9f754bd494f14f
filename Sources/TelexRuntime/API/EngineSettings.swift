import TelexDiagnosis
import TelexInspection
import TelexValues

/// The settings of an `APIManager`'s engine. Tests replace the clock and the seed; apps rarely
/// change any.
public struct EngineSettings: Sendable {
    /// The clock for times and waiting; the system's by default.
    public var clock: RuntimeClock
    /// How long a refresh may take before the calls that wait for it fail; 10 minutes by default,
    /// so that a user has time to type a password. A slower refresh is not cancelled, because a new
    /// token could be lost: its result is saved when it arrives, and the next call that needs a
    /// token waits for it. Nil for no limit.
    public var refreshTimeout: Duration?
    /// The seed of the random numbers that spread retries; random by default.
    public var seed: UInt64
    /// How network failures are diagnosed.
    public var diagnosis: DiagnosisRules
    /// Prints faults that must not be overlooked, such as a credential store that fails or a template
    /// that cannot be used; by default to the standard error, whether or not the app listens to events.
    public var onFault: @Sendable (String) -> Void
    /// Tells the conditions of the network; those of the system by default.
    public var network: any NetworkConditions

    /// Creates settings.
    public init(
        clock: RuntimeClock = .system, refreshTimeout: Duration? = .seconds(600),
        seed: UInt64 = .random(in: .min ... .max), diagnosis: DiagnosisRules = DiagnosisRules(),
        network: any NetworkConditions = SystemNetwork(),
        onFault: (@Sendable (String) -> Void)? = nil
    ) {
        self.clock = clock
        self.refreshTimeout = refreshTimeout
        self.seed = seed
        self.diagnosis = diagnosis
        self.network = network
        self.onFault = onFault ?? FaultReporter.standardError
    }
}
