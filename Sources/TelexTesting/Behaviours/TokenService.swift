import HTTPTypes
import TelexJSON

/// A server that issues access tokens and refuses expired ones, for tests of a client that
/// coalesces refreshes (RFC 6749, sections 5 and 6).
///
/// ```swift
/// let tokens = TokenService()
/// let first = tokens.issue()                      // a user has logged in
/// let api = tokens.protecting { _ in .text("secret") }
/// let server = try LoopbackServer { request in
///     request.path == "/token" ? tokens.refresh(request) : api(request)
/// }
/// tokens.expireAccessTokens()                     // from now on 401, until a refresh
/// ```
///
/// A refresh token is valid for one use. Each refresh returns a new pair, and the old access token
/// becomes invalid.
public final class TokenService: Sendable {
    /// An access token and the refresh token that came with it.
    public struct Tokens: Sendable, Hashable {
        /// The token that a protected request must carry.
        public let access: String
        /// The token that a refresh sends.
        public let refresh: String

        init(number: Int) {
            access = "access-\(number)"
            refresh = "refresh-\(number)"
        }
    }

    /// How a request without a valid access token is refused.
    public enum Refusal: Sendable {
        /// 401 with `WWW-Authenticate: Bearer` (RFC 6750, 3).
        case unauthorized
        /// 200 with `{"error": {"error_code": 5, …}}`, as VK does.
        case errorCode5
    }

    /// The behaviour of the token endpoint.
    public enum Refreshing: Sendable {
        /// Answers with new tokens.
        case working
        /// Issues new tokens at once, so the old ones are invalid, but the reply waits for the
        /// gate.
        case slow(Gate)
        /// Refuses every refresh token with `invalid_grant` (RFC 6749, 5.2).
        case failing
        /// Answers 503 and changes nothing.
        case unavailable
        /// Never answers, and changes nothing.
        case hanging
    }

    /// The counters of a service.
    public struct Counts: Sendable, Hashable {
        /// Requests to the token endpoint.
        public var refreshRequests = 0
        /// Refreshes that issued new tokens.
        public var refreshes = 0
        /// Requests with a refresh token that has been used before. Must stay 0.
        public var reusedRefreshTokens = 0
        /// Protected requests that were accepted.
        public var accepted = 0
        /// Protected requests that were refused.
        public var refused = 0
    }

    private struct State {
        var refreshing = Refreshing.working
        var counts = Counts()
        var lastNumber = 0
        var validAccess: String?
        var validRefresh: String?
        var usedRefresh: Set<String> = []

        mutating func issue() -> Tokens {
            lastNumber += 1
            let tokens = Tokens(number: lastNumber)
            validAccess = tokens.access
            validRefresh = tokens.refresh
            return tokens
        }
    }

    private let refusal: Refusal
    private let lifetime: Int
    private let state = Lock(State())

    /// Makes a service without any issued token.
    ///
    /// - Parameters:
    ///   - refusal: How requests are refused; with 401 by default.
    ///   - lifetime: The `expires_in` of replies, in seconds; 3600 by default. It is only reported:
    ///     tokens expire by `expireAccessTokens()`.
    public init(refusal: Refusal = .unauthorized, lifetime: Int = 3600) {
        self.refusal = refusal
        self.lifetime = lifetime
    }

    /// The counters so far.
    public var counts: Counts { state.withLock { $0.counts } }

    /// Issues new tokens, as after a login. All earlier tokens become invalid.
    @discardableResult
    public func issue() -> Tokens { state.withLock { $0.issue() } }

    /// Expires the access token. The refresh token stays valid.
    public func expireAccessTokens() { state.withLock { $0.validAccess = nil } }

    /// Sets the behaviour of the token endpoint.
    public func setRefreshing(_ refreshing: Refreshing) {
        state.withLock { $0.refreshing = refreshing }
    }

    /// The token endpoint: answers a form with `grant_type=refresh_token` and `refresh_token`.
    public func refresh(_ request: LoopbackRequest) -> LoopbackReply {
        let form = FormFields(request.text)
        return state.withLock { state in
            state.counts.refreshRequests += 1
            switch state.refreshing {
            case .failing: return Self.refused
            case .unavailable: return .bytes(status: 503)
            case .hanging: return .silence
            case .working: return rotate(form, &state)
            case .slow(let gate): return rotate(form, &state).held(by: gate)
            }
        }
    }

    private func rotate(_ form: FormFields, _ state: inout State) -> LoopbackReply {
        guard form["grant_type"] == "refresh_token", let token = form["refresh_token"] else {
            return .text(#"{"error":"invalid_request"}"#, status: 400, fields: Self.json)
        }
        if state.usedRefresh.contains(token) { state.counts.reusedRefreshTokens += 1 }
        guard token == state.validRefresh else { return Self.refused }
        state.usedRefresh.insert(token)
        state.counts.refreshes += 1
        return .text(state.issue().text(expiresIn: lifetime), fields: Self.json)
    }

    /// A handler that calls `handler` only for requests with the valid access token, either in
    /// `Authorization: Bearer …` or in the query as `access_token`.
    public func protecting(
        _ handler: @escaping LoopbackServer.Handler
    ) -> LoopbackServer.Handler {
        { request in
            if self.admits(request) { return handler(request) }
            let reply = self.refusal.reply
            return request.method == "HEAD" ? reply.withoutBody : reply
        }
    }

    private func admits(_ request: LoopbackRequest) -> Bool {
        let token = request.accessToken
        return state.withLock { state in
            let isValid = token != nil && token == state.validAccess
            if isValid { state.counts.accepted += 1 } else { state.counts.refused += 1 }
            return isValid
        }
    }

    static let invalidGrant = #"{"error":"invalid_grant"}"#
    fileprivate static let json: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store",
    ]
    private static let refused = LoopbackReply.text(invalidGrant, status: 400, fields: json)
}

extension TokenService.Tokens {
    /// The reply of a token endpoint (RFC 6749, 5.1).
    func text(expiresIn lifetime: Int) -> String {
        """
        {"access_token":"\(access)","token_type":"Bearer","expires_in":\(lifetime),\
        "refresh_token":"\(refresh)"}
        """
    }
}

extension TokenService.Refusal {
    /// The body.
    var text: String {
        switch self {
        case .unauthorized: #"{"error":"invalid_token"}"#
        case .errorCode5:
            #"{"error":{"error_code":5,"error_msg":"User authorization failed: invalid session."}}"#
        }
    }

    fileprivate var reply: LoopbackReply {
        switch self {
        case .unauthorized:
            var fields = TokenService.json
            fields[.wwwAuthenticate] = #"Bearer error="invalid_token""#
            return .text(text, status: 401, fields: fields)
        case .errorCode5: return .text(text, fields: TokenService.json)
        }
    }
}

extension LoopbackRequest {
    fileprivate var accessToken: String? {
        if let text = fields[.authorization], text.hasPrefix("Bearer ") {
            return String(text.dropFirst(7))
        }
        return FormFields(String(target.drop { $0 != "?" }.dropFirst()))["access_token"]
    }
}
