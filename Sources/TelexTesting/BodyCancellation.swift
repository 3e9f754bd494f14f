import TelexRuntime

/// The cancellation state of a reply's body: cancelled by the reader's task or by `cancel()`.
final class BodyCancellation: Sendable {
    private let gate = Gate()

    /// Cancels the body: the rest is not read.
    func cancel() { gate.open() }

    /// - Throws: `.cancelled` if the body has been cancelled.
    func check() throws(TransportError) {
        if Task.isCancelled || gate.isOpen { throw .cancelled }
    }

    /// Waits until another gate is open.
    ///
    /// - Throws: `.cancelled` if the body has been cancelled.
    func pass(_ other: Gate) async throws(TransportError) {
        if !other.isOpen {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await other.wait() }
                group.addTask { await self.gate.wait() }
                await group.next()
                group.cancelAll()
            }
        }
        try check()
    }
}
