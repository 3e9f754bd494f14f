/// What the listeners of apps and their inspector have to agree on.
package enum InspectorLines {
    /// The version of the lines, which grows when a member changes its meaning.
    package static let version = 1
    /// The path and the media type of a request with lines, and its field with the pairing code.
    package static let path = "/lines"
    package static let mediaType = "application/x-ndjson"
    package static let codeField = "X-Telex-Code"

    /// The names of the events.
    package enum Event: String, Sendable {
        case started, queued, suspended, resumed, postponed, retrying, throttled, sending
        case redirected, received, drifted, disconnected, succeeded, failed, cancelled, abandoned
        case notRetried = "not-retried", hostPaused = "host-paused", fromCache = "from-cache"
        case refreshStarted = "refresh-started", refreshEnded = "refresh-ended"
        case refreshFailed = "refresh-failed"
    }
}
