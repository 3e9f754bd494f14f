import TelexJSON

/// The locks of this process by the resource that they guard, so that several objects for the same
/// resource share one lock. A lock exists only while it is held or awaited.
package final class LockRegistry: Sendable {
    /// The resource that a lock guards.
    package enum Key: Hashable, Sendable {
        /// An object, which is alive while its lock is in use.
        case object(ObjectIdentifier)
        /// A resource with a system-wide name, of this kind.
        case named(String, kind: String)
    }

    private struct Entry {
        let lock = AsyncLock()
        var users = 0
    }

    /// The shared registry of this process.
    package static let shared = LockRegistry()

    private let entries = Lock<[Key: Entry]>([:])

    /// The number of locks.
    package var count: Int { entries.withLock { $0.count } }

    /// Runs the closure while holding the lock of this key.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and the errors of
    ///   `body`.
    package func withLock<T: Sendable>(
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
