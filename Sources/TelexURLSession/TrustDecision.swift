import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Decides about trust in place of the system: for certificate pinning and for client certificates.
///
/// Called for TLS connections, on Apple's platforms only, before anything is sent: for a server
/// (the space's `authenticationMethod` is `NSURLAuthenticationMethodServerTrust`, and `serverTrust`
/// holds its certificates) and for the client, if the server requests a certificate
/// (`NSURLAuthenticationMethodClientCertificate`, with `distinguishedNames`). The rule also applies
/// to redirects, and to background sessions, where it runs only while the app does. It runs on a
/// queue of the session and delays that session's other events.
///
/// ```swift
/// let transport = URLSessionTransport(trust: { space in
///     guard space.host == "api.bank.example", let trust = space.serverTrust
///     else { return .system }
///     guard SecTrustEvaluateWithError(trust, nil),
///         let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
///         chain.contains(where: { pinned.contains(SecCertificateCopyData($0) as Data) })
///     else { return .refused("none of the certificates is pinned") }
///     return .credential(URLCredential(trust: trust))
/// })
/// ```
///
/// Foundation on Linux never calls it: use `TelexAsyncHTTPClient` there, whose `configure` takes a
/// `tlsConfiguration`.
public typealias TrustRule = @Sendable (_ space: URLProtectionSpace) -> TrustDecision

/// The decision of a ``TrustRule``.
public enum TrustDecision {
    /// The system decides.
    case system
    /// The connection is used with this credential: that of a trusted server, or of the client.
    case credential(URLCredential)
    /// The connection is not used, and the exchange ends in `.tls` with this reason, which logs may
    /// contain.
    case refused(String)
}

extension URLAuthenticationChallenge {
    /// Answers a challenge: `trust` or the system decides about trust. Passwords are never given,
    /// because credentials belong to the engine.
    ///
    /// corelibs-foundation hangs or traps on the default handling of a 401
    /// (swift-corelibs-foundation #5457). It issues the challenge after the whole reply has
    /// arrived, so the exchange is complete, and refusing ends the task.
    ///
    /// - Parameter complete: Ends the exchange, with a reply or an error.
    func answer(
        to task: URLSessionTask, trust: TrustRule?,
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
            // The error that follows reports only a cancelled task.
            complete(
                nil,
                URLError(.secureConnectionFailed, userInfo: [NSLocalizedDescriptionKey: reason]))
            answer(.cancelAuthenticationChallenge, nil)
        }
    }

    /// Strings, because corelibs-foundation does not define these names: it never asks.
    private var asksForTrust: Bool {
        ["NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodClientCertificate"]
            .contains(protectionSpace.authenticationMethod)
    }
}
