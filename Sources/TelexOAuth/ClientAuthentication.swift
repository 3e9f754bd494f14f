import TelexRuntime

/// How a client proves to the token server who it is (RFC 6749, section 2.3).
public enum ClientAuthentication: Sendable, Hashable {
    /// Not at all: a public client, such as an app on a phone, whose secret would be no secret.
    case none
    /// With a secret in the header field `Authorization` (`client_secret_basic`). The better of the
    /// two, and the one that every server has to understand.
    case basic(secret: String)
    /// With a secret in the form (`client_secret_post`).
    case post(secret: String)
}

extension ClientAuthentication: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The way without the secret.
    public var description: String {
        switch self {
        case .none: "none"
        case .basic: "basic (\(Redacted.text))"
        case .post: "post (\(Redacted.text))"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["authentication": description]) }
}

extension TokenRequest {
    /// Says which client this is, and proves it.
    mutating func authenticate(_ id: String, _ authentication: ClientAuthentication) {
        switch authentication {
        case .none: add("client_id", id)
        case .post(let secret):
            add("client_id", id)
            add("client_secret", secret: secret)
        case .basic(let secret):
            // Both are encoded first, so that a colon in the id divides nothing (section 2.3.1).
            let pair = "\(PercentEncoding.form(id)):\(PercentEncoding.form(secret))"
            let text = Base64.standard(pair.utf8)
            authorization = "Basic \(text)"
            hide(secret)
            hide(text)
        }
    }
}
