import HTTPTypes
import Synchronization

/// Whether a download is held, for transports that cannot hold a connection back: they give it up
/// then, rather than keep in memory what nobody reads, and the download asks for the rest when it
/// goes on.
final class DownloadHold: Sendable {
    private struct State {
        var isHeld = false
        /// Whether what has arrived counts when the rest is asked for.
        var canContinue = false
        /// Whether a transport has been told of a bound, so that it may have given up.
        var isBounded = false
    }

    /// How many bytes may wait for a download that is held.
    static let unreadBytes = 8_388_608

    private let state = Mutex(State())

    /// How many bytes may wait unread at this moment; nil if any number may.
    var maximumUnreadBytes: Int? {
        state.withLock { state in
            guard state.isHeld, state.canContinue else { return nil }
            state.isBounded = true
            return Self.unreadBytes
        }
    }

    /// The same, for a request.
    var question: @Sendable () -> Int? { { self.maximumUnreadBytes } }

    /// The download is held, or goes on.
    func set(isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    /// A request is sent; whether its reply can be continued is not known yet.
    func begin() {
        state.withLock { state in
            state.canContinue = false
            state.isBounded = false
        }
    }

    /// The body of a reply is received, which can be continued if the server says so.
    func receive(_ head: HTTPResponse, canContinue: Bool) {
        let hasRanges = head.headerFields[.acceptRanges]?.lowercased() != "none"
        state.withLock { $0.canContinue = canContinue && hasRanges }
    }

    /// Whether an error is not one of the network, but the doing of the hold.
    func explains(_ error: APIError) -> Bool {
        guard case .transport(.readerHeld) = error.reason else { return false }
        return state.withLock { $0.isBounded }
    }
}
