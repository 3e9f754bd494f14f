import Foundation
import Testing

/// A race that the thread sanitizer has to report.
@Suite("A deliberate race")
struct DeliberateRaceTests {
    // Unchecked, and wrongly so: that is the point.
    private final class Count: @unchecked Sendable { var value = 0 }

    @Test("is reported")
    func race() {
        let count = Count()
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            for _ in 0..<100_000 { count.value += 1 }
        }
        #expect(count.value > 0)
    }
}
