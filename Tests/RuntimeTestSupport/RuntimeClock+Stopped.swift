package import TelexRuntime
import TelexTesting

/// Returns once a condition is true, or the task is cancelled. For conditions without an event to wait
/// for. There is no time limit, so that the speed of the machine does not matter.
package func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

extension RuntimeClock {
    /// A clock of its own on which no time passes, so that no time-out can end.
    package static var stopped: RuntimeClock { VirtualClock().runtimeClock }
}
