import TelexJSON

extension ValidationReport {
    /// Adds what another check of the same reply has found, except violations of a rule at a place
    /// where it is already known to be violated.
    package mutating func add(_ other: ValidationReport) {
        let known = Set(violations.map { [$0.path, $0.rule] })
        violations += other.violations.filter { !known.contains([$0.path, $0.rule]) }
    }
}
