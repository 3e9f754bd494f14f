/// What an operation without a running attempt waits for.
package enum OperationWait: Sendable, Equatable {
    /// Its turn.
    case turn
    /// Prerequisites, which have to succeed first.
    case others
    /// The end of its host's pause, this far away.
    case host(Duration)
    /// A new token.
    case token
    /// To be resumed.
    case resumption
}
