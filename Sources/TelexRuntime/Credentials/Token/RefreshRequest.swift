import TelexInspection
import TelexTransport

/// The request that gets a new token, as a spec declares it with `auth: refresh:`.
///
/// It is a `POST`, over `https` unless the server is this machine. The refresh token is sent as
/// `refresh_token`, unless some field holds it or the old token.
public struct RefreshRequest: Sendable, Hashable {
    /// How the fields are sent.
    public enum Body: Sendable, Hashable {
        /// As a form.
        case form([Field])
        /// As an object of texts.
        case json([Field])
    }

    /// A field of the request.
    public struct Field: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// What it holds.
        public var value: Value

        /// Makes a field.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// What a field holds.
    public enum Value: Sendable, Hashable {
        /// Always the same text, such as a client's id. Errors and events show it only if the field has
        /// a name of which everybody knows that it is harmless, such as `client_id` or `scope`.
        case constant(String)
        /// A text that is shown to nobody, such as a client's secret.
        case secret(String)
        /// A fact that came with the old token: `$token.user_id` is `.fact("user_id")`.
        case fact(String)
        /// The refresh token: `$token.refresh_token`.
        case refreshToken
        /// The old token: `$token.access_token`.
        case token
    }

    /// Where it is sent: an absolute address, or a path behind that of the server that the manager
    /// calls.
    public var address: String
    /// Its fields.
    public var body: Body
    /// Where things are in the reply.
    public var reply: TokenReplyRules

    /// Describes a request.
    public init(
        _ address: String, _ body: Body = .form([Field("grant_type", .constant("refresh_token"))]),
        reply: TokenReplyRules = TokenReplyRules()
    ) {
        self.address = address
        self.body = body
        self.reply = reply
    }

    /// The request for a new credential in place of the old one.
    ///
    /// - Throws: `.nothingToRefresh` if there is no credential or it lacks what a field holds.
    func request(_ old: Credential?) throws(CredentialError) -> TokenRequest {
        guard let old else {
            throw CredentialError(.nothingToRefresh, "there is no token to refresh; log in")
        }
        var request = TokenRequest(to: address)
        request.isRefresh = true
        request.rules = reply
        request.hide(old)
        let fields: [Field]
        switch body {
        case .form(let list): fields = list
        case .json(let list):
            fields = list
            request.format = .json
        }
        for field in fields { try request.add(field, of: old) }
        if !fields.contains(where: { $0.value == .refreshToken || $0.value == .token }) {
            try request.add(Field("refresh_token", .refreshToken), of: old)
        }
        return request
    }
}

extension TokenRequest {
    fileprivate mutating func add(
        _ field: RefreshRequest.Field, of old: Credential
    ) throws(CredentialError) {
        switch field.value {
        case .constant(let text): add(field.name, text)
        case .secret(let text): add(field.name, secret: text)
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
    /// The address without what stands in it behind the path, and the rest.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "address": Address.masked(address), "body": body, "reply": reply,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension RefreshRequest.Field: RedactedDescription {
    /// The name, and what it holds as far as that may be seen: a constant only if the name tells that it
    /// is harmless.
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
    /// What the field holds; a secret is not shown, nor is a constant, which may be one.
    public var description: String {
        switch self {
        case .constant, .secret: Redactor.mark
        case .fact(let name): "$token.\(name)"
        case .refreshToken: "$token.refresh_token"
        case .token: "$token.access_token"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["value": description]) }
}
