import Synchronization
import TelexRuntime

/// Watches the file that a session reads by itself while it sends it: Foundation sends what it
/// finds, be it less or more than was promised, and calls it a success.
final class FileWatch: Sendable {
    private struct State {
        /// Nil once it does not matter any more.
        var file: PromisedFile?
        var sent = 0
    }

    private let length: Int
    private let state: Mutex<State>

    /// - Parameter length: How many bytes the file has.
    init(_ file: PromisedFile, length: Int) {
        self.length = length
        state = Mutex(State(file: file))
    }

    /// - Parameter total: How many bytes have been sent by now.
    /// - Returns: Why the file is not what was promised; nil if it is.
    func sent(_ total: Int) -> TransportError? {
        state.withLock { $0.sent = total }
        return problem
    }

    /// The head of a reply is there. From then on the file may change, if all of it has been sent.
    func answered() -> TransportError? {
        if let problem { return problem }
        state.withLock { state in
            if state.sent >= length { state.file = nil }
        }
        return nil
    }

    /// Why the file is not what was promised. Then nothing is an answer to it, and no other error is
    /// the reason.
    var problem: TransportError? {
        let file = state.withLock { $0.file }
        do throws(TransportError) { try file?.check() } catch { return error }
        return nil
    }
}
