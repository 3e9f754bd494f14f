import Foundation
import Testing

/// A race that the thread sanitizer has to report.
@Suite("A deliberate race")
struct DeliberateRaceTests {
    private final class Count: @unchecked Sendable { var value = 0 }  // wrongly so: the point

    @Test("is reported")
    func race() {
        let (count, done) = (Count(), DispatchSemaphore(value: 0))
        for _ in 0..<2 {
            Thread {
                count.value += 1
                done.signal()
            }.start()
        }
        for _ in 0..<2 { done.wait() }
        #expect(count.value > 0)
    }
}
