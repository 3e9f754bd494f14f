import HTTPTypes
import TelexCredentials
import TelexDiagnosis
import TelexInspection
import TelexJSON
import TelexRequests
import TelexScheduling

/// How an attempt ended.
enum AttemptEnd: Sendable {
    case success(AnyProduct)
    /// Indirect, because it is large and rare.
    indirect case failure(any Error, AttemptFailure)

    /// The end of a stopped attempt, whose outcome is not used.
    static var stopped: AttemptEnd {
        .failure(CancellationError(), AttemptFailure(.none, "it was stopped"))
    }
}

/// The data of an attempt that is kept after it ends.
final class AttemptRecord: Sendable {
    struct Contents: Sendable {
        var head: HTTPResponse?
        var body: [UInt8] = []
        /// The names, in lower case, of the header fields that interceptors have changed.
        var changedFields: Set<String> = []
        /// What was left out of the value, without secrets.
        var skipped = SkippedValues()
        /// The violations in spite of which the value is returned, without secrets.
        var warnings: [Violation] = []
        /// The last request.
        var hop: Hop?
        /// The last credential that was used, or was about to be, if any.
        var credential: Credential?
        /// How long the operation waited before the attempt; zero after an exchange has counted it.
        var queued = Duration.zero
        /// Why the network may be to blame for the failure; nil if it is not.
        var diagnosisRequest: DiagnosisRequest?
        /// The progress last reported to the engine.
        var attemptProgress = AttemptProgress()
        // Flags together, because every call in flight has a record.
        /// Where the reply comes from.
        var source = ReplySource.network
        /// Whether the last request carried the credential.
        var showsCredential = false
        /// Whether the last request contained the token.
        var sendsToken = false
        /// Whether the last request was handed to the transport.
        var wasSent = false
        /// Whether the last request was replied to.
        var wasAnswered = false
    }

    private let state: Lock<Contents>

    init(queued: Duration) {
        state = Lock(Contents(queued: queued))
    }

    var contents: Contents { state.withLock { $0 } }

    // Parts that every call reads, without a copy of all contents.

    var hop: Hop? { state.withLock { $0.hop } }
    var status: Int? { state.withLock { $0.head?.status.code } }

    func update<Result>(_ change: (inout sending Contents) -> sending Result) -> sending Result {
        state.withLock { change(&$0) }
    }
}
