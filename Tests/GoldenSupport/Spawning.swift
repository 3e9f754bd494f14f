public import Foundation
import Synchronization

/// Lets one process start at a time.
private let isStarting = Mutex(())

extension Process {
    /// Starts the process while no other test starts one. Foundation on Linux (Swift 6.3.1) was seen
    /// to crash in `run()` when several threads were in it at once.
    ///
    /// - Throws: What `run()` throws.
    public func runAlone() throws {
        try isStarting.withLock { _ in try run() }
    }
}
