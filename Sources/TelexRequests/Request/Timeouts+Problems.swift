import TelexJSON
import TelexScheduling

extension Timeouts {
    /// The violations of time-outs that are not above zero.
    package var problems: [Violation] {
        // A fast path, because every call is checked.
        guard min(silence, attempt ?? silence, total ?? silence) <= .zero else { return [] }
        let times = [("silence", silence), ("attempt", attempt), ("total", total)]
        return times.compactMap { name, time in
            guard let time, time <= .zero else { return nil }
            return Violation(
                path: "timeouts.\(name)", rule: "timeouts", expected: "a time above zero",
                found: "\(time)")
        }
    }
}
