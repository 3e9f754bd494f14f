import Dispatch
import Synchronization

/// Has exchanges begin where nobody waits for Foundation.
///
/// All sessions of corelibs-foundation share one queue, and whoever makes, starts or cancels a task waits
/// for it. What keeps it busy is a head: of one with tens of thousands of fields, each costs more than the
/// one before. So an exchange begins on a queue of ours while the head of another one is awaited,
/// and on its thread otherwise, which is faster. Elsewhere nobody waits.
enum Beginnings {
    #if canImport(FoundationNetworking)
        /// How many exchanges of the process have begun, or are about to, whose heads may yet come.
        private static let awaited = Atomic(0)
        private static let queue = DispatchQueue(label: "telex.urlsession.beginnings")
    #endif

    /// Does what begins an exchange, now or later. Whatever becomes of it, ``endWait()`` has to follow,
    /// once.
    static func begin(_ work: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
            let others = awaited.add(1, ordering: .relaxed).oldValue
            if others > 0 { return queue.async(execute: work) }
        #endif
        work()
    }

    /// The head of an exchange has come, or cannot come any more: Foundation is done with it.
    static func endWait() {
        #if canImport(FoundationNetworking)
            awaited.subtract(1, ordering: .relaxed)
        #endif
    }
}
