/// A request is held as long as all who wait for it are.
extension RequestCoalescer {
    /// Has the request held when this call and all others who wait for it are.
    func updateHold(of subscriber: OperationHandle, attempt: Int, _ operation: OperationHandle) {
        subscriber.onHold(attempt: attempt) { [weak self, weak operation, weak subscriber] _ in
            guard let self, let operation, let subscriber else { return }
            noteHold(of: subscriber, operation)
        }
        // It may have been held before that.
        noteHold(of: subscriber, operation)
    }

    /// One of those who wait is held, or goes on: what is true by now counts, since those who tell it
    /// may overtake each other.
    private func noteHold(of subscriber: OperationHandle, _ operation: OperationHandle) {
        state.withLock { state in
            state.update(operation.id) { shared in
                guard shared.subscribers.contains(subscriber.id) else { return }
                if subscriber.isHeld {
                    shared.held.insert(subscriber.id)
                } else {
                    shared.held.remove(subscriber.id)
                }
            }
        }
        updateHold(operation)
    }

    /// Holds the request as long as all who wait for it are held. One thread at a time sees to that,
    /// until nothing has changed meanwhile.
    func updateHold(_ operation: OperationHandle) {
        var isMine = false
        while let isHeld = change(operation, isMine) {
            isMine = true
            operation.hold(isHeld, by: operation.id)
        }
    }

    /// Whether the request has to be held now, or let go; nil if there is nothing to do, or another
    /// thread does it.
    private func change(_ operation: OperationHandle, _ isMine: Bool) -> Bool? {
        state.withLock { state in
            // One that nobody has started yet cannot be held.
            guard let shared = state.sharedRequests[operation.id], isMine || !shared.isChanging,
                operation.live.withLock({ $0.isKnown })
            else { return nil }
            let isHeld = shared.subscribers.isSubset(of: shared.held)
            let changes = isHeld != shared.isHeld
            state.update(operation.id) { shared in
                shared.isChanging = changes
                shared.isHeld = isHeld
            }
            return changes ? isHeld : nil
        }
    }
}
