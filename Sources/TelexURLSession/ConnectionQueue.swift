import TelexJSON

/// Starts exchanges that each need a connection of their own: per origin, as many at a time as a
/// session may have connections, and the rest in order.
final class ConnectionQueue: Sendable {
    private struct State {
        var slots: ConnectionSlots
        var lastNumber = 0
        /// The closures that start the exchanges without a connection.
        var waiting: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Lock<State>

    /// - Parameter limit: The largest number of connections to an origin; less than one is no
    ///   limit.
    init(perOrigin limit: Int) {
        state = Lock(State(slots: ConnectionSlots(perOrigin: limit)))
    }

    /// Returns the place of one exchange. A place that was taken has to be left in the end.
    func place(for origin: Origin) -> Place {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return Place(line: self, number: number, origin: origin)
    }

    struct Place: Sendable {
        fileprivate let line: ConnectionQueue
        fileprivate let number: Int
        fileprivate let origin: Origin

        /// Runs `begin`, which starts the exchange, at once or when others have left.
        func take(_ begin: @escaping @Sendable () -> Void) {
            let isFree = line.state.withLock { state in
                let isFree = state.slots.join(number, to: origin)
                if !isFree { state.waiting[number] = begin }
                return isFree
            }
            if isFree { begin() }
        }

        /// Leaves the place, which starts the next exchange.
        func leave() {
            let begin = line.state.withLock { state in
                state.slots.leave(number, to: origin).flatMap {
                    state.waiting.removeValue(forKey: $0)
                }
            }
            begin?()
        }
    }
}
