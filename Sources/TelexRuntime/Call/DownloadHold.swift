import HTTPTypes
import TelexJSON

/// The suspension state of a download, for transports that cannot apply back-pressure to a
/// connection. Such a transport closes the connection instead of buffering unread data, and the
/// download requests the rest when it resumes.
final class DownloadHold: Sendable {
    private struct State {
        var isHeld = false
        /// Whether the rest can be requested separately, so that the received bytes are kept.
        var canContinue = false
        /// Whether a transport has read a bound, so that it may have closed the connection.
        var isBounded = false
    }

    /// The number of bytes that may be buffered for a suspended download: 8 MiB.
    static let unreadBytes = 8_388_608

    private let state = Lock(State())

    /// The number of unread bytes that may be buffered now; nil for no bound.
    var maximumUnreadBytes: Int? {
        state.withLock { state in
            guard state.isHeld, state.canContinue else { return nil }
            state.isBounded = true
            return Self.unreadBytes
        }
    }

    /// The same as a closure, for a request.
    var unreadBytesLimit: @Sendable () -> Int? { { self.maximumUnreadBytes } }

    /// Records that the download was suspended or resumed.
    func set(isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    /// Resets the state for a new request, whose reply is not known to be continuable yet.
    func begin() {
        state.withLock { state in
            state.canContinue = false
            state.isBounded = false
        }
    }

    /// Records that a body is being received. It can be continued unless the server refuses ranges.
    func receive(_ head: HTTPResponse, canContinue: Bool) {
        let hasRanges = head.headerFields[.acceptRanges]?.lowercased() != "none"
        state.withLock { $0.canContinue = canContinue && hasRanges }
    }

    /// Whether an error was caused by the suspension rather than by the network.
    func explains(_ error: APIError) -> Bool {
        guard case .transport(.readerHeld) = error.reason else { return false }
        return state.withLock { $0.isBounded }
    }
}
