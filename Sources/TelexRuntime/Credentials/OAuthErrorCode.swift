import TelexJSON

/// A code with which an authorization server says no. Servers may have codes of their own.
public struct OAuthErrorCode: OpenEnum {
    /// The code as the server sends it.
    public let rawValue: String

    /// Any code.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The codes of RFC 6749 (sections 4.1.2.1 and 5.2), RFC 6750 (section 3.1) and RFC 8628 (section
    /// 3.5), those of OpenID Connect (section 3.1.2.6) that ask for the user, and what large servers
    /// have in place of `invalid_grant`.
    public static let allKnown: [OAuthErrorCode] = [
        invalidRequest, invalidClient, invalidGrant, unauthorizedClient, unsupportedGrantType,
        invalidScope, accessDenied, unsupportedResponseType, serverError, temporarilyUnavailable,
        authorizationPending, slowDown, expiredToken, invalidToken, badRefreshToken,
        invalidRefreshToken, refreshTokenExpired, tokenExpired, tokenRevoked, invalidCode,
        loginRequired, interactionRequired, consentRequired,
    ]

    /// The request lacks something, or has something twice.
    public static let invalidRequest = OAuthErrorCode(rawValue: "invalid_request")
    /// The server does not know the client, or its secret is wrong.
    public static let invalidClient = OAuthErrorCode(rawValue: "invalid_client")
    /// The code or the refresh token is wrong, over, used or revoked.
    public static let invalidGrant = OAuthErrorCode(rawValue: "invalid_grant")
    /// The client may not use this grant.
    public static let unauthorizedClient = OAuthErrorCode(rawValue: "unauthorized_client")
    /// The server does not have this grant.
    public static let unsupportedGrantType = OAuthErrorCode(rawValue: "unsupported_grant_type")
    /// A scope is unknown, or more than the user granted.
    public static let invalidScope = OAuthErrorCode(rawValue: "invalid_scope")
    /// The user, or the server, said no.
    public static let accessDenied = OAuthErrorCode(rawValue: "access_denied")
    /// The server does not give codes.
    public static let unsupportedResponseType = OAuthErrorCode(
        rawValue: "unsupported_response_type")
    /// Something broke in the server.
    public static let serverError = OAuthErrorCode(rawValue: "server_error")
    /// The server is busy or being repaired.
    public static let temporarilyUnavailable = OAuthErrorCode(rawValue: "temporarily_unavailable")
    /// The user has not answered yet.
    public static let authorizationPending = OAuthErrorCode(rawValue: "authorization_pending")
    /// The user has not answered yet, and the client asks too often.
    public static let slowDown = OAuthErrorCode(rawValue: "slow_down")
    /// The code for the user is over; with some servers, the refresh token.
    public static let expiredToken = OAuthErrorCode(rawValue: "expired_token")
    /// The token is wrong, over or revoked; with some servers, such as those built with Spring
    /// Security OAuth, the refresh token.
    public static let invalidToken = OAuthErrorCode(rawValue: "invalid_token")
    /// The refresh token is wrong or over, as GitHub says it.
    public static let badRefreshToken = OAuthErrorCode(rawValue: "bad_refresh_token")
    /// The refresh token is wrong or over, as Slack says it.
    public static let invalidRefreshToken = OAuthErrorCode(rawValue: "invalid_refresh_token")

    /// The refresh token is over, in the words of some servers.
    public static let refreshTokenExpired = OAuthErrorCode(rawValue: "refresh_token_expired")
    /// The token is over, in the words of some servers.
    public static let tokenExpired = OAuthErrorCode(rawValue: "token_expired")
    /// The token was revoked, in the words of some servers.
    public static let tokenRevoked = OAuthErrorCode(rawValue: "token_revoked")
    /// The code or the refresh token is wrong, over or used, in the words of some servers.
    public static let invalidCode = OAuthErrorCode(rawValue: "invalid_code")
    /// The user is not logged in at the server any more (OpenID Connect).
    public static let loginRequired = OAuthErrorCode(rawValue: "login_required")
    /// The user has to do something at the server, such as prove once more who it is (OpenID Connect).
    public static let interactionRequired = OAuthErrorCode(rawValue: "interaction_required")
    /// The user has to allow something, maybe once more (OpenID Connect).
    public static let consentRequired = OAuthErrorCode(rawValue: "consent_required")

    /// The codes for which only a new login helps.
    static let askingForLogin: Set<OAuthErrorCode> = [
        invalidGrant, accessDenied, expiredToken, invalidToken, badRefreshToken,
        invalidRefreshToken, refreshTokenExpired, tokenExpired, tokenRevoked, invalidCode,
        loginRequired, interactionRequired, consentRequired,
    ]
}
