import TelexInspection
import TelexTransport

/// The reason why no new credential is available. It contains no secret.
public struct CredentialError: Error, Sendable, Hashable {
    /// The reason of a failure, for error handling.
    public enum Reason: Sendable, Hashable {
        /// There is no credential; or it lacks a refresh token or another value that the request
        /// needs; or a log-out or another login happened during the refresh.
        case nothingToRefresh
        /// The token request cannot be built: an invalid address, a scheme other than `https`, or a
        /// missing value.
        case invalidRequest
        /// The transport failed.
        case transport(TransportError)
        /// The server answered with a redirect, which is never followed because the request
        /// contains secrets.
        case redirected(status: Int)
        /// The server refused, with this code (RFC 6749, section 5.2).
        case refused(OAuthErrorCode)
        /// The server refused without a code.
        case status(Int)
        /// The reply is not a valid token reply (RFC 6749, section 5.1).
        case malformedReply
        /// The authorization was not granted in time.
        case expired
        /// The redirect address does not belong to the login that was started.
        case invalidRedirect
    }

    /// The reason of the failure.
    public let reason: Reason
    /// A description for developers, as a sentence.
    public let message: String
    /// The time after which the server may be asked again (`Retry-After`), counted from its reply:
    /// at most a day; `nil` if the server gave none, or if the request must not be repeated. An
    /// `APIManager` respects it: until then, calls that need a new token fail with the same error,
    /// without a request to the server.
    public package(set) var retryAfter: Duration?

    /// The remedy, if the reason alone does not determine it.
    package enum Remedy: Sendable, Hashable {
        /// The user has to log in.
        case login
        /// The same request may succeed later.
        case time
        /// Neither a login nor a retry.
        case neither
    }

    private let remedy: Remedy?
    /// Whether the API itself refused, with its own code, rather than an authorization server.
    private let isOfAPI: Bool

    /// Makes an error. The value of ``retryAfter`` is limited to a day, and ignored for an error
    /// that is not temporary.
    public init(_ reason: Reason, _ message: String, retryAfter: Duration? = nil) {
        self.init(reason, message: message, remedy: nil)
        if isTemporary {
            self.retryAfter = retryAfter.map { min(max($0, .zero), RetryAfter.maximum) }
        }
    }

    package init(_ reason: Reason, message: String, remedy: Remedy?, isOfAPI: Bool = false) {
        self.reason = reason
        self.message = message
        self.remedy = remedy
        self.isOfAPI = isOfAPI
    }

    /// Whether the user has to log in again because the stored credential is unusable.
    ///
    /// An expired refresh token is recognised by a code, `invalid_grant` or one of its variants in
    /// ``OAuthErrorCode``, or by status 400 or 401 alone. Status 403 without a code does not count,
    /// because it often comes from a firewall or a proxy, which may let a later request pass. A
    /// server of the API may also refuse in the way that its description declares for errors: with
    /// a code that is not retryable, in a reply with status 400 or 401 or with a success status.
    /// `false` if another login happened during the refresh, because later calls use its token.
    public var needsLogin: Bool {
        if let remedy { return remedy == .login }
        return switch reason {
        case .nothingToRefresh, .expired: true
        case .refused(let code): OAuthErrorCode.requiringLogin.contains(code)
        default: false
        }
    }

    /// Whether the same request may succeed later.
    public var isTemporary: Bool {
        switch reason {
        case .transport(let error): error.kind.isOfNetwork
        case .status(let status): status == 429 || status >= 500
        case .refused(let code):
            remedy == .time || code == .serverError || code == .temporarilyUnavailable
        case .nothingToRefresh, .invalidRequest, .redirected, .malformedReply, .expired,
            .invalidRedirect:
            false
        }
    }

    /// The API's own error code, as its description declares it; `nil` if there was no refusal, or
    /// if an authorization server refused.
    package var apiCode: String? {
        guard isOfAPI, case .refused(let code) = reason else { return nil }
        return code.rawValue
    }
}

extension CredentialError: CustomStringConvertible {
    /// The same text as ``message``.
    public var description: String { message }
}

extension CredentialError {
    /// Makes the error for a refusal.
    ///
    /// - Parameters:
    ///   - place: The server that refused.
    ///   - code: The server's code.
    ///   - words: The server's message.
    ///   - redactor: Redacts the secrets of the request in `code` and `words`.
    package init(refusedBy place: String, code: String, words: String?, hiding redactor: Redactor) {
        self.init(
            refusedBy: place, code: code, isDeclared: false, words: words, hiding: redactor,
            remedy: nil)
    }

    /// - Parameters:
    ///   - isDeclared: Whether the API's description declares the code, so that it cannot be a
    ///     secret.
    ///   - remedy: The remedy, if the code is not an OAuth code.
    ///   - isOfAPI: Whether it is the API's own code.
    package init(
        refusedBy place: String, code: String, isDeclared: Bool, words: String?,
        hiding redactor: Redactor, remedy: Remedy?, isOfAPI: Bool = false
    ) {
        var code = OAuthErrorCode(rawValue: code)
        // A known code is not redacted, even if a very short secret is part of it.
        if !code.isKnown, !isDeclared {
            code = OAuthErrorCode(rawValue: Self.excerpt(code.rawValue, redactor))
        }
        let said = "\(place) refused: \(code.rawValue)\(Self.saying(words, hiding: redactor))"
        let needsLogin = CredentialError(.refused(code), message: "", remedy: remedy).needsLogin
        self.init(
            .refused(code), message: needsLogin ? "\(said); log in again" : said, remedy: remedy,
            isOfAPI: isOfAPI)
    }

    /// Returns the server's message as a part of a sentence, without secrets; an empty string if
    /// there is none.
    package static func saying(_ words: String?, hiding redactor: Redactor) -> String {
        let words = words.map { excerpt($0, redactor) } ?? ""
        return words.isEmpty ? "" : " (it says: \(words))"
    }

    /// Returns the beginning of a text from a server, without secrets.
    private static func excerpt(_ words: String, _ redactor: Redactor) -> String {
        redactor.redact(beginningOf: words.visible).excerpt()
    }
}
