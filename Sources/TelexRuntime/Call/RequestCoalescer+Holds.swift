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

    /// Suspends or resumes the request according to its subscribers.
    func updateHold(_ operation: OperationHandle) {
        state.withLock { state in
            guard let shared = state.sharedRequests[operation.id] else { return }
            operation.noteHold(shared.subscribers.isSubset(of: shared.held), by: operation.id)
        }
        operation.reportHolds()
    }
}
