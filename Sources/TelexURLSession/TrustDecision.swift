import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Decides whom to trust, in the place of the system: for pinned certificates, and for certificates of
/// the client's own.
///
/// It is asked about connections over TLS, on Apple's platforms only, before anything is sent: about a
/// server (the space's `authenticationMethod` is `NSURLAuthenticationMethodServerTrust`, and
/// `serverTrust` is what it shows) and about the client, if the server wants to know who that is
/// (`NSURLAuthenticationMethodClientCertificate`, with `distinguishedNames`). The rule holds for
/// redirects as well, and for background sessions, where it runs when the app does. It is called on a
/// queue of the session, whose other news wait meanwhile.
///
/// ```swift
/// let transport = URLSessionTransport(trust: { space in
///     guard space.host == "api.bank.example", let trust = space.serverTrust else { return .system }
///     guard SecTrustEvaluateWithError(trust, nil),
///         let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
///         chain.contains(where: { pinned.contains(SecCertificateCopyData($0) as Data) })
///     else { return .refused("none of the certificates is pinned") }
///     return .credential(URLCredential(trust: trust))
/// })
/// ```
///
/// On Linux, Foundation asks nobody: use `TelexAsyncHTTPClient`, whose `configure` takes a
/// `tlsConfiguration`.
public typealias TrustRule = @Sendable (_ space: URLProtectionSpace) -> TrustDecision

/// What a ``TrustRule`` decides.
public enum TrustDecision {
    /// As the system decides.
    case system
    /// The connection is used with this credential: that of a server that is trusted, or of the client.
    case credential(URLCredential)
    /// The connection is not used, and the exchange ends in `.tls` with this reason, which may appear
    /// in logs.
    case refused(String)
}

extension URLAuthenticationChallenge {
    /// Lets `trust` decide about trust, or the system, and nobody give a password: credentials belong to
    /// the engine.
    ///
    /// corelibs-foundation hangs or traps on the default handling of a 401 (swift-corelibs-foundation
    /// #5457). It asks once the whole reply has arrived, so that the exchange is complete, and refusing
    /// ends the task.
    ///
    /// - Parameter complete: Ends the exchange, with a reply or an error.
    func answer(
        to task: URLSessionTask, _ trust: TrustRule?,
        _ answer: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void,
        complete: (URLResponse?, (any Error)?) -> Void
    ) {
        guard asksForTrust else {
            #if canImport(FoundationNetworking)
                complete(failureResponse ?? task.response, nil)
                return answer(.cancelAuthenticationChallenge, nil)
            #else
                return answer(.rejectProtectionSpace, nil)
            #endif
        }
        switch trust?(protectionSpace) ?? .system {
        case .system: answer(.performDefaultHandling, nil)
        case .credential(let credential): answer(.useCredential, credential)
        case .refused(let reason):
            // What follows tells only that the task was cancelled.
            complete(
                nil,
                URLError(.secureConnectionFailed, userInfo: [NSLocalizedDescriptionKey: reason]))
            answer(.cancelAuthenticationChallenge, nil)
        }
    }

    /// The names are spelt out because corelibs-foundation does not have them: it never asks.
    private var asksForTrust: Bool {
        ["NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodClientCertificate"]
            .contains(protectionSpace.authenticationMethod)
    }
}
