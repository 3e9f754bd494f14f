import TelexCredentials
import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport

/// The requests that calls share: equal calls share the reply of a request in flight.
///
/// A call joins when it is launched, not in the task of its attempt. Calls are launched in the
/// order of their starts, whereas tasks run in any order and may wait for a store. Requests are
/// therefore started in that order too, as throttles require. The credential of a request is known
/// only after the store has been read, so it is checked later; see `leaveOtherUsersRequest`.
final class RequestCoalescer: Sendable {
    /// The key that equal calls share. It does not include the credential.
    struct CoalescingKey: Hashable, Sendable {
        var request: String
        var server: ServerChoice?
        /// The effective options of the request.
        var sendingOptions = SendingOptions()
        /// The type of the value.
        var output = ObjectIdentifier(Void.self)
    }

    /// The effective options that two calls must share to be coalesced. Calls with different
    /// options send separate requests. The total time-out is not included, because it belongs to
    /// each call.
    struct SendingOptions: Hashable, Sendable {
        var silence: Duration?
        var attempt: Duration?
        var pause: Duration?
        var retry: RetryPolicy?
        var queue: String?
        var network = NetworkRules()
        var session = TransportSession.shared
        var credential: Credential?
        var validation = ReplyValidation.throw
        var cache: CacheUse?
    }

    /// The parts of a call that are needed for sharing a request.
    struct CoalescableCall<Output: Sendable>: Sendable {
        let coalescingKey: @Sendable () -> CoalescingKey
        /// Creates a request for the call. At most one of them is started.
        let make: @Sendable () -> NetworkOperation<Output>
        /// Reads the stored credential.
        let stored: CredentialReading
    }

    typealias CredentialReading = @Sendable () async -> StoredCredential

    let state = Lock(State())

    // MARK: Joining and leaving

    /// Subscribes a call to the request of an equal one, or starts a request that later calls may
    /// share.
    func join<Output>(
        _ subscriber: OperationHandle, attempt: Int, with coalescable: CoalescableCall<Output>
    ) {
        // A privileged call cannot share a request that may wait for a refresh.
        let privilegedTask = subscriber.privilegedTask
        // Created outside the lock. An unneeded request is discarded before it starts.
        let (coalescingKey, newRequest) = (coalescable.coalescingKey(), coalescable.make())
        let operation = state.withLock {
            $0.join(
                subscriber.id, key: coalescingKey, newRequest: newRequest,
                isAlone: privilegedTask != nil)
        }
        attach(
            subscriber, attempt: attempt, to: operation, newRequest: newRequest,
            privilegedTask: privilegedTask)
    }

    /// Moves a call to another request; does nothing if the call has ended.
    func move<Output>(
        _ subscriber: OperationHandle, attempt: Int, with coalescable: CoalescableCall<Output>
    ) {
        let (coalescingKey, newRequest) = (coalescable.coalescingKey(), coalescable.make())
        let change = state.withLock {
            $0.move(subscriber.id, key: coalescingKey, toNewRequest: newRequest)
        }
        guard let (operation, left) = change else { return }
        if let left { cancelOrUpdateHold(left) }
        attach(
            subscriber, attempt: attempt, to: operation, newRequest: newRequest,
            privilegedTask: nil)
    }

    private func attach(
        _ subscriber: OperationHandle, attempt: Int, to operation: OperationHandle,
        newRequest: OperationHandle, privilegedTask: PrivilegedTask?
    ) {
        subscriber.share(operation, attempt: attempt)
        follow(operation, subscriber)
        updateHold(of: operation, with: subscriber, attempt: attempt)
        // The privileged task is passed explicitly, because the current thread may belong to
        // another call. The thread that created the request may not have started it yet.
        operation.begin(for: privilegedTask)
        updateHold(operation)
        if operation.id != newRequest.id { reportJoin(operation, newRequest) }
    }

    /// Reports a joining call to the engine. The call may raise the priority of the request, and it
    /// counts for the throttle like a start of its own.
    private func reportJoin(_ operation: OperationHandle, _ newRequest: OperationHandle) {
        if operation.priority < newRequest.priority {
            operation.engine.send(.raise(operation.id, to: newRequest.priority))
        }
        if let key = newRequest.attributes.scheduling.throttle {
            operation.engine.send(.join(operation.id, key))
        }
    }

    /// Forwards the progress of the request to a call, which may be observed at any time. The
    /// request may run on after the call has ended or left it.
    private func follow(_ operation: OperationHandle, _ subscriber: OperationHandle) {
        let id = operation.id
        let hasReader = { @Sendable [weak subscriber] in subscriber?.listeners.hasReader ?? false }
        operation.followed.forward(hasReader: hasReader) { [weak subscriber] in
            if let subscriber, subscriber.shares(id) { subscriber.listeners.report($0, step: nil) }
        }
    }

    /// Removes a call that has ended. The last subscriber that leaves cancels the request.
    func leave(_ subscriber: OperationID) {
        if let left = state.withLock({ $0.leave(subscriber) }) { cancelOrUpdateHold(left) }
    }

    private func cancelOrUpdateHold(_ left: (operation: OperationHandle, isEmpty: Bool)) {
        if left.isEmpty { left.operation.cancel() } else { updateHold(left.operation) }
    }

    /// Removes and returns the requests whose only subscribers are these operations, to be
    /// cancelled with them. Later calls start requests of their own.
    func take(onlyFor ids: Set<OperationID>) -> [OperationID] {
        state.withLock { state in
            let gone = state.sharedRequests.values.filter { $0.subscribers.isSubset(of: ids) }
            for subscriber in gone.flatMap(\.subscribers) { _ = state.leave(subscriber) }
            return gone.map(\.operation.id)
        }
    }
}
