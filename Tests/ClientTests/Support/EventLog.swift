import Synchronization

/// What has happened, in order, told from anywhere.
final class EventLog: Sendable {
    private let entries = Mutex<[String]>([])

    var all: [String] { entries.withLock { $0 } }

    /// - Returns: How many entries there are now.
    @discardableResult
    func add(_ entry: String) -> Int {
        entries.withLock { entries in
            entries.append(entry)
            return entries.count
        }
    }
}
