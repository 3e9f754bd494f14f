import TelexTesting

/// An outcome of a fault in which a transport differs from an honest client because of the library
/// below it. The tests expect exactly this outcome, so that a fix of the library fails them.
struct KnownDeviation: Sendable {
    /// The name of the fault.
    let fault: String
    /// The cause in the library.
    let reason: String
    /// The other outcomes, by the index of the probe.
    let outcomes: [Int: [Fault.Outcome]]
}

extension Fault {
    /// The same fault with the outcomes of a deviation.
    func allowing(_ deviation: KnownDeviation?) -> Fault {
        var fault = self
        for (number, outcomes) in deviation?.outcomes ?? [:] {
            fault.probes[number].outcomes = outcomes
        }
        return fault
    }
}
