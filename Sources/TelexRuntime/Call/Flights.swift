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
        var pause: Duration?
        var retry: RetryPolicy?
        var queue: String?
        var session = TransportSession.shared
    }

    /// An attempt of a call that waits for a request.
    private struct Rider: Hashable {
        let operation: OperationID
        let attempt: Int

        init(_ context: AttemptContext) {
            operation = context.operation
            attempt = context.number
        }
    }

    /// One request and those who wait for it.
    private struct Flight {
        let operation: OperationHandle
        var riders: Set<Rider>
        /// Those of them that are held.
        var held: Set<Rider> = []
        /// Whether the request is held, as far as is known here.
        var isHeld = false
        /// Whether a thread sees to that.
        var isChanging = false
    }

    private let state = Mutex<[Identity: Flight]>([:])

    /// Takes the requests that nobody waits for but these operations, to be cancelled with them: who
    /// comes later has one of their own.
    func take(onlyFor ids: Set<OperationID>) -> [OperationID] {
        state.withLock { flights in
            let gone = flights.filter { flight in
                flight.value.riders.allSatisfy { ids.contains($0.operation) }
            }
            for identity in gone.keys { flights[identity] = nil }
            return gone.values.map(\.operation.id)
        }
    }

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
        let operation = join(identity, fresh, context)
        context.setShared(operation)
        defer { leave(identity, operation, context) }
        follow(operation, context)
        heedHolds(of: context, identity, operation)
        try await context.passGate()
        // Whoever made it may be held, and have yet to start it.
        operation.begin()
        heedHolds(identity, operation)
        if operation.priority < fresh.priority {
            operation.engine.send(.raise(operation.id, to: fresh.priority))
        }
        let value = try await operation.value(cancelling: false)
        let record = operation.live.withLock { $0.record }?.contents
        if let record, let head = record.head { context.noteReply(head, record.body) }
        return value
    }

    /// Shows the progress of the request as that of a call, which somebody may begin to follow at any
    /// time. The request may go on for long after the call.
    private func follow(_ operation: OperationHandle, _ context: AttemptContext) {
        operation.followed.forward(isSeen: { [weak context] in context?.isSeen ?? false }) {
            [weak context] in context?.report($0)
        }
    }

    /// - Parameter fresh: Made without the lock; one that is not needed is forgotten unstarted.
    private func join<Output>(
        _ identity: Identity, _ fresh: NetworkOperation<Output>, _ context: AttemptContext
    ) -> NetworkOperation<Output> {
        // An errand cannot wait for what may wait for a refresh.
        guard fresh.engine.errand == nil else { return fresh }
        return state.withLock { flights in
            // One that has ended may still have riders who have not been told: its reply is theirs.
            if let operation = flights[identity]?.operation as? NetworkOperation<Output>,
                operation.live.withLock({ $0.end == nil })
            {
                flights[identity]?.riders.insert(Rider(context))
                return operation
            }
            flights[identity] = Flight(operation: fresh, riders: [Rider(context)])
            return fresh
        }
    }

    private func leave(
        _ identity: Identity, _ operation: OperationHandle, _ context: AttemptContext
    ) {
        let hasEnded = operation.state.isTerminal
        let isLast = state.withLock { flights in
            guard var flight = flights[identity], flight.operation.id == operation.id else {
                return true
            }
            flight.riders.remove(Rider(context))
            flight.held.remove(Rider(context))
            // An operation that has ended is nobody's to join.
            flights[identity] = flight.riders.isEmpty || hasEnded ? nil : flight
            return flight.riders.isEmpty
        }
        if isLast { operation.cancel() } else { heedHolds(identity, operation) }
    }

    // MARK: Holding

    /// Has the request held when this and all others who wait for it are.
    private func heedHolds(
        of context: AttemptContext, _ identity: Identity, _ operation: OperationHandle
    ) {
        context.onHold { [weak self, weak operation, weak context] _ in
            guard let self, let operation, let context else { return }
            noteHold(identity, operation, context)
        }
        // It may have been held before that.
        noteHold(identity, operation, context)
    }

    /// One of those who wait is held, or goes on: what is true by now counts, since those who tell it
    /// may overtake each other.
    private func noteHold(
        _ identity: Identity, _ operation: OperationHandle, _ context: AttemptContext
    ) {
        state.withLock { flights in
            guard flights[identity]?.operation.id == operation.id else { return }
            if context.isHeld {
                flights[identity]?.held.insert(Rider(context))
            } else {
                flights[identity]?.held.remove(Rider(context))
            }
        }
        heedHolds(identity, operation)
    }

    /// Holds the request as long as all who wait for it are held. One thread at a time sees to that,
    /// until nothing has changed meanwhile.
    private func heedHolds(_ identity: Identity, _ operation: OperationHandle) {
        var isMine = false
        while let isHeld = change(identity, operation, isMine) {
            isMine = true
            operation.hold(isHeld, by: operation.id)
        }
    }

    /// Whether the request has to be held now, or let go; nil if there is nothing to do, or another
    /// thread does it.
    private func change(
        _ identity: Identity, _ operation: OperationHandle, _ isMine: Bool
    ) -> Bool? {
        state.withLock { flights in
            // One that nobody has started yet cannot be held.
            guard let flight = flights[identity], flight.operation.id == operation.id,
                isMine || !flight.isChanging, operation.live.withLock({ $0.isKnown })
            else { return nil }
            let isHeld = flight.riders.isSubset(of: flight.held)
            let changes = isHeld != flight.isHeld
            flights[identity]?.isChanging = changes
            flights[identity]?.isHeld = isHeld
            return changes ? isHeld : nil
        }
    }
}
