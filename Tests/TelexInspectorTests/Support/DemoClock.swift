import Foundation
import TelexJSON
import TelexRuntime
import TelexTesting

/// A clock on which a pause takes no time of the machine: a sleep ends at once, at its deadline. The
/// time-outs of calls never end.
final class DemoClock: Sendable {
    private static let longest = Duration.seconds(20)
    private let elapsed = Lock(Duration.zero)
    private let start = Date(timeIntervalSince1970: 1_790_000_000)

    var now: Duration { elapsed.withLock { $0 } }

    /// Lets time pass.
    func pass(_ time: Duration) { elapsed.withLock { $0 += time } }

    var runtimeClock: RuntimeClock {
        RuntimeClock(
            now: { self.start.addingTimeInterval(self.now / .seconds(1)) },
            elapsed: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    private func sleep(until deadline: Duration) async throws {
        let isLong = elapsed.withLock { elapsed in
            guard deadline - elapsed < Self.longest else { return true }
            elapsed = max(elapsed, deadline)
            return false
        }
        if isLong { await Gate().wait() }
        try Task.checkCancellation()
    }
}
