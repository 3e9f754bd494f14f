import Synchronization

/// The critical sections of this process by what they guard, so that objects that stand for the
/// same thing share one. A section exists as long as somebody is inside or waits.
final class LockRegistry: Sendable {
    /// What a section guards.
    enum Key: Hashable, Sendable {
        /// An object, which lives as long as somebody is inside.
        case object(ObjectIdentifier)
        /// Something that the system knows by name, of this kind.
        case named(String, kind: String)
    }

    private struct Entry {
        let lock = AsyncLock()
        var users = 0
    }

    /// The one of this process.
    static let shared = LockRegistry()

    private let entries = Mutex<[Key: Entry]>([:])

    /// How many sections there are.
    var count: Int { entries.withLock { $0.count } }

    /// Runs the closure when nobody else is inside the section of this key.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and what `body` throws.
    func withLock<T: Sendable>(
        _ key: Key, _ body: () async throws -> T
    ) async throws -> T {
        let lock = entries.withLock { entries in
            var entry = entries[key] ?? Entry()
            entry.users += 1
            entries[key] = entry
            return entry.lock
        }
        defer { drop(key) }
        return try await lock.withLock(body)
    }

    private func drop(_ key: Key) {
        entries.withLock { entries in
            entries[key]?.users -= 1
            if entries[key]?.users == 0 { entries[key] = nil }
        }
    }
}
