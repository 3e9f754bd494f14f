import TelexScheduling

/// A receiver of the events of an `APIManager`, for logs, metrics, traces, recorders and
/// inspectors. Events contain no secrets.
public protocol APIEventListener: Sendable {
    /// The size of the largest body, in bytes, whose text the listener receives; 0 by default. Of a
    /// larger one, it receives the type and the size. Bodies are copied and searched for secrets
    /// only if a listener asks for them.
    var bodyLimit: Int { get }

    /// Handles an event. It is called on the task or thread on which the event occurs, so it must
    /// be quick and must not block. Events of one operation, too, may arrive on several threads at
    /// once: when an operation is cancelled, its end may be reported before the end of its
    /// exchange.
    func handle(_ event: APIEvent)
}

/// A listener that has to run on the task or thread that starts an operation. Events give no such
/// guarantee.
package protocol StartListener: APIEventListener {
    /// Called when this task or thread is about to start the operation; other threads may do so at
    /// the same time.
    ///
    /// - Parameter group: The group whose body this task runs; `nil` if there is none.
    func willStart(_ operation: OperationID, in group: OperationID?)
}

extension APIEventListener {
    /// The default: no bodies.
    public var bodyLimit: Int { 0 }
}
