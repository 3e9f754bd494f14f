#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation

    /// The queue of a session's delegate, which slows libcurl down while the delegate is behind.
    ///
    /// corelibs-foundation adds an operation for each piece of a body that libcurl has received, and
    /// never waits. A fast server would fill the memory with operations, and a cancellation would
    /// wait behind them. So a full queue lets the thread of libcurl wait. That thread serves all
    /// sessions, so it waits for the delegate only, which never waits long, and not without limit:
    /// the delegate may itself be waiting for that thread.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        private static let capacity = 64
        private let room = DispatchSemaphore(value: 0)

        override init() {
            super.init()
            maxConcurrentOperationCount = 1
            // A semaphore that ends with less than its first value is an error in libdispatch.
            for _ in 0..<Self.capacity { room.signal() }
        }

        /// Adds an operation of Foundation, on the thread of libcurl. Other operations are added as
        /// objects, which do not wait.
        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            let hasRoom = room.wait(timeout: .now() + .milliseconds(100)) == .success
            super.addOperation { [room] in
                block()
                if hasRoom { room.signal() }
            }
        }
    }
#endif
