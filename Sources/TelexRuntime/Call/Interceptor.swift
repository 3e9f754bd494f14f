/// Something of the app's that stands between the engine and the transport: it may change a request
/// (sign, encrypt), answer it itself, look at the reply, or refuse.
///
/// Interceptors lie around one another like the skins of an onion: the first one is told first about
/// a request, and last about its reply. Each request of a call passes them, so every
/// attempt and every redirect does. Requests for a new token do not.
///
/// A call keeps its turn while an interceptor is at work: one that awaits a call of the same API waits
/// for itself where limits leave no room for both.
///
/// What an interceptor sends again is sent at once, but counts against the API's rates, so that the calls
/// behind wait for longer; an interceptor that sends more than a rate allows breaks it. Where one leads a
/// request to another host, it is that host which is looked into if the network fails, and what its
/// replies say of pauses holds up no other call.
public protocol Interceptor: Sendable {
    /// Sends a request on its way, away from any actor.
    ///
    /// Spelt out, the type would be another one where asynchronous functions stay with their caller
    /// (`NonisolatedNonsendingByDefault`).
    typealias Next = @concurrent @Sendable (TransportRequest) async throws -> TransportReply

    /// Handles a request, usually by calling `next`.
    ///
    /// - Parameters:
    ///   - request: What is about to be sent, credential and all.
    ///   - call: The call that it belongs to.
    ///   - next: Sends a request on its way. It may be called more than once, or never.
    /// - Returns: The reply.
    /// - Throws: What `next` throws, or an error of its own. With an `APIError`, that of another call
    ///   for one, the call fails as it is; it is not sent again, and gets no new token because of it. A
    ///   `TransportError` counts as one of the transport's, so that the call may be sent again; once
    ///   there was a reply, only if that cannot do anything twice.
    ///   Any other error is the ``APIError/cause`` of an `APIError` with the reason `.intercepted`,
    ///   whose texts say only of what type it is: nobody has taken secrets out of its words.
    func intercept(
        _ request: TransportRequest, of call: InterceptedCall, next: Next
    ) async throws -> TransportReply
}

/// What an interceptor may know about the call that a request belongs to.
public struct InterceptedCall: Sendable {
    /// The name of the API.
    public let api: String
    /// The API's name of the method.
    public let method: String
    /// How the method is described.
    public let endpoint: Endpoint
    /// The identity of the operation.
    public let operation: OperationID?
    /// The number of the attempt, from 1.
    public let attempt: Int
    /// The credential whose token the request carries, for signing with what else is in it; nil if it
    /// carries none. It is a secret.
    public let credential: Credential?
    /// Whether the request is that of several calls, which belongs to none of them.
    package let isShared: Bool
    /// The marks that the caller gave the call.
    public let tags: Set<String>
    /// Whether the request goes to another origin than that of the call's server, because of a redirect
    /// or because the caller gave the whole address; also if a redirect leads back from one. Such a
    /// request carries no token; leave out as well what else is only for the API's server.
    public let leavesOrigin: Bool
}
