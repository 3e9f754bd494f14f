import TelexCredentials
import TelexInspection
import TelexJSON

/// The redactors of the last credentials that calls of an API have carried. Most calls carry the
/// same one, and finding its encoded forms takes longer than the rest of a record.
///
/// A redactor contains its secrets, so a log-in and a log-out remove all of them.
package final class RedactorCache: Sendable {
    /// One for the current credential, and one for calls that were sent with the former one before.
    private static let capacity = 2

    private struct Entry {
        let credentials: [Credential]
        let redactor: Redactor
    }

    private let entries = Lock<[Entry]>([])

    package init() {}

    /// Returns the redactor of these credentials.
    ///
    /// - Parameters:
    ///   - mayKeep: Whether a new redactor may be kept. Called in the lock, so that a call that a
    ///     log-out has stopped cannot restore what the log-out removes.
    ///   - make: Makes a new redactor.
    package func redactor(
        of credentials: [Credential], mayKeep: () -> Bool, make: () -> Redactor
    ) -> Redactor {
        if let known = entries.withLock({ $0.first { $0.credentials == credentials } }) {
            return known.redactor
        }
        let redactor = make()
        entries.withLock { entries in
            guard mayKeep() else { return }
            entries.removeAll { $0.credentials == credentials }
            if entries.count == Self.capacity { entries.removeLast() }
            entries.insert(Entry(credentials: credentials, redactor: redactor), at: 0)
        }
        return redactor
    }

    /// Removes all redactors.
    package func clear() {
        entries.withLock { $0 = [] }
    }
}
