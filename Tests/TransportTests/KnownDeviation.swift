import TelexTesting

/// Where a transport cannot do what an honest client has to, since what lies below it does not let
/// it. The tests expect exactly this, so that whoever mends what lies below hears of it.
struct KnownDeviation: Sendable {
    /// The fault, by its name.
    let fault: String
    /// Why that cannot be helped.
    let reason: String
    /// What comes out instead, by the number of the exchange.
    let outcomes: [Int: [Fault.Outcome]]
}

extension Fault {
    /// The same fault with what a transport makes of it instead.
    func allowing(_ deviation: KnownDeviation?) -> Fault {
        var fault = self
        for (number, outcomes) in deviation?.outcomes ?? [:] {
            fault.probes[number].outcomes = outcomes
        }
        return fault
    }
}
