import Synchronization

/// Requests that calls share: equal calls made while one is on its way get the same reply.
///
/// A call boards when it is launched, not in the task of its attempt: calls are launched in the order
/// of their starts, whereas tasks run in any order, and may wait for a store. So requests are started
/// in that order as well, which is what throttles go by. Whose credential a request shows is known only
/// to those who have waited for the store, so it is looked at later; see `leaveOthers`.
final class Flights: Sendable {
    /// What makes two calls equal, but for the credential.
    struct Identity: Hashable, Sendable {
        var request: String
        var server: ServerChoice?
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

    /// What a call brings along that may share a request.
    struct Booking<Output: Sendable>: Sendable {
        let identity: @Sendable () -> Identity
        /// Makes a request for it. There is one at most that is started.
        let make: @Sendable () -> NetworkOperation<Output>
        /// The credential of the moment.
        let stored: StoredReading
    }

    typealias StoredReading = @Sendable () async -> StoredCredential

    let state = Mutex(State())

    // MARK: Coming and going

    /// Has a call share the request of an equal one, or begins one for it, which others may share.
    func board<Output>(_ rider: OperationHandle, attempt: Int, _ booking: Booking<Output>) {
        // An errand cannot wait for what may wait for a refresh.
        let errand = rider.live.withLock { $0.rare?.errand }
        // Made without the lock; one that is not needed is forgotten unstarted.
        let (identity, fresh) = (booking.identity(), booking.make())
        let operation = state.withLock {
            $0.board(rider.id, identity, fresh, isAlone: errand != nil)
        }
        ride(operation, fresh, rider, attempt: attempt, errand)
    }

    /// Has a call leave a request for another one; nothing if it has ended.
    func change<Output>(
        _ rider: OperationHandle, attempt: Int, _ booking: Booking<Output>
    ) {
        let (identity, fresh) = (booking.identity(), booking.make())
        let change = state.withLock { $0.change(rider.id, identity, fresh) }
        guard let (operation, left) = change else { return }
        if let left { settle(left) }
        ride(operation, fresh, rider, attempt: attempt, nil)
    }

    private func ride(
        _ operation: OperationHandle, _ fresh: OperationHandle, _ rider: OperationHandle,
        attempt: Int, _ errand: Errand?
    ) {
        rider.share(operation, attempt: attempt)
        follow(operation, rider)
        heedHolds(of: rider, attempt: attempt, operation)
        // What the thread is about that happens to launch the call is no matter of the request. Whoever
        // made the request may have yet to begin it.
        operation.begin(for: errand)
        heedHolds(operation)
        if operation.id != fresh.id { join(operation, fresh) }
    }

    /// The engine has to know of a call that joins a request: what it would have begun may be more urgent,
    /// and come after what waits for its start.
    private func join(_ operation: OperationHandle, _ fresh: OperationHandle) {
        if operation.priority < fresh.priority {
            operation.engine.send(.raise(operation.id, to: fresh.priority))
        }
        if let key = fresh.facts.ticket.throttle {
            operation.engine.send(.join(operation.id, key))
        }
    }

    /// Shows the progress of the request as that of a call, which somebody may begin to follow at any
    /// time. The request may go on for long after the call, or after the call has left it.
    private func follow(_ operation: OperationHandle, _ rider: OperationHandle) {
        let id = operation.id
        operation.followed.forward(isSeen: { [weak rider] in rider?.isSeen ?? false }) {
            [weak rider] in
            if let rider, rider.shares(id) { rider.report($0, step: nil) }
        }
    }

    /// A call has ended. The last one to give up waiting cancels the request.
    func leave(_ rider: OperationID) {
        if let left = state.withLock({ $0.leave(rider) }) { settle(left) }
    }

    private func settle(_ left: (operation: OperationHandle, isEmpty: Bool)) {
        if left.isEmpty { left.operation.cancel() } else { heedHolds(left.operation) }
    }

    /// Takes the requests that nobody waits for but these operations, to be cancelled with them: who
    /// comes later has one of their own.
    func take(onlyFor ids: Set<OperationID>) -> [OperationID] {
        state.withLock { state in
            let gone = state.flights.values.filter { $0.riders.isSubset(of: ids) }
            for rider in gone.flatMap(\.riders) { _ = state.leave(rider) }
            return gone.map(\.operation.id)
        }
    }
}
