/// Suspends a shared request while all of its subscribers are suspended.
extension RequestCoalescer {
    /// Suspends the request whenever this call and all other subscribers are suspended.
    func updateHold(
        of operation: OperationHandle, with subscriber: OperationHandle, attempt: Int
    ) {
        subscriber.onHold(attempt: attempt) { [weak self, weak operation, weak subscriber] _ in
            guard let self, let operation, let subscriber else { return }
            noteHold(of: subscriber, operation)
        }
        // The call may have been suspended before the handler was installed.
        noteHold(of: subscriber, operation)
    }

    /// Records whether a subscriber is suspended. The current state is read again, because
    /// notifications may arrive out of order.
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

    /// Suspends or resumes the request according to its subscribers. One thread at a time does
    /// this, until nothing has changed in the meantime.
    func updateHold(_ operation: OperationHandle) {
        var isMine = false
        while let isHeld = change(operation, isMine) {
            isMine = true
            operation.hold(isHeld, by: operation.id)
        }
    }

    /// Whether the request must be suspended (true) or resumed (false) now; nil if nothing must
    /// change, or another thread is changing it.
    private func change(_ operation: OperationHandle, _ isMine: Bool) -> Bool? {
        state.withLock { state in
            // A request that the engine has not started cannot be suspended.
            guard let shared = state.sharedRequests[operation.id], isMine || !shared.isChanging,
                operation.live.withLock({ $0.isRegistered })
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
