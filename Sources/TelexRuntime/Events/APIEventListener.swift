/// Is told what happens to the calls of an `APIManager`: what logs, metrics, traces, recorders and
/// inspectors are. Secrets are taken out before any listener is told anything.
public protocol APIEventListener: Sendable {
    /// How many bytes of each body it wants to see; 0 by default, for none. Bodies are copied and
    /// searched for secrets only if somebody wants them.
    var bodyLimit: Int { get }

    /// Takes in an event. Called on whatever task or thread the event comes from, so it has to be
    /// quick and must not block. Those of one operation, too, may come on several threads at once: one
    /// that is broken off may be told to have ended before its exchange is.
    func handle(_ event: APIEvent)
}

/// A listener that has to know who starts an operation: of events nobody knows on whose thread they
/// come.
package protocol StartListener: APIEventListener {
    /// The operation is about to be started by this task or thread, perhaps at the same time by others.
    ///
    /// - Parameter group: The group whose body this task runs; nil if it runs none.
    func willStart(_ operation: OperationID, in group: OperationID?)
}

extension APIEventListener {
    /// No bodies.
    public var bodyLimit: Int { 0 }
}
