/// Why there is no new credential. Holds no secret.
public struct CredentialError: Error, Sendable, Hashable {
    /// What went wrong, for programs.
    public enum Reason: Sendable, Hashable {
        /// There is no credential, it came without a refresh token or another value that the request
        /// needs, or somebody has logged out meanwhile.
        case nothingToRefresh
        /// The request for it cannot be made: no valid address, no `https`, a missing value.
        case invalidRequest
        /// The transport failed.
        case transport(TransportError)
        /// The server answered with a redirect, which is never followed with secrets in hand.
        case redirected(status: Int)
        /// The server refused, with this code (RFC 6749, section 5.2).
        case refused(OAuthErrorCode)
        /// The server refused without a code.
        case status(Int)
        /// The reply is not what a token reply has to be (RFC 6749, section 5.1).
        case malformedReply
        /// It was not granted in the time there was for it.
        case expired
        /// The address to which a browser came back does not answer the login that was begun.
        case invalidRedirect
    }

    /// What went wrong.
    public let reason: Reason
    /// What happened, in a sentence for a developer.
    public let message: String
    /// How long the server that said no asked to be left alone (`Retry-After`), at most a day; nil if it
    /// did not.
    public let retryAfter: Duration?

    /// Whether it is the answer to a refresh token.
    private let isAboutRefresh: Bool

    /// Makes an error.
    public init(_ reason: Reason, _ message: String, retryAfter: Duration? = nil) {
        self.init(reason, message, retryAfter: retryAfter, isAboutRefresh: false)
    }

    init(
        _ reason: Reason, _ message: String, retryAfter: Duration? = nil, isAboutRefresh: Bool
    ) {
        self.reason = reason
        self.message = message
        self.retryAfter = retryAfter
        self.isAboutRefresh = isAboutRefresh
    }

    /// Whether only the user can help, by logging in again: what the app has is worth nothing.
    ///
    /// A refresh token that is over is told by a code, `invalid_grant` or one of those in
    /// ``OAuthErrorCode`` that servers have in its place, or by no more than the status 400 or 401. A
    /// 403 without a code is not taken for that: it is as often a firewall's or a proxy's, which the
    /// request may pass another time, and nobody is to log in because of that.
    public var needsLogin: Bool {
        switch reason {
        case .nothingToRefresh, .expired: true
        case .refused(let code): OAuthErrorCode.askingForLogin.contains(code)
        case .status(let status): isAboutRefresh && (status == 400 || status == 401)
        default: false
        }
    }

    /// Whether the same request may succeed later.
    public var isTemporary: Bool {
        switch reason {
        case .transport(let error): error.fault == .network
        case .status(let status): status == 429 || status >= 500
        case .refused(let code): code == .serverError || code == .temporarilyUnavailable
        case .nothingToRefresh, .invalidRequest, .redirected, .malformedReply, .expired,
            .invalidRedirect:
            false
        }
    }
}

extension CredentialError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension CredentialError {
    /// The error for a server's no.
    ///
    /// - Parameters:
    ///   - place: Who said no.
    ///   - code: The server's code.
    ///   - words: The server's own words.
    ///   - redactor: Takes the secrets of the request out of both.
    ///   - retryAfter: How long the server asked to be left alone.
    package init(
        refusedBy place: String, code: String, words: String?, hiding redactor: Redactor,
        retryAfter: Duration? = nil
    ) {
        var code = OAuthErrorCode(rawValue: code)
        // A known code is no secret, even if a very short one happens to be part of it.
        if !code.isKnown { code = OAuthErrorCode(rawValue: Self.excerpt(code.rawValue, redactor)) }
        let words = words.map { Self.excerpt($0, redactor) } ?? ""
        let tail = words.isEmpty ? "" : " (it says: \(words))"
        let advice = CredentialError(.refused(code), "").needsLogin ? "; log in again" : ""
        self.init(
            .refused(code), "\(place) refused: \(code.rawValue)\(tail)\(advice)",
            retryAfter: retryAfter)
    }

    /// The beginning of somebody else's words, without secrets.
    private static func excerpt(_ words: String, _ redactor: Redactor) -> String {
        redactor.redact(beginningOf: words.visible).excerpt()
    }
}
