import Synchronization

/// Has exchanges that each make a connection of their own begin: of those to one origin as many at a
/// time as a session may have connections, and the others in turn.
final class ConnectionLine: Sendable {
    private struct State {
        var seats: ConnectionSeats
        var lastNumber = 0
        /// What begins the exchanges that have no connection yet.
        var waiting: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter limit: How many connections there may be to an origin; less than one is no limit.
    init(perOrigin limit: Int) {
        state = Mutex(State(seats: ConnectionSeats(perOrigin: limit)))
    }

    /// The place of one exchange, which has to be left in the end if it is taken.
    func place(for origin: Origin) -> Place {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return Place(line: self, number: number, origin: origin)
    }

    struct Place: Sendable {
        fileprivate let line: ConnectionLine
        fileprivate let number: Int
        fileprivate let origin: Origin

        /// Does what begins the exchange, at once or when others have left.
        func take(_ begin: @escaping @Sendable () -> Void) {
            let isFree = line.state.withLock { state in
                let isFree = state.seats.join(number, to: origin)
                if !isFree { state.waiting[number] = begin }
                return isFree
            }
            if isFree { begin() }
        }

        /// Lets the next one begin.
        func leave() {
            let begin = line.state.withLock { state in
                state.seats.leave(number, to: origin).flatMap {
                    state.waiting.removeValue(forKey: $0)
                }
            }
            begin?()
        }
    }
}
