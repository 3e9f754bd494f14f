import Foundation
import TelexTesting

@testable import TelexRuntime

/// A clock that goes on when somebody sleeps, and whose date somebody may set.
final class VirtualTime: Sendable {
    private let seconds = LockedValue(0)
    private let naps = LockedValue<[Duration]>([])
    private let shift = LockedValue(0.0)

    /// How long was slept, each time.
    var slept: [Duration] { naps.value }
    var clock: RuntimeClock {
        RuntimeClock(
            now: { Date(timeIntervalSince1970: Double(self.seconds.value) + self.shift.value) },
            elapsed: { .seconds(self.seconds.value) },
            sleep: { try await self.sleep($0 - .seconds(self.seconds.value)) })
    }

    /// Somebody sets the date.
    func setDate(later seconds: Double) { shift.change { $0 += seconds } }

    /// How long an exchange may take: a time that never passes.
    static let patience = Duration.seconds(3600)

    private func sleep(_ duration: Duration) async throws {
        if duration >= Self.patience { await Gate().wait() }
        try Task.checkCancellation()
        naps.change { $0.append(duration) }
        seconds.change { $0 += Int(duration.components.seconds) }
    }
}
