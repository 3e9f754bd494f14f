import Foundation

#if canImport(FoundationNetworking)
    /// The queue of a session's delegate, which slows libcurl down while the delegate is behind.
    ///
    /// corelibs-foundation adds an operation for each piece of a body that libcurl has received, and
    /// never waits. A fast server would fill the memory with operations, and a cancellation would
    /// wait behind them. So a full queue lets the thread of libcurl wait. That thread serves all
    /// sessions, so it waits for the delegate only, and not without limit.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {  // `change` guards it
        /// The largest number of pieces that wait without delaying libcurl.
        private static let capacity = 64
        /// The longest wait of libcurl for one piece, in seconds.
        private static let longestWait = 0.1

        private let change = NSCondition()
        /// The number of operations of Foundation that have not run.
        private var pending = 0

        /// Adds an operation of Foundation, on the thread of libcurl. Other operations are added as
        /// objects, which do not wait.
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            let deadline = Date(timeIntervalSinceNow: Self.longestWait)
            change.withLock {
                while pending >= Self.capacity, change.wait(until: deadline) {}
                pending += 1
            }
            super.addOperation { [self] in
                block()
                change.withLock {
                    pending -= 1
                    change.signal()
                }
            }
        }
    }
#else
    /// The queue of a session's delegate.
    typealias DelegateQueue = OperationQueue
#endif
