import TelexJSON

/// A log of events, in order, from any thread.
final class EventLog: Sendable {
    private let entries = Lock<[String]>([])

    var all: [String] { entries.withLock { $0 } }

    /// - Returns: The number of entries.
    @discardableResult
    func add(_ entry: String) -> Int {
        entries.withLock { entries in
            entries.append(entry)
            return entries.count
        }
    }
}
