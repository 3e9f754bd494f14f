import Foundation
import TelexTesting

@testable import TelexRuntime

/// A clock that each sleep advances, and whose date can be set.
final class VirtualTime: Sendable {
    private let seconds = LockedValue(0)
    private let naps = LockedValue<[Duration]>([])
    private let shift = LockedValue(0.0)

    /// The durations of all sleeps.
    var slept: [Duration] { naps.value }
    var clock: RuntimeClock {
        RuntimeClock(
            now: { Date(timeIntervalSince1970: Double(self.seconds.value) + self.shift.value) },
            elapsed: { .seconds(self.seconds.value) },
            sleep: { try await self.sleep($0 - .seconds(self.seconds.value)) })
    }

    /// Moves the date without advancing the clock.
    func setDate(later seconds: Double) { shift.change { $0 += seconds } }

    /// The time-out of an exchange, which is never reached.
    static let patience = Duration.seconds(3600)

    private func sleep(_ duration: Duration) async throws {
        if duration >= Self.patience { await Gate().wait() }
        try Task.checkCancellation()
        naps.change { $0.append(duration) }
        seconds.change { $0 += Int(duration.components.seconds) }
    }
}
