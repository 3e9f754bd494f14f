extension RequestCoalescer {
    /// One request and those who wait for it.
    struct SharedRequest: Sendable {
        let operation: OperationHandle
        let coalescingKey: CoalescingKey
        var subscribers: Set<OperationID> = []
        /// Those of them that are held.
        var held: Set<OperationID> = []
        /// Whether the request is held, as far as is known here.
        var isHeld = false
        /// Whether a thread sees to that.
        var isChanging = false
        /// What its last attempt shows.
        var shown: Shown?

        init(_ operation: OperationHandle, _ coalescingKey: CoalescingKey) {
            self.operation = operation
            self.coalescingKey = coalescingKey
        }

        /// The credential of the live attempt, if it has begun to read one; those before it are of no
        /// interest: the next attempt shows what is stored then, which is what a call that comes now
        /// would show as well.
        var current: Task<StoredCredential, Never>? {
            guard let shown, operation.engine.isCurrent(operation.id, attempt: shown.attempt)
            else { return nil }
            return shown.credential
        }
    }

    /// The credential that an attempt shows, which it may still be reading.
    struct Shown: Sendable {
        let attempt: Int
        let credential: Task<StoredCredential, Never>
    }

    /// The part of a call in a request.
    struct Subscription: Sendable {
        let shared: OperationID
        /// What the request showed when the call came. The reply is another user's unless that is still
        /// stored. Nil if the request had yet to show anything, and once it is known to be this one's.
        var shown: Task<StoredCredential, Never>?
    }

    struct State: Sendable {
        private(set) var sharedRequests: [OperationID: SharedRequest] = [:]
        /// The requests that equal calls join.
        private var open: [CoalescingKey: OperationID] = [:]
        private var subscriptions: [OperationID: Subscription] = [:]
    }
}

extension RequestCoalescer.State {
    /// - Parameters:
    ///   - fresh: What is begun for the call if there is nothing to share.
    ///   - isAlone: Whether it shares nothing.
    /// - Returns: What it waits for.
    mutating func join(
        _ subscriber: OperationID, _ coalescingKey: RequestCoalescer.CoalescingKey,
        _ fresh: OperationHandle,
        isAlone: Bool = false
    ) -> OperationHandle {
        let shared = isAlone ? nil : shared(to: coalescingKey)
        let operation = shared?.operation ?? fresh
        if shared == nil {
            sharedRequests[fresh.id] = RequestCoalescer.SharedRequest(fresh, coalescingKey)
            if !isAlone { open[coalescingKey] = fresh.id }
        }
        sharedRequests[operation.id]?.subscribers.insert(subscriber)
        subscriptions[subscriber] = RequestCoalescer.Subscription(
            shared: operation.id, shown: shared?.current)
        return operation
    }

    /// The request that an equal call joins. One whose end is settled may still have riders who have not
    /// been told: its reply is theirs, or its failure.
    private func shared(to coalescingKey: RequestCoalescer.CoalescingKey) -> RequestCoalescer
        .SharedRequest?
    {
        guard let shared = open[coalescingKey].flatMap({ sharedRequests[$0] }),
            !shared.operation.isSettled
        else { return nil }
        return shared
    }

    /// A call shares its request no longer, nor does anybody who comes later.
    ///
    /// - Returns: What it waits for, and what it has left; nil if it waits for nothing any more.
    mutating func change(
        _ subscriber: OperationID, _ coalescingKey: RequestCoalescer.CoalescingKey,
        _ fresh: OperationHandle
    ) -> (OperationHandle, left: (operation: OperationHandle, isEmpty: Bool)?)? {
        guard let subscription = subscriptions[subscriber] else { return nil }
        if open[coalescingKey] == subscription.shared { open[coalescingKey] = nil }
        let left = leave(subscriber)
        return (join(subscriber, coalescingKey, fresh), left)
    }

    /// - Returns: What the call has left, and whether nobody else waits for it; nil if it waited for
    ///   nothing.
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

    /// What a call waits for, and its part in that.
    func subscription(of subscriber: OperationID) -> (
        operation: OperationHandle, subscription: RequestCoalescer.Subscription
    )? {
        guard let subscription = subscriptions[subscriber],
            let shared = sharedRequests[subscription.shared]
        else { return nil }
        return (shared.operation, subscription)
    }

    /// The reply to its request is a call's, whoever is logged in by now.
    mutating func accept(_ subscriber: OperationID) {
        subscriptions[subscriber]?.shown = nil
    }

    /// The request whose reply is that of a call, or whose failure; nil as long as it may be another
    /// user's.
    func request(of subscriber: OperationID) -> OperationHandle? {
        guard let (operation, subscription) = subscription(of: subscriber),
            subscription.shown == nil
        else { return nil }
        return operation
    }

    /// The calls that get what comes of a request.
    func subscribers(of request: OperationID) -> Set<OperationID> {
        sharedRequests[request]?.subscribers.filter { subscriptions[$0]?.shown == nil } ?? []
    }

    /// Changes what is known of a request.
    mutating func update(
        _ id: OperationID, _ change: (inout RequestCoalescer.SharedRequest) -> Void
    ) {
        guard var shared = sharedRequests[id] else { return }
        change(&shared)
        sharedRequests[id] = shared
    }
}
