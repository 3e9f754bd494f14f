import TelexCredentials
import TelexInspection
import TelexTransport

/// The request for a new token, as a spec declares it with `auth: refresh:`.
///
/// It is a `POST` over `https`, or over `http` to this machine. The refresh token is sent as
/// `refresh_token`, unless a field contains it or the old token, or `grant_type` is another than
/// `refresh_token`. A request that needs nothing of the old token also logs in: one with another
/// `grant_type`, or one without `grant_type` and with a secret, such as a password.
public struct RefreshRequest: Sendable, Hashable {
    /// The format of the fields.
    public enum Body: Sendable, Hashable {
        /// A form.
        case form([Field])
        /// A JSON object of strings.
        case json([Field])
    }

    /// A field of the request.
    public struct Field: Sendable, Hashable {
        /// The name of the field.
        public var name: String
        /// The value of the field.
        public var value: Value

        /// Makes a field.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a field.
    public enum Value: Sendable, Hashable {
        /// A constant text, such as a client id. Errors and events show it only if the field has a
        /// name that is known to be harmless, such as `client_id` or `scope`.
        case constant(String)
        /// A text that is always redacted, such as a client secret.
        case secret(String)
        /// A secret that the app keeps, by its name: `$secret.API_KEY` is `.appSecret("API_KEY")`.
        case appSecret(String)
        /// A value that came with the old token: `$token.user_id` is `.fact("user_id")`.
        case fact(String)
        /// The refresh token: `$token.refresh_token`.
        case refreshToken
        /// The old token: `$token.access_token`.
        case token
    }

    /// The address of the request: an absolute URL, or a path relative to the server that the
    /// manager calls.
    public var address: String
    /// The fields and their format.
    public var body: Body
    /// The paths of the token's properties in the reply.
    public var reply: TokenReplyRules

    /// Makes a request.
    public init(
        _ address: String, _ body: Body = .form([Field("grant_type", .constant("refresh_token"))]),
        reply: TokenReplyRules = TokenReplyRules()
    ) {
        self.address = address
        self.body = body
        self.reply = reply
    }

    private var fields: [Field] {
        switch body {
        case .form(let fields), .json(let fields): fields
        }
    }

    /// The names of the app's secrets that it sends.
    package var secretNames: [String] {
        fields.compactMap { if case .appSecret(let name) = $0.value { name } else { nil } }
    }

    /// Whether it needs nothing of an old token, so that it also logs in.
    package var logsIn: Bool { fields.allSatisfy { !$0.value.isOfToken } && !needsRefreshToken }

    private var grantType: Value? { fields.first { $0.name == "grant_type" }?.value }

    /// Whether a refresh token is added, if there is one.
    private var addsRefreshToken: Bool {
        !fields.contains { $0.value == .refreshToken || $0.value == .token }
            && [nil, .constant("refresh_token")].contains(grantType)
    }

    private var needsRefreshToken: Bool {
        addsRefreshToken && (grantType != nil || !fields.contains { $0.value.isSecret })
    }

    /// Returns the request for a new credential in place of the old one.
    ///
    /// - Parameter secrets: The values of ``secretNames``.
    /// - Throws: `.nothingToRefresh` if there is no credential that the request needs, or if it lacks
    ///   the value of a field.
    package func request(
        _ old: Credential?, _ secrets: [String: String] = [:]
    ) throws(CredentialError) -> TokenRequest {
        guard old != nil || logsIn else {
            throw CredentialError(.nothingToRefresh, "there is no token to refresh; log in")
        }
        var isJSON = false
        if case .json = body { isJSON = true }
        var request = TokenRequest(to: address, asJSON: isJSON)
        request.isRefresh = true
        request.rules = reply
        let old = old ?? Credential(token: "")
        request.hide(old)
        for field in fields { try request.add(field, of: old, secrets) }
        if needsRefreshToken || addsRefreshToken && old.refreshToken != nil {
            try request.add(Field("refresh_token", .refreshToken), of: old, secrets)
        }
        return request
    }
}

extension RefreshRequest.Value {
    fileprivate var isOfToken: Bool {
        switch self {
        case .fact, .refreshToken, .token: true
        case .constant, .secret, .appSecret: false
        }
    }

    fileprivate var isSecret: Bool {
        switch self {
        case .secret, .appSecret: true
        case .constant, .fact, .refreshToken, .token: false
        }
    }
}

extension TokenRequest {
    fileprivate mutating func add(
        _ field: RefreshRequest.Field, of old: Credential, _ secrets: [String: String]
    ) throws(CredentialError) {
        switch field.value {
        case .constant(let text): add(field.name, text)
        case .secret(let text): add(field.name, secret: text)
        case .appSecret(let name):
            guard let secret = secrets[name] else {
                throw CredentialError(
                    .invalidRequest,
                    "there is no secret `\(name)`; give it in `APIManager(…) { $0.secrets = … }`")
            }
            add(field.name, secret: secret)
        case .token: add(field.name, secret: old.token)
        case .refreshToken:
            guard let refresh = old.refreshToken else {
                throw CredentialError(
                    .nothingToRefresh, "the token came without a refresh token; log in again")
            }
            add(field.name, secret: refresh)
        case .fact(let name):
            guard let fact = old.values[name] else {
                throw CredentialError(
                    .nothingToRefresh,
                    "the token came without `\(name)`, which the refresh request needs; log in "
                        + "again")
            }
            add(field.name, secret: fact)
        }
    }
}

extension RefreshRequest: RedactedDescription {
    /// The address with only its origin and path, and the other properties.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "address": Address.masked(address), "body": body, "reply": reply,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension RefreshRequest.Field: RedactedDescription {
    /// The name and a description of the value; a constant is shown only if the name is known to be
    /// harmless.
    public var customMirror: Mirror {
        let isShown = TokenField.isHarmless(name)
        let constant: String? = if case .constant(let text) = value, isShown { text } else { nil }
        let children: KeyValuePairs<String, Any> = [
            "name": name, "value": constant ?? value.description,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension RefreshRequest.Value: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// A description of the value. Secrets are redacted, and so are constants, which may be secret.
    public var description: String {
        switch self {
        case .constant, .secret: Redactor.mark
        case .appSecret(let name): "$secret.\(name)"
        case .fact(let name): "$token.\(name)"
        case .refreshToken: "$token.refresh_token"
        case .token: "$token.access_token"
        }
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}
