import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why a call failed: which method, how far it came, whose fault it is, whether to try again.
///
/// Its texts never hold a token, a sensitive parameter or the body of a reply.
public struct APIError: Error, Sendable {
    /// How far a call came.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Its request was being made, or its body turned out not to be what was promised when it was
        /// sent.
        case build
        /// It waited for its turn.
        case queue
        /// A connection was being made.
        case connect
        /// The request was on its way; no head of a reply came.
        case send
        /// The reply was arriving.
        case receive
        /// The reply was complete, and said no.
        case status
        /// The reply said yes, but breaks the rules of its description.
        case validate
        /// The reply said yes, but cannot be made into the value.
        case map
        /// The credential was missing, over or refused, could not be read, or there was no new one.
        case auth
    }

    /// Who has to do something.
    public enum Fault: String, Sendable, Hashable {
        /// The caller: another request may succeed.
        case caller
        /// The network between here and there.
        case network
        /// The server.
        case server
    }

    /// What went wrong, for programs.
    public enum Reason: Sendable, Hashable {
        /// Values break rules; see ``APIError/violations``.
        case invalidRequest
        /// The method needs a token and there is none.
        case noCredential
        /// The stored credential's time is over.
        case credentialExpired
        /// The server no longer takes the token.
        case credentialRefused
        /// The store of credentials failed.
        case credentialStore(CredentialStoreError)
        /// There is no new credential, and why.
        case refreshFailed(String)
        /// It was started again too soon; it may be started at this moment.
        case throttled(until: Date)
        /// It waited, because it was started too soon after another, and one that was started later took
        /// its place (``Throttle/Policy/latest``).
        case replaced
        /// The server wants to be left alone until this moment, which is longer than the call waits
        /// (``Timeouts/pause``).
        case hostPaused(until: Date)
        /// It took longer than all of it may take, the waits included.
        case timedOut(after: Duration)
        /// One attempt took longer than it may.
        case attemptTimedOut(after: Duration)
        /// An interceptor of the app's refused it, and with what: the words of an error of Telex's own,
        /// the type of any other.
        case intercepted(String)
        /// The reply could not be put on disk.
        case download(DownloadError)
        /// The transport failed.
        case transport(TransportError)
        /// More redirects than this in a row.
        case tooManyRedirects(limit: Int)
        /// A redirect that is not followed, and why.
        case refusedRedirect(String)
        /// A status that is not one of success.
        case status(Int)
        /// The body says that the call failed.
        case refused
        /// No body where a value is promised.
        case emptyReply
        /// The body is not JSON, or nested too deeply.
        case malformedReply(JSONSyntaxError)
        /// The value breaks rules or has another shape; see ``APIError/violations``.
        case unexpectedReply
    }

    /// What an error holds.
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
        /// Whether a new token is asked for, but not for this call.
        var isRenewing = false
        /// Whether it is that of another call, which an interceptor has made.
        var isFromOtherCall = false
        /// Whether the server had answered by then.
        var isAfterReply = false
        var retryAfter: Duration?
        /// What it waited for when its time was over; nil if it was on its way, or ended otherwise.
        var wait: OperationWait?
        var cause: (any Error)?
        var diagnosis: Diagnosis?
        /// The bytes of the reply, and of its error object; in no text.
        var body: [UInt8] = []
        var errorBody: [UInt8] = []
    }

    /// All of it behind one reference: whoever throws an error on copies it, field by field in a
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

    /// Never inlined: the frame of an asynchronous caller would have room for all of it, for as long
    /// as a call is on its way.
    @inline(never)
    package init(method: String, _ phase: Phase, _ reason: Reason, violations: [Violation] = []) {
        box = Box(
            Contents(method: method, phase: phase, reason: reason, violations: violations))
    }
}

extension APIError {
    /// The API's name of the method.
    public var method: String { contents.method }

    /// How far the call came.
    public var phase: Phase { contents.phase }

    /// What went wrong.
    public internal(set) var reason: Reason {
        get { contents.reason }
        set { contents.reason = newValue }
    }

    /// The name of the API; empty before a call belongs to one.
    public internal(set) var api: String {
        get { contents.api }
        set { contents.api = newValue }
    }

    /// The HTTP status of the reply, if there was one; nil for redirects that were not followed, for
    /// `.download` and for an element of a stream that is too large.
    public package(set) var status: Int? {
        get { contents.status }
        set { contents.status = newValue }
    }

    /// The API's own code for what went wrong, as text; at most its first 4,096 bytes, and `…`.
    public package(set) var code: String? {
        get { contents.code }
        set { contents.code = newValue }
    }

    /// The API's own words for what went wrong; secrets of the request are taken out. At most
    /// the first 4,096 bytes of them, and `…`.
    public package(set) var message: String? {
        get { contents.message }
        set { contents.message = newValue }
    }

    /// What is wrong with the request or the reply.
    public package(set) var violations: [Violation] {
        get { contents.violations }
        set { contents.violations = newValue }
    }

    /// How many attempts there were; 0 if nothing was tried. Of a call that shared a request, how many
    /// that had.
    public package(set) var attempts: Int {
        get { contents.attempts }
        set { contents.attempts = newValue }
    }

    /// What the server calls this exchange: `X-Request-ID` and the like; at most its first
    /// 4,096 bytes, and `…`.
    public internal(set) var requestID: String? {
        get { contents.requestID }
        set { contents.requestID = newValue }
    }

    /// The bytes of the reply that made the call fail, at most the first 65,536: what a proxy says in
    /// plain text, for one. Empty if none were read. No text of this error has them, since they may be
    /// secret; see also ``detail(as:)``.
    public internal(set) var body: [UInt8] {
        get { contents.body }
        set { contents.body = newValue }
    }

    /// Whether the same call may succeed later, and may be sent again without harm. Where the network
    /// wants its user to log in (``Diagnosis/isCaptive``), later is after that.
    public package(set) var isRetryable: Bool {
        get { contents.isRetryable }
        set { contents.isRetryable = newValue }
    }

    /// How long the server asked to wait before the next attempt; of a call that needs a new token, the
    /// server that gives those. Of a call whose time was over while it waited for a host that wants to be
    /// left alone, the rest of that time.
    public package(set) var retryAfter: Duration? {
        get { contents.retryAfter }
        set { contents.retryAfter = newValue }
    }

    /// What caused the failure, if it was not the engine's own doing: the error of a refresh, or what
    /// an interceptor threw, which is in no text of this error, since nobody has taken secrets out of
    /// it. Of a call that took too long, the error of the last attempt that had ended.
    public internal(set) var cause: (any Error)? {
        get { contents.cause }
        set { contents.cause = newValue }
    }

    /// How far the network reached, if the failure that ended the call may be the network's: the
    /// transport failed, or an attempt or all of the call took too long with a request on its way
    /// (``Timeouts/attempt``, ``Timeouts/total``).
    ///
    /// Also of a call that somebody else answered, who wants the user of the network to log in
    /// (``Diagnosis/isCaptive``): with a status of 511, or, if ``DiagnosisRules/portal`` confirms it,
    /// with a page where JSON is promised or a redirect that is not followed.
    ///
    /// Nil for all other failures, for those after which the call was sent again, and if nobody can
    /// look or could find out in time. See ``EngineSettings/diagnosis``.
    public internal(set) var diagnosis: Diagnosis? {
        get { contents.diagnosis }
        set { contents.diagnosis = newValue }
    }
}
