extension Flights {
    /// One request and those who wait for it.
    struct Flight: Sendable {
        let operation: OperationHandle
        let identity: Identity
        var riders: Set<OperationID> = []
        /// Those of them that are held.
        var held: Set<OperationID> = []
        /// Whether the request is held, as far as is known here.
        var isHeld = false
        /// Whether a thread sees to that.
        var isChanging = false
        /// What its last attempt shows.
        var shown: Shown?

        init(_ operation: OperationHandle, _ identity: Identity) {
            self.operation = operation
            self.identity = identity
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
    struct Ride: Sendable {
        let flight: OperationID
        /// What the request showed when the call came. The reply is another user's unless that is still
        /// stored. Nil if the request had yet to show anything, and once it is known to be this one's.
        var shown: Task<StoredCredential, Never>?
    }

    struct State: Sendable {
        private(set) var flights: [OperationID: Flight] = [:]
        /// The requests that equal calls join.
        private var open: [Identity: OperationID] = [:]
        private var rides: [OperationID: Ride] = [:]
    }
}

extension Flights.State {
    /// - Parameters:
    ///   - fresh: What is begun for the call if there is nothing to share.
    ///   - isAlone: Whether it shares nothing.
    /// - Returns: What it waits for.
    mutating func board(
        _ rider: OperationID, _ identity: Flights.Identity, _ fresh: OperationHandle,
        isAlone: Bool = false
    ) -> OperationHandle {
        let flight = isAlone ? nil : flight(to: identity)
        let operation = flight?.operation ?? fresh
        if flight == nil {
            flights[fresh.id] = Flights.Flight(fresh, identity)
            if !isAlone { open[identity] = fresh.id }
        }
        flights[operation.id]?.riders.insert(rider)
        rides[rider] = Flights.Ride(flight: operation.id, shown: flight?.current)
        return operation
    }

    /// The request that an equal call joins. One whose end is settled may still have riders who have not
    /// been told: its reply is theirs, or its failure.
    private func flight(to identity: Flights.Identity) -> Flights.Flight? {
        guard let flight = open[identity].flatMap({ flights[$0] }), !flight.operation.isSettled
        else { return nil }
        return flight
    }

    /// A call shares its request no longer, nor does anybody who comes later.
    ///
    /// - Returns: What it waits for, and what it has left; nil if it waits for nothing any more.
    mutating func change(
        _ rider: OperationID, _ identity: Flights.Identity, _ fresh: OperationHandle
    ) -> (OperationHandle, left: (operation: OperationHandle, isEmpty: Bool)?)? {
        guard let ride = rides[rider] else { return nil }
        if open[identity] == ride.flight { open[identity] = nil }
        let left = leave(rider)
        return (board(rider, identity, fresh), left)
    }

    /// - Returns: What the call has left, and whether nobody else waits for it; nil if it waited for
    ///   nothing.
    mutating func leave(
        _ rider: OperationID
    ) -> (operation: OperationHandle, isEmpty: Bool)? {
        guard let ride = rides.removeValue(forKey: rider), var flight = flights[ride.flight] else {
            return nil
        }
        flight.riders.remove(rider)
        flight.held.remove(rider)
        let isEmpty = flight.riders.isEmpty
        flights[ride.flight] = isEmpty ? nil : flight
        if isEmpty, open[flight.identity] == ride.flight { open[flight.identity] = nil }
        return (flight.operation, isEmpty)
    }

    /// What a call waits for, and its part in that.
    func ride(of rider: OperationID) -> (operation: OperationHandle, ride: Flights.Ride)? {
        guard let ride = rides[rider], let flight = flights[ride.flight] else { return nil }
        return (flight.operation, ride)
    }

    /// The reply to its request is a call's, whoever is logged in by now.
    mutating func accept(_ rider: OperationID) {
        rides[rider]?.shown = nil
    }

    /// The request whose reply is that of a call, or whose failure; nil as long as it may be another
    /// user's.
    func request(of rider: OperationID) -> OperationHandle? {
        guard let (operation, ride) = ride(of: rider), ride.shown == nil else { return nil }
        return operation
    }

    /// The calls that get what comes of a request.
    func riders(of request: OperationID) -> Set<OperationID> {
        flights[request]?.riders.filter { rides[$0]?.shown == nil } ?? []
    }

    /// Changes what is known of a request.
    mutating func update(_ id: OperationID, _ change: (inout Flights.Flight) -> Void) {
        guard var flight = flights[id] else { return }
        change(&flight)
        flights[id] = flight
    }
}
