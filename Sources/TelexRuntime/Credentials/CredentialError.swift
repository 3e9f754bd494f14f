/// Why there is no new credential. Holds no secret.
public struct CredentialError: Error, Sendable, Hashable {
    /// What went wrong, for programs.
    public enum Reason: Sendable, Hashable {
        /// There is no credential, or it came without a refresh token.
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
    }

    /// What went wrong.
    public let reason: Reason
    /// What happened, in a sentence for a developer.
    public let message: String

    /// Makes an error.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// Whether only the user can help, by logging in again: what the app has is worth nothing.
    public var needsLogin: Bool {
        switch reason {
        case .nothingToRefresh, .refused(.invalidGrant), .refused(.accessDenied), .expired: true
        default: false
        }
    }

    /// Whether the same request may succeed later.
    public var isTemporary: Bool {
        switch reason {
        case .transport(let error): error.fault == .network
        case .status(let status): status == 429 || status >= 500
        case .refused(let code): code == .serverError || code == .temporarilyUnavailable
        case .nothingToRefresh, .invalidRequest, .redirected, .malformedReply, .expired: false
        }
    }
}

extension CredentialError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
