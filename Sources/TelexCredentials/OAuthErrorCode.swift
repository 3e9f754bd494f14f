import TelexJSON

/// The code with which an authorization server refuses a request. Servers may use codes of their
/// own.
public struct OAuthErrorCode: OpenEnum {
    /// The code as the server sends it.
    public let rawValue: String

    /// Makes a code.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 6750 (section 3.1) and RFC 8628
    /// (section 3.5), the codes of OpenID Connect (section 3.1.2.6) that require the user, and the
    /// variants of `invalid_grant` that large servers use.
    public static let allKnown: [OAuthErrorCode] = [
        invalidRequest, invalidClient, invalidGrant, unauthorizedClient, unsupportedGrantType,
        invalidScope, accessDenied, unsupportedResponseType, serverError, temporarilyUnavailable,
        authorizationPending, slowDown, expiredToken, invalidToken, badRefreshToken,
        invalidRefreshToken, refreshTokenExpired, tokenExpired, tokenRevoked, invalidCode,
        loginRequired, interactionRequired, consentRequired,
    ]

    /// The request lacks a parameter, or has one twice.
    public static let invalidRequest = OAuthErrorCode(rawValue: "invalid_request")
    /// The client is unknown, or its secret is wrong.
    public static let invalidClient = OAuthErrorCode(rawValue: "invalid_client")
    /// The authorization code or the refresh token is invalid, expired, used or revoked.
    public static let invalidGrant = OAuthErrorCode(rawValue: "invalid_grant")
    /// The client may not use this grant.
    public static let unauthorizedClient = OAuthErrorCode(rawValue: "unauthorized_client")
    /// The server does not support this grant.
    public static let unsupportedGrantType = OAuthErrorCode(rawValue: "unsupported_grant_type")
    /// A scope is unknown, or exceeds the scope that the user granted.
    public static let invalidScope = OAuthErrorCode(rawValue: "invalid_scope")
    /// The user or the server denied access.
    public static let accessDenied = OAuthErrorCode(rawValue: "access_denied")
    /// The server does not issue authorization codes.
    public static let unsupportedResponseType = OAuthErrorCode(
        rawValue: "unsupported_response_type")
    /// The server failed.
    public static let serverError = OAuthErrorCode(rawValue: "server_error")
    /// The server is overloaded or in maintenance.
    public static let temporarilyUnavailable = OAuthErrorCode(rawValue: "temporarily_unavailable")
    /// The user has not answered yet.
    public static let authorizationPending = OAuthErrorCode(rawValue: "authorization_pending")
    /// The user has not answered yet, and the client polls too often.
    public static let slowDown = OAuthErrorCode(rawValue: "slow_down")
    /// The device code has expired; with some servers, the refresh token.
    public static let expiredToken = OAuthErrorCode(rawValue: "expired_token")
    /// The token is invalid, expired or revoked; with some servers, such as those built with Spring
    /// Security OAuth, the refresh token.
    public static let invalidToken = OAuthErrorCode(rawValue: "invalid_token")
    /// The refresh token is invalid or expired, as reported by GitHub.
    public static let badRefreshToken = OAuthErrorCode(rawValue: "bad_refresh_token")
    /// The refresh token is invalid or expired, as reported by Slack.
    public static let invalidRefreshToken = OAuthErrorCode(rawValue: "invalid_refresh_token")

    /// The refresh token has expired, as reported by some servers.
    public static let refreshTokenExpired = OAuthErrorCode(rawValue: "refresh_token_expired")
    /// The token has expired, as reported by some servers.
    public static let tokenExpired = OAuthErrorCode(rawValue: "token_expired")
    /// The token was revoked, as reported by some servers.
    public static let tokenRevoked = OAuthErrorCode(rawValue: "token_revoked")
    /// The authorization code or the refresh token is invalid, expired or used, as reported by some
    /// servers.
    public static let invalidCode = OAuthErrorCode(rawValue: "invalid_code")
    /// The user's session at the server has ended (OpenID Connect).
    public static let loginRequired = OAuthErrorCode(rawValue: "login_required")
    /// The user has to act at the server, for example authenticate again (OpenID Connect).
    public static let interactionRequired = OAuthErrorCode(rawValue: "interaction_required")
    /// The user has to consent, possibly again (OpenID Connect).
    public static let consentRequired = OAuthErrorCode(rawValue: "consent_required")

    /// The codes for which only a new login helps.
    package static let requiringLogin: Set<OAuthErrorCode> = [
        invalidGrant, accessDenied, expiredToken, invalidToken, badRefreshToken,
        invalidRefreshToken, refreshTokenExpired, tokenExpired, tokenRevoked, invalidCode,
        loginRequired, interactionRequired, consentRequired,
    ]
}
