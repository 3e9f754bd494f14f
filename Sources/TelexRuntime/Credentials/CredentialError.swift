/// Why there is no new credential. Holds no secret.
public struct CredentialError: Error, Sendable, Hashable {
    /// What went wrong, for programs.
    public enum Reason: Sendable, Hashable {
        /// There is no credential, it came without a refresh token or another value that the request
        /// needs, or somebody has logged out or in anew meanwhile.
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
    /// How long the server asked to wait before it is asked again (`Retry-After`), counted from its
    /// reply: at most a day, and nil if it did not say or is not to be asked again. An `APIManager`
    /// heeds it: calls that need a new token before that fail with the same error, and the server is not
    /// asked.
    public package(set) var retryAfter: Duration?

    /// What helps, where the reason alone does not tell.
    enum Remedy: Sendable, Hashable {
        /// The user has to log in.
        case login
        /// The same request may succeed later.
        case time
        /// Neither of them.
        case neither
    }

    private let remedy: Remedy?
    /// Whether the API itself refused, in a code of its own, and no authorization server.
    private let isOfAPI: Bool

    /// Makes an error.
    ///
    /// - Parameter retryAfter: How long the server asked to wait, as ``retryAfter`` says: a day at most,
    ///   and of no account for an error after which it is not to be asked again.
    public init(_ reason: Reason, _ message: String, retryAfter: Duration? = nil) {
        self.init(reason, message, remedy: nil)
        if isTemporary {
            self.retryAfter = retryAfter.map { min(max($0, .zero), RetryAfter.maximum) }
        }
    }

    init(_ reason: Reason, _ message: String, remedy: Remedy?, isOfAPI: Bool = false) {
        self.reason = reason
        self.message = message
        self.remedy = remedy
        self.isOfAPI = isOfAPI
    }

    /// Whether only the user can help, by logging in again: what the app has is worth nothing.
    ///
    /// A refresh token that is over is told by a code, `invalid_grant` or one of those in
    /// ``OAuthErrorCode`` that servers have in its place, or by no more than the status 400 or 401. A
    /// 403 without a code is not taken for that: it is as often a firewall's or a proxy's, which the
    /// request may pass another time, and nobody is to log in because of that. A server of the API may
    /// also say it where its description has errors: by a code after which a call is not to be repeated,
    /// with the status 400 or 401 or in a reply of success. Nor is anybody to log in where somebody
    /// has logged in anew meanwhile: calls made from then on have that token.
    public var needsLogin: Bool {
        if let remedy { return remedy == .login }
        return switch reason {
        case .nothingToRefresh, .expired: true
        case .refused(let code): OAuthErrorCode.askingForLogin.contains(code)
        default: false
        }
    }

    /// Whether the same request may succeed later.
    public var isTemporary: Bool {
        switch reason {
        case .transport(let error): error.fault == .network
        case .status(let status): status == 429 || status >= 500
        case .refused(let code):
            remedy == .time || code == .serverError || code == .temporarilyUnavailable
        case .nothingToRefresh, .invalidRequest, .redirected, .malformedReply, .expired,
            .invalidRedirect:
            false
        }
    }

    /// The code with which the API itself refused, as its description has it; nil if nobody did, or an
    /// authorization server.
    var apiCode: String? {
        guard isOfAPI, case .refused(let code) = reason else { return nil }
        return code.rawValue
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
    package init(refusedBy place: String, code: String, words: String?, hiding redactor: Redactor) {
        self.init(
            refusedBy: place, code: code, isDeclared: false, words: words, hiding: redactor,
            remedy: nil)
    }

    /// - Parameters:
    ///   - isDeclared: Whether the API's description has the code, so that it is known not to be a secret.
    ///   - remedy: What helps, if the code is not one of OAuth.
    ///   - isOfAPI: Whether it is a code of the API's own.
    init(
        refusedBy place: String, code: String, isDeclared: Bool, words: String?,
        hiding redactor: Redactor, remedy: Remedy?, isOfAPI: Bool = false
    ) {
        var code = OAuthErrorCode(rawValue: code)
        // A known code is no secret, even if a very short one happens to be part of it.
        if !code.isKnown, !isDeclared {
            code = OAuthErrorCode(rawValue: Self.excerpt(code.rawValue, redactor))
        }
        let said = "\(place) refused: \(code.rawValue)\(Self.saying(words, hiding: redactor))"
        let needsLogin = CredentialError(.refused(code), "", remedy: remedy).needsLogin
        self.init(
            .refused(code), needsLogin ? "\(said); log in again" : said, remedy: remedy,
            isOfAPI: isOfAPI)
    }

    /// The server's own words as a part of a sentence, without secrets; nothing if there are none.
    static func saying(_ words: String?, hiding redactor: Redactor) -> String {
        let words = words.map { excerpt($0, redactor) } ?? ""
        return words.isEmpty ? "" : " (it says: \(words))"
    }

    /// The beginning of somebody else's words, without secrets.
    private static func excerpt(_ words: String, _ redactor: Redactor) -> String {
        redactor.redact(beginningOf: words.visible).excerpt()
    }
}
