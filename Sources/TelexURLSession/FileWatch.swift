import TelexJSON
import TelexTransport

/// Detects changes to a file that the session reads and sends itself: Foundation sends what it
/// finds, even if it is shorter or longer than declared, and reports success.
final class FileWatch: Sendable {
    private struct State {
        /// Nil after the file has been sent and answered.
        var file: FileSnapshot?
        var sent = 0
    }

    private let length: Int
    private let state: Lock<State>

    /// - Parameter length: The declared length in bytes.
    init(_ file: FileSnapshot, length: Int) {
        self.length = length
        state = Lock(State(file: file))
    }

    /// Checks the file while it is sent.
    ///
    /// - Parameter total: The number of bytes sent so far.
    /// - Returns: The error if the file has changed; nil otherwise.
    func sent(_ total: Int) -> TransportError? {
        state.withLock { $0.sent = total }
        return problem
    }

    /// Checks the file when the head of a reply arrives. Later changes are ignored if all of the
    /// file has been sent.
    func answered() -> TransportError? {
        if let problem { return problem }
        state.withLock { state in
            if state.sent >= length { state.file = nil }
        }
        return nil
    }

    /// The error if the file has changed. It takes precedence over any reply and any other error.
    var problem: TransportError? {
        let file = state.withLock { $0.file }
        do throws(TransportError) { try file?.check() } catch { return error }
        return nil
    }
}
