import TelexRuntime

/// Whether a body of a reply has been given up, by its reader's task or by somebody else.
final class Abandonment: Sendable {
    private let gate = Gate()

    /// Nobody wants the rest.
    func cancel() { gate.open() }

    /// - Throws: `.cancelled` if nobody wants the rest.
    func check() throws(TransportError) {
        if Task.isCancelled || gate.isOpen { throw .cancelled }
    }

    /// Returns once another gate is open.
    ///
    /// - Throws: `.cancelled` if nobody wants the rest any more.
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
