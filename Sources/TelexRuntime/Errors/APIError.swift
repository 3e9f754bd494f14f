import TelexCredentials
import TelexDiagnosis
import TelexDownloads
import TelexInspection
import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The error of a call: the method, the phase it reached, which side is at fault, and whether a
/// retry may help.
///
/// Its texts never contain a token, a sensitive parameter or the body of a reply.
public struct APIError: Error, Sendable {
    /// The phase that a call reached.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// The request was being built, or its body did not match what was declared when it was
        /// sent.
        case build
        /// The call was waiting in the queue.
        case queue
        /// The connection was being established.
        case connect
        /// The request was being sent; no reply head was received.
        case send
        /// The reply was being received.
        case receive
        /// The reply was complete and reported a failure.
        case status
        /// The reply reported success but breaks the rules of its description.
        case validate
        /// The reply reported success but cannot be mapped to the value.
        case map
        /// The credential was missing, expired, refused or unreadable, or its refresh failed.
        case auth
    }

    /// The side that has to act.
    public enum Fault: String, Sendable, Hashable {
        /// The caller: another request may succeed.
        case caller
        /// The network between the device and the server.
        case network
        /// The server.
        case server
    }

    /// The reason of a failure, for error handling.
    public enum Reason: Sendable, Hashable {
        /// The parameters break rules; see ``APIError/violations``.
        case invalidRequest
        /// The method needs a token and none is stored.
        case noCredential
        /// The stored credential has expired.
        case credentialExpired
        /// The server refused the token.
        case credentialRefused
        /// The credential store failed.
        case credentialStore(CredentialStoreError)
        /// The refresh of the credential failed, with the reason.
        case refreshFailed(String)
        /// The call was started again too soon; it may be started from this date on.
        case throttled(until: Date)
        /// The call was delayed by its throttle, and a later start replaced it
        /// (`Throttle.Policy.latest`).
        case replaced
        /// The call may use stored replies only (``CacheUse/offline``), and none is stored.
        case notCached
        /// The server asked for a pause until this date, which is longer than the call waits
        /// (`Timeouts.pause`).
        case hostPaused(until: Date)
        /// The network has a condition under which the call is to fail; see `NetworkRules`.
        case network(NetworkCondition)
        /// The call exceeded its total time-out, waits included.
        case timedOut(after: Duration)
        /// One attempt exceeded its time-out.
        case attemptTimedOut(after: Duration)
        /// An interceptor of the app refused the call: the description of an error of Telex, or the
        /// type of any other error.
        case intercepted(String)
        /// The reply could not be written to disk.
        case download(DownloadError)
        /// The transport failed.
        case transport(TransportError)
        /// The server sent more than this number of redirects in a row.
        case tooManyRedirects(limit: Int)
        /// A redirect was not followed, with the reason.
        case refusedRedirect(String)
        /// The status code is not one of success.
        case status(Int)
        /// The body reports a failure.
        case refused
        /// The reply does not have the final state yet (``Polling``). Only attempts fail for this
        /// reason, and the call that runs out of time meanwhile has it as its cause.
        case pending
        /// The reply has a state that ``Polling/failures`` names; see ``APIError/violations``.
        case failedState
        /// The body is empty although a value is promised that is never null.
        case emptyReply
        /// The body is not JSON, or is nested too deeply.
        case malformedReply(JSONSyntaxError)
        /// The value breaks rules or has an unexpected shape; see ``APIError/violations``.
        case unexpectedReply
    }

    /// The content of an error.
    struct Contents: Sendable {
        let method: String
        let phase: Phase
        var reason: Reason
        var api = ""
        var status: Int?
        var code: String?
        var message: String?
        var violations: [Violation] = []
        var attempts = 0
        var requestID: String?
        var isRetryable = false
        /// Whether a new token is being requested, but not for this call.
        var isRenewing = false
        /// Whether this is the error of another call, which an interceptor made.
        var isFromOtherCall = false
        /// Whether the server asks for a token that the last request of the call did not carry,
        /// because a redirect led elsewhere.
        var isTokenHeld = false
        /// The token that is missing, expired or refused, if the engine can get a new one.
        var refusal: TokenRefusal?
        /// The media type of the reply, if it cannot be that of JSON.
        var mediaType: String?
        /// Whether a reply had been received when the call failed.
        var isAfterReply = false
        var retryAfter: Duration?
        /// What the call was waiting for when it timed out; `nil` if a request was in flight, or if
        /// the call failed for another reason.
        var wait: OperationWait?
        var cause: (any Error)?
        var diagnosis: Diagnosis?
        /// The bytes of the reply and of its error objects; not part of any text.
        var body: [UInt8] = []
        var errorBodies: [[UInt8]] = []
        /// The beginning of a reply without a message, without secrets.
        var replyStart: String?
    }

    /// The content is behind a reference because rethrowing copies an error, field by field in a
    /// debug build.
    private final class Box: Sendable {
        let contents: Contents

        init(_ contents: Contents) {
            self.contents = contents
        }
    }

    private var box: Box

    var contents: Contents {
        get { box.contents }
        set { box = Box(newValue) }
    }

    /// Never inlined: otherwise the frame of the asynchronous caller would reserve space for the
    /// content for the whole duration of the call.
    @inline(never)
    package init(method: String, phase: Phase, reason: Reason, violations: [Violation] = []) {
        box = Box(
            Contents(method: method, phase: phase, reason: reason, violations: violations))
    }
}

