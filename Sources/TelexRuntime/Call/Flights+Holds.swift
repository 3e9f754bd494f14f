/// A request is held as long as all who wait for it are.
extension Flights {
    /// Has the request held when this call and all others who wait for it are.
    func heedHolds(of rider: OperationHandle, attempt: Int, _ operation: OperationHandle) {
        rider.onHold(attempt: attempt) { [weak self, weak operation, weak rider] _ in
            guard let self, let operation, let rider else { return }
            noteHold(of: rider, operation)
        }
        // It may have been held before that.
        noteHold(of: rider, operation)
    }

    /// One of those who wait is held, or goes on: what is true by now counts, since those who tell it
    /// may overtake each other.
    private func noteHold(of rider: OperationHandle, _ operation: OperationHandle) {
        state.withLock { state in
            state.update(operation.id) { flight in
                guard flight.riders.contains(rider.id) else { return }
                if rider.isHeld {
                    flight.held.insert(rider.id)
                } else {
                    flight.held.remove(rider.id)
                }
            }
        }
        heedHolds(operation)
    }

    /// Holds the request as long as all who wait for it are held. One thread at a time sees to that,
    /// until nothing has changed meanwhile.
    func heedHolds(_ operation: OperationHandle) {
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
            guard let flight = state.flights[operation.id], isMine || !flight.isChanging,
                operation.live.withLock({ $0.isKnown })
            else { return nil }
            let isHeld = flight.riders.isSubset(of: flight.held)
            let changes = isHeld != flight.isHeld
            state.update(operation.id) { flight in
                flight.isChanging = changes
                flight.isHeld = isHeld
            }
            return changes ? isHeld : nil
        }
    }
}
