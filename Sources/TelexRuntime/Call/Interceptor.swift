import TelexCredentials
import TelexRequests
import TelexScheduling
import TelexTransport

/// A hook of the app between the engine and the transport. It may change a request (sign, encrypt),
/// answer it itself, inspect the reply, or refuse.
///
/// Interceptors are nested: the first one receives a request first and its reply last. Every
/// request of a call passes them, including repeated attempts and redirects. Requests for a new
/// token do not.
///
/// A call keeps its queue slot while an interceptor runs. An interceptor that awaits a call of the
/// same API deadlocks if the limits leave no slot for both.
///
/// A repeat by an interceptor is sent at once but counts against the API's rate limits, so that
/// later calls wait longer; it can exceed a rate. If an interceptor sends a request to another
/// host, the network diagnosis examines that host, and pauses in its replies delay no other call.
public protocol Interceptor: Sendable {
    /// Sends a request, outside any actor.
    ///
    /// The alias is needed because the spelled-out type would differ in modules in which
    /// asynchronous functions run on their caller's actor (`NonisolatedNonsendingByDefault`).
    typealias Next = @concurrent @Sendable (TransportRequest) async throws -> TransportReply

    /// Handles a request, usually by calling `next`.
    ///
    /// - Parameters:
    ///   - request: The request about to be sent, including the credential.
    ///   - call: The call that the request belongs to.
    ///   - next: Sends a request. It may be called more than once, or never.
    /// - Returns: The reply.
    /// - Throws: The error of `next`, or another error. With an `APIError`, for example of another
    ///   call, the call fails with that error; it is neither retried nor does it trigger a refresh.
    ///   A `TransportError` counts as an error of the transport, so the call may be retried; after
    ///   a reply it is retried only if it is idempotent. Any other error becomes the
    ///   ``APIError/cause`` of an `APIError` with the reason `.intercepted`. Its texts contain only
    ///   the type of the cause, because secrets in the cause's text are not redacted.
    func intercept(
        _ request: TransportRequest, of call: InterceptedCall, next: Next
    ) async throws -> TransportReply
}

/// The call to which an intercepted request belongs.
public struct InterceptedCall: Sendable {
    /// The name of the API.
    public let api: String
    /// The API's name of the method.
    public let method: String
    /// The description of the method.
    public let endpoint: Endpoint
    /// The identity of the operation.
    public let operation: OperationID?
    /// The number of the attempt, from 1.
    public let attempt: Int
    /// The credential whose token the request carries, so that its other values can be used for
    /// signing; nil if the request carries none. It is a secret.
    public let credential: Credential?
    /// Whether several calls share the request, so that it belongs to none of them.
    package let isShared: Bool
    /// The tags of the call.
    public let tags: Set<String>
    /// Whether the request goes to another origin than the call's server, because of a redirect or
    /// because the caller gave a whole address. Also true if a later redirect leads back. Such a
    /// request carries no token; do not add other values that are only for the API's server.
    public let leavesOrigin: Bool
}