extension APIError {
    /// The name of the method in the API.
    public var method: String { contents.method }

    /// The phase that the call reached.
    public var phase: Phase { contents.phase }

    /// The reason of the failure.
    public internal(set) var reason: Reason {
        get { contents.reason }
        set { contents.reason = newValue }
    }

    /// The name of the API; empty before a call belongs to one.
    public internal(set) var api: String {
        get { contents.api }
        set { contents.api = newValue }
    }

    /// The HTTP status code of the reply, if there was one. `nil` for redirects that were not
    /// followed, for `.download`, and for an element of a stream that is too large.
    public package(set) var status: Int? {
        get { contents.status }
        set { contents.status = newValue }
    }

    /// The API's code for the failure, as text; at most its first 4,096 bytes, and `…`.
    public package(set) var code: String? {
        get { contents.code }
        set { contents.code = newValue }
    }

    /// The API's message for the failure, without secrets of the request; at most its first 4,096
    /// bytes, and `…`.
    public package(set) var message: String? {
        get { contents.message }
        set { contents.message = newValue }
    }

    /// The violations of rules in the request or the reply.
    public package(set) var violations: [Violation] {
        get { contents.violations }
        set { contents.violations = newValue }
    }

    /// The number of attempts; 0 if nothing was sent. For a coalesced call, the attempts of the
    /// shared request.
    public package(set) var attempts: Int {
        get { contents.attempts }
        set { contents.attempts = newValue }
    }

    /// The server's identifier of the exchange, from `X-Request-ID` or a similar field; at most its
    /// first 4,096 bytes, and `…`.
    public internal(set) var requestID: String? {
        get { contents.requestID }
        set { contents.requestID = newValue }
    }

    /// The bytes of the reply that made the call fail, such as a proxy's plain text; at most the
    /// first 65,536. Empty if none were read. They may be secret, so no text of this error contains
    /// them; see also ``detail(as:)``.
    public internal(set) var body: [UInt8] {
        get { contents.body }
        set { contents.body = newValue }
    }

    /// Whether the same call may succeed later and is safe to send again. Behind a captive portal
    /// (``Diagnosis/isCaptive``), the user has to log in to the network first.
    public package(set) var isRetryable: Bool {
        get { contents.isRetryable }
        set { contents.isRetryable = newValue }
    }

    /// The time to wait before the next attempt, as the server asked; for a call that needs a new
    /// token, as the token server asked. For a call that timed out during a host's pause, the rest
    /// of that pause.
    public package(set) var retryAfter: Duration? {
        get { contents.retryAfter }
        set { contents.retryAfter = newValue }
    }

    /// The underlying error, if the engine itself is not the cause: the error of a refresh, or the
    /// error that an interceptor threw. The latter is not redacted, so no text of this error
    /// contains it. For a call that timed out, the error of the last attempt that ended.
    public internal(set) var cause: (any Error)? {
        get { contents.cause }
        set { contents.cause = newValue }
    }

    /// How far the network reached, if the failure may be the network's fault: the transport
    /// failed, or an attempt or the call timed out with a request in flight (`Timeouts.attempt`,
    /// `Timeouts.total`).
    ///
    /// It is also set if a captive portal answered (``Diagnosis/isCaptive``): with status 511, or,
    /// if ``DiagnosisRules/portal`` confirms it, with HTML where JSON is promised or a redirect
    /// that is not followed.
    ///
    /// `nil` for all other failures, for failures that were retried, and if the network could not
    /// be examined in time. See ``EngineSettings/diagnosis``.
    public internal(set) var diagnosis: Diagnosis? {
        get { contents.diagnosis }
        set { contents.diagnosis = newValue }
    }
}
