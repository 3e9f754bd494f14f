import Synchronization

/// Requests that calls share: equal calls made while one is on its way get the same reply.
///
/// A call boards when it is launched, not in the task of its attempt: calls are launched in the order
/// of their starts, whereas tasks run in any order, and may wait for a store. So requests are started
/// in that order as well, which is what throttles go by. Whose credential a request shows is known only
/// to those who have waited for the store, so it is looked at later; see `leaveOtherUsersRequest`.
final class RequestCoalescer: Sendable {
    /// What makes two calls equal, but for the credential.
    struct CoalescingKey: Hashable, Sendable {
        var request: String
        var server: ServerChoice?
        /// How the request is to be made.
        var sendingOptions = SendingOptions()
        /// What the reply becomes.
        var output = ObjectIdentifier(Void.self)
    }

    /// What a call may want of the request that it shares: those who want it otherwise have one of their
    /// own. It is what holds in the end that counts, whoever says so. The time of all of the call is no
    /// matter of the request.
    struct SendingOptions: Hashable, Sendable {
        var silence: Duration?
        var attempt: Duration?
        var pause: Duration?
        var retry: RetryPolicy?
        var queue: String?
        var session = TransportSession.shared
    }

    /// What a call brings along that may share a request.
    struct CoalescableCall<Output: Sendable>: Sendable {
        let coalescingKey: @Sendable () -> CoalescingKey
        /// Makes a request for it. There is one at most that is started.
        let make: @Sendable () -> NetworkOperation<Output>
        /// The credential of the moment.
        let stored: StoredReading
    }

    typealias StoredReading = @Sendable () async -> StoredCredential

    let state = Mutex(State())

    // MARK: Coming and going

    /// Has a call share the request of an equal one, or begins one for it, which others may share.
    func join<Output>(
        _ subscriber: OperationHandle, attempt: Int, _ coalescable: CoalescableCall<Output>
    ) {
        // An errand cannot wait for what may wait for a refresh.
        let privilegedTask = subscriber.live.withLock { $0.coldState?.privilegedTask }
        // Made without the lock; one that is not needed is forgotten unstarted.
        let (coalescingKey, fresh) = (coalescable.coalescingKey(), coalescable.make())
        let operation = state.withLock {
            $0.join(subscriber.id, coalescingKey, fresh, isAlone: privilegedTask != nil)
        }
        attach(operation, fresh, subscriber, attempt: attempt, privilegedTask)
    }

    /// Has a call leave a request for another one; nothing if it has ended.
    func change<Output>(
        _ subscriber: OperationHandle, attempt: Int, _ coalescable: CoalescableCall<Output>
    ) {
        let (coalescingKey, fresh) = (coalescable.coalescingKey(), coalescable.make())
        let change = state.withLock { $0.change(subscriber.id, coalescingKey, fresh) }
        guard let (operation, left) = change else { return }
        if let left { cancelOrUpdateHold(left) }
        attach(operation, fresh, subscriber, attempt: attempt, nil)
    }

    private func attach(
        _ operation: OperationHandle, _ fresh: OperationHandle, _ subscriber: OperationHandle,
        attempt: Int, _ privilegedTask: PrivilegedTask?
    ) {
        subscriber.share(operation, attempt: attempt)
        follow(operation, subscriber)
        updateHold(of: subscriber, attempt: attempt, operation)
        // What the thread is about that happens to launch the call is no matter of the request. Whoever
        // made the request may have yet to begin it.
        operation.begin(for: privilegedTask)
        updateHold(operation)
        if operation.id != fresh.id { reportJoin(operation, fresh) }
    }

    /// The engine has to know of a call that joins a request: what it would have begun may be more urgent,
    /// and come after what waits for its start.
    private func reportJoin(_ operation: OperationHandle, _ fresh: OperationHandle) {
        if operation.priority < fresh.priority {
            operation.engine.send(.raise(operation.id, to: fresh.priority))
        }
        if let key = fresh.facts.scheduling.throttle {
            operation.engine.send(.join(operation.id, key))
        }
    }

    /// Shows the progress of the request as that of a call, which somebody may begin to follow at any
    /// time. The request may go on for long after the call, or after the call has left it.
    private func follow(_ operation: OperationHandle, _ subscriber: OperationHandle) {
        let id = operation.id
        operation.followed.forward(isSeen: { [weak subscriber] in subscriber?.isSeen ?? false }) {
            [weak subscriber] in
            if let subscriber, subscriber.shares(id) { subscriber.report($0, step: nil) }
        }
    }

    /// A call has ended. The last one to give up waiting cancels the request.
    func leave(_ subscriber: OperationID) {
        if let left = state.withLock({ $0.leave(subscriber) }) { cancelOrUpdateHold(left) }
    }

    private func cancelOrUpdateHold(_ left: (operation: OperationHandle, isEmpty: Bool)) {
        if left.isEmpty { left.operation.cancel() } else { updateHold(left.operation) }
    }

    /// Takes the requests that nobody waits for but these operations, to be cancelled with them: who
    /// comes later has one of their own.
    func take(onlyFor ids: Set<OperationID>) -> [OperationID] {
        state.withLock { state in
            let gone = state.sharedRequests.values.filter { $0.subscribers.isSubset(of: ids) }
            for subscriber in gone.flatMap(\.subscribers) { _ = state.leave(subscriber) }
            return gone.map(\.operation.id)
        }
    }
}
