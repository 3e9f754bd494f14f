import TelexRuntime

/// How a client authenticates at the token server (RFC 6749, section 2.3).
public enum ClientAuthentication: Sendable, Hashable {
    /// No authentication: a public client, such as an app on a user's device, which cannot keep a
    /// secret.
    case none
    /// A secret in the `Authorization` header field (`client_secret_basic`). It is preferred to
    /// `post`, and every server has to support it.
    case basic(secret: String)
    /// A secret in the form (`client_secret_post`).
    case post(secret: String)
}

extension ClientAuthentication: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The method without the secret.
    public var description: String {
        switch self {
        case .none: "none"
        case .basic: "basic (\(Redacted.text))"
        case .post: "post (\(Redacted.text))"
        }
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["authentication": description]) }
}

extension TokenRequest {
    /// Adds the client's id and its authentication.
    mutating func authenticate(_ id: String, _ authentication: ClientAuthentication) {
        switch authentication {
        case .none: add("client_id", id)
        case .post(let secret):
            add("client_id", id)
            add("client_secret", secret: secret)
        case .basic(let secret):
            // Both are form-encoded first, so that a colon in the id is not taken for the separator
            // (section 2.3.1).
            let pair = "\(PercentEncoding.form(id)):\(PercentEncoding.form(secret))"
            let text = Base64.standard(pair.utf8)
            authorization = "Basic \(text)"
            hide(secret)
            hide(text)
        }
    }
}
