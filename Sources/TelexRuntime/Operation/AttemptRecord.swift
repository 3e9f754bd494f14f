import HTTPTypes
import Synchronization

/// How an attempt ended.
enum AttemptEnd: Sendable {
    case success(AnyProduct)
    /// Behind a reference, since it is large, and rare.
    indirect case failure(any Error, AttemptFailure)

    /// It was stopped, and nobody asks for its outcome.
    static var stopped: AttemptEnd {
        .failure(CancellationError(), AttemptFailure(.none, "it was stopped"))
    }
}

/// What is worth keeping of an attempt.
final class AttemptRecord: Sendable {
    struct Contents: Sendable {
        var head: HTTPResponse?
        var body: [UInt8] = []
        /// The last request.
        var hop: Exchange.Hop?
        /// Whether it showed the credential.
        var showsCredential = false
        /// Whether it had the token in it.
        var showsToken = false
        /// The credential that it has shown or was about to show, if any.
        var credential: Credential?
        /// Whether that was refused.
        var isRefused = false
        /// How long the operation waited before the attempt, until an exchange has counted it.
        var queued = Duration.zero
        /// Whether the last request has come to the transport.
        var wasSent = false
        /// Whether there was a reply to the last request.
        var wasAnswered = false
        /// Why the network may be to blame for its failure; nil if it is not.
        var diagnosisRequest: DiagnosisRequest?
        /// How far the attempt is, as the engine knows it.
        var attemptProgress = AttemptProgress()
    }

    private let state: Mutex<Contents>

    init(queued: Duration) {
        state = Mutex(Contents(queued: queued))
    }

    var contents: Contents { state.withLock { $0 } }

    func update<Result>(_ change: (inout sending Contents) -> sending Result) -> sending Result {
        state.withLock { change(&$0) }
    }
}
