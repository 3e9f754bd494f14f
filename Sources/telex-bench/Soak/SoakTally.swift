import TelexJSON
import TelexRuntime
import TelexTesting

/// The results of the operations of one client, and the requests that its servers received.
final class SoakTally: Sendable {
    private struct State {
        /// The number of ends per state, by method.
        var ends: [String: [OperationState: Int]] = [:]
        var requests = 0
        var faultsMet: Set<Int> = []
        var mistakes: [String] = []
    }

    /// The name of the transport.
    let name: String
    /// The faults that the servers play.
    let faults: [Fault]
    private let state = Lock(State())

    init(_ name: String, _ faults: [Fault]) {
        self.name = name
        self.faults = faults
    }

    func count(_ method: String, _ end: OperationState) {
        state.withLock { $0.ends[method, default: [:]][end, default: 0] += 1 }
    }

    /// Counts a request.
    func countRequest() { state.withLock { $0.requests += 1 } }

    /// Records that a request met the fault with this number.
    func meet(_ fault: Int) { state.withLock { _ = $0.faultsMet.insert(fault) } }

    func wrong(_ mistake: String) { state.withLock { $0.mistakes.append("\(name): \(mistake)") } }

    // MARK: Results

    /// The mistakes, and the operations and faults that were not tried often enough. A soak without
    /// activity must not pass.
    var problems: [String] {
        let state = state.withLock { $0 }
        var missing: [String] = []
        for method in SoakAPI.APIMethod.allCases.map(\.rawValue) + [Self.group] {
            let ends = state.ends[method] ?? [:]
            let (all, good) = (ends.values.reduce(0, +), ends[.succeeded] ?? 0)
            // A call cannot succeed with many of the faults.
            let least = method == SoakAPI.APIMethod.fault.rawValue ? 1 : max(1, all / 4)
            if good < least { missing.append("only \(good) of \(all) of \(method) succeeded") }
        }
        let successes = state.ends.filter { $0.key != Self.group }.values
            .reduce(0) { $0 + ($1[.succeeded] ?? 0) }
        if state.requests < successes {
            missing.append("\(successes) calls succeeded by \(state.requests) requests")
        }
        if state.faultsMet.count < faults.count / 2 {
            missing.append("\(state.faultsMet.count) of \(faults.count) faults were met")
        }
        return state.mistakes + missing.map { "\(name): \($0)" }
    }

    /// The name under which groups are counted.
    private static let group = "group"

    /// The number of operations and of their ends.
    static func text(_ tallies: [SoakTally]) -> String {
        var ends: [String: Int] = [:]
        for tally in tallies {
            for (end, count) in tally.state.withLock({ $0.ends }).values.joined() {
                ends[end.description, default: 0] += count
            }
        }
        let total = ends.values.reduce(0, +)
        return "\(total) operations: "
            + ends.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(
                separator: ", ")
    }

    /// The number of successes of each kind, in one line.
    var text: String {
        let state = state.withLock { $0 }
        let ends = state.ends.sorted { $0.key < $1.key }.map {
            "\($0.value[.succeeded] ?? 0) of \($0.value.values.reduce(0, +)) \($0.key)"
        }
        return "\(name): \(state.requests) requests, \(state.faultsMet.count) of \(faults.count) "
            + "faults; succeeded: \(ends.joined(separator: ", "))"
    }
}
