import Dispatch

#if canImport(FoundationNetworking)
    import FoundationNetworking
    import Synchronization
#endif

/// Starts exchanges so that no caller blocks on Foundation's queue.
///
/// All sessions of corelibs-foundation share one queue, and creating, starting or cancelling a task
/// waits for it. A head with tens of thousands of fields blocks that queue, because each field
/// costs more than the one before; a cancellation waits there while other replies are read. So an
/// exchange starts on a queue of this module while the head of another one or a cancellation is
/// awaited, and otherwise directly on its thread, which is faster. Other platforms always start
/// directly.
enum ExchangeStarter {
    #if canImport(FoundationNetworking)
        /// The number of exchanges of the process that have started, or are about to, and whose
        /// head may still arrive, and of cancellations in progress.
        private static let awaited = Atomic(0)
        private static let queue = DispatchQueue(label: "telex.urlsession.beginnings")
    #endif

    /// Runs `work`, which starts an exchange, now or later. ``endWait()`` has to follow exactly
    /// once, whatever the outcome.
    static func begin(_ work: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
            let others = awaited.add(1, ordering: .relaxed).oldValue
            if others > 0 { return queue.async(execute: work) }
        #endif
        work()
    }

    #if canImport(FoundationNetworking)
        /// Cancels a task on a queue, since that waits for the thread of libcurl, which may wait for
        /// the delegate.
        static func cancel(_ task: URLSessionTask, on queue: DispatchQueue) {
            awaited.add(1, ordering: .relaxed)
            queue.async {
                task.cancel()
                endWait()
            }
        }
    #endif

    /// Records that the head of an exchange has arrived, or cannot arrive, so that it does not
    /// block Foundation.
    static func endWait() {
        #if canImport(FoundationNetworking)
            awaited.subtract(1, ordering: .relaxed)
        #endif
    }
}
