import TelexCredentials
import TelexScheduling

extension RequestCoalescer {
    /// One request and its subscribers.
    struct SharedRequest: Sendable {
        let operation: OperationHandle
        let coalescingKey: CoalescingKey
        var subscribers: Set<OperationID> = []
        /// The subscribers that are suspended.
        var held: Set<OperationID> = []
        /// The credential of its last attempt.
        var usedCredential: UsedCredential?

        init(_ operation: OperationHandle, _ coalescingKey: CoalescingKey) {
            self.operation = operation
            self.coalescingKey = coalescingKey
        }

        /// The credential of the current attempt, if the attempt has begun to read one. Earlier
        /// attempts do not count: the next attempt will use the credential that is stored then, as
        /// a new call would.
        var current: Task<StoredCredential, Never>? {
            guard let usedCredential,
                operation.engine.isCurrent(operation.id, attempt: usedCredential.attempt)
            else { return nil }
            return usedCredential.credential
        }
    }

    /// The credential that an attempt uses. It may still be being read.
    struct UsedCredential: Sendable {
        let attempt: Int
        let credential: Task<StoredCredential, Never>
    }

    /// One subscriber's share in a coalesced request.
    struct Subscription: Sendable {
        let shared: OperationID
        /// The credential of the request when the call joined. The reply belongs to another user
        /// unless that credential is still stored. Nil if the request had not read a credential
        /// yet, or once the credential is known to be current.
        var usedCredential: Task<StoredCredential, Never>?
    }

    struct State: Sendable {
        private(set) var sharedRequests: [OperationID: SharedRequest] = [:]
        /// The requests that equal calls join.
        private var open: [CoalescingKey: OperationID] = [:]
        private var subscriptions: [OperationID: Subscription] = [:]
    }
}

extension RequestCoalescer.State {
    /// Subscribes a call to a request in flight, or to the new request.
    ///
    /// - Parameters:
    ///   - newRequest: The new request, used if there is nothing to share.
    ///   - isAlone: Whether the call shares no request.
    /// - Returns: The request that the call waits for.
    mutating func join(
        _ subscriber: OperationID, key coalescingKey: RequestCoalescer.CoalescingKey,
        newRequest: OperationHandle, isAlone: Bool = false
    ) -> OperationHandle {
        let shared = isAlone ? nil : shared(to: coalescingKey)
        let operation = shared?.operation ?? newRequest
        if shared == nil {
            sharedRequests[newRequest.id] = RequestCoalescer.SharedRequest(
                newRequest, coalescingKey)
            if !isAlone { open[coalescingKey] = newRequest.id }
        }
        sharedRequests[operation.id]?.subscribers.insert(subscriber)
        subscriptions[subscriber] = RequestCoalescer.Subscription(
            shared: operation.id, usedCredential: shared?.current)
        return operation
    }

    /// Returns the request that an equal call can join. A request whose end is settled cannot be
    /// joined, although some subscribers may not have been notified yet.
    private func shared(to coalescingKey: RequestCoalescer.CoalescingKey) -> RequestCoalescer
        .SharedRequest?
    {
        guard let shared = open[coalescingKey].flatMap({ sharedRequests[$0] }),
            !shared.operation.isSettled
        else { return nil }
        return shared
    }

    /// Moves a call from its shared request to a new one. Later calls do not join the old one
    /// either.
    ///
    /// - Returns: The request that the call waits for and the one that it left; nil if the call
    ///   waits for nothing any more.
    mutating func move(
        _ subscriber: OperationID, key coalescingKey: RequestCoalescer.CoalescingKey,
        toNewRequest newRequest: OperationHandle
    ) -> (OperationHandle, left: (operation: OperationHandle, isEmpty: Bool)?)? {
        guard let subscription = subscriptions[subscriber] else { return nil }
        if open[coalescingKey] == subscription.shared { open[coalescingKey] = nil }
        let left = leave(subscriber)
        return (join(subscriber, key: coalescingKey, newRequest: newRequest), left)
    }

    /// Removes a call from its request.
    ///
    /// - Returns: The request that the call left, and whether it was the last subscriber; nil if
    ///   the call waited for nothing.
    mutating func leave(
        _ subscriber: OperationID
    ) -> (operation: OperationHandle, isEmpty: Bool)? {
        guard let subscription = subscriptions.removeValue(forKey: subscriber),
            var shared = sharedRequests[subscription.shared]
        else {
            return nil
        }
        shared.subscribers.remove(subscriber)
        shared.held.remove(subscriber)
        let isEmpty = shared.subscribers.isEmpty
        sharedRequests[subscription.shared] = isEmpty ? nil : shared
        if isEmpty, open[shared.coalescingKey] == subscription.shared {
            open[shared.coalescingKey] = nil
        }
        return (shared.operation, isEmpty)
    }

    /// Returns the request that a call waits for, and its subscription.
    func subscription(of subscriber: OperationID) -> (
        operation: OperationHandle, subscription: RequestCoalescer.Subscription
    )? {
        guard let subscription = subscriptions[subscriber],
            let shared = sharedRequests[subscription.shared]
        else { return nil }
        return (shared.operation, subscription)
    }

    /// Records that the reply belongs to the call, whichever user is logged in later.
    mutating func accept(_ subscriber: OperationID) {
        subscriptions[subscriber]?.usedCredential = nil
    }

    /// Returns the request whose outcome the call will receive; nil as long as the request may
    /// belong to another user.
    func request(of subscriber: OperationID) -> OperationHandle? {
        guard let (operation, subscription) = subscription(of: subscriber),
            subscription.usedCredential == nil
        else { return nil }
        return operation
    }

    /// Returns the calls that will receive the outcome of a request.
    func subscribers(of request: OperationID) -> Set<OperationID> {
        sharedRequests[request]?.subscribers.filter { subscriptions[$0]?.usedCredential == nil }
            ?? []
    }

    /// Updates the entry of a request.
    mutating func update(
        _ id: OperationID, _ change: (inout RequestCoalescer.SharedRequest) -> Void
    ) {
        guard var shared = sharedRequests[id] else { return }
        change(&shared)
        sharedRequests[id] = shared
    }
}
