import Synchronization

/// Calls that are on their way and may be shared: equal calls made meanwhile get the same reply.
final class Flights: Sendable {
    /// What makes two calls equal, the credential included: another user's reply is another reply.
    struct Identity: Hashable, Sendable {
        var request: String
        var server: ServerChoice?
        var credential: Credential?
        /// How the request is to be made.
        var manner = Manner()
        /// What the reply becomes.
        var output = ObjectIdentifier(Void.self)
    }

    /// What a call may want of the request that it shares: those who want it otherwise have one of their
    /// own. It is what holds in the end that counts, whoever says so. The time of all of the call is no
    /// matter of the request.
    struct Manner: Hashable, Sendable {
        var silence: Duration?
        var attempt: Duration?
        var retry: RetryPolicy?
        var queue: String?
    }

    /// One request and those who wait for it.
    private struct Flight {
        let operation: OperationHandle
        var riders = 1
    }

    private let state = Mutex<[Identity: Flight]>([:])

    /// The value of the call that is on its way; makes one if there is none. The last one to give up
    /// waiting cancels it.
    func value<Output>(
        _ identity: Identity, _ context: AttemptContext,
        _ make: @Sendable () -> NetworkOperation<Output>
    ) async throws -> Output {
        let value = try await ride(identity, context, make)
        // One that is held meanwhile has its value when it goes on, as with a request of its own.
        try await context.passGate()
        return value
    }

    private func ride<Output>(
        _ identity: Identity, _ context: AttemptContext,
        _ make: @Sendable () -> NetworkOperation<Output>
    ) async throws -> Output {
        // One that has been cancelled meanwhile must not have a request sent that nobody waits for.
        context.heedStop()
        try Task.checkCancellation()
        let fresh = make()
        let operation = join(identity, fresh)
        defer { leave(identity, operation) }
        follow(operation, context)
        try await context.passGate()
        if operation.priority < fresh.priority { hasten(operation, to: fresh.priority) }
        let value = try await operation.value(cancelling: false)
        let record = operation.live.withLock { $0.record }?.contents
        if let record, let head = record.head { context.keep(head, record.body) }
        return value
    }

    /// Shows the progress of the request as that of a call, which somebody may begin to follow at any
    /// time. The request may go on for long after the call.
    private func follow(_ operation: OperationHandle, _ context: AttemptContext) {
        operation.tracker.forward(isSeen: { [weak context] in context?.isSeen ?? false }) {
            [weak context] in context?.report($0)
        }
    }

    /// - Parameter fresh: Made without the lock; one that is not needed is forgotten unstarted.
    private func join<Output>(
        _ identity: Identity, _ fresh: NetworkOperation<Output>
    ) -> NetworkOperation<Output> {
        // An errand cannot wait for what may wait for a refresh.
        guard fresh.engine.errand == nil else { return fresh }
        return state.withLock { flights in
            // One that has ended may still have riders who have not been told: its reply is theirs.
            if let operation = flights[identity]?.operation as? NetworkOperation<Output>,
                operation.live.withLock({ $0.end == nil })
            {
                flights[identity]?.riders += 1
                return operation
            }
            flights[identity] = Flight(operation: fresh)
            return fresh
        }
    }

    private func hasten(_ operation: OperationHandle, to priority: CallPriority) {
        // Whoever made it may be held, and have yet to start it.
        operation.begin()
        operation.engine.send(.raise(operation.id, to: priority))
    }

    private func leave(_ identity: Identity, _ operation: OperationHandle) {
        let hasEnded = operation.state.isTerminal
        let isLast = state.withLock { flights in
            guard let flight = flights[identity], flight.operation.id == operation.id else {
                return true
            }
            flights[identity]?.riders -= 1
            // An operation that has ended is nobody's to join.
            guard flight.riders == 1 || hasEnded else { return false }
            flights[identity] = nil
            return flight.riders == 1
        }
        if isLast { operation.cancel() }
    }
}
