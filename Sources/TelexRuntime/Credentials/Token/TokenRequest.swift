import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON
import TelexTransport

/// A request to a token endpoint (RFC 6749, section 3.2).
package struct TokenRequest: Sendable {
    /// The format of the fields.
    package enum Format: Sendable, Hashable {
        /// A form (RFC 6749, appendix B).
        case form
        /// A JSON object of strings, for servers that deviate from OAuth.
        case json
    }

    /// The address of the endpoint.
    package var address: String
    /// The format of the fields.
    package var format = Format.form
    /// The value of the `Authorization` header field.
    package var authorization: String?
    /// Whether the request uses a refresh token, so that a refusal without a code is a refusal of
    /// that token.
    package var isRefresh = false
    /// The paths of the tokens in the reply, which are also redacted.
    package var rules = TokenReplyRules()
    /// How the server reports refusals in addition to the way of OAuth.
    var refusals: TokenRefusalRules?
    /// The redactor of the secrets of the request.
    package private(set) var redactor = Redactor()

    private(set) var fields: [(name: String, value: String)] = []

    /// Makes a request without fields.
    package init(to address: String) {
        self.address = address
    }

    /// Adds a field; its value is redacted if it may be secret (``TokenField/isSecret(_:of:)``).
    package mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
        if TokenField.isSecret(value, of: name) { hide(value) }
    }

    /// Adds a field whose value is redacted.
    package mutating func add(_ name: String, secret: String) {
        fields.append((name, secret))
        hide(secret)
    }

    /// Redacts a secret in all texts.
    package mutating func hide(_ secret: String) {
        redactor.hide(secret)
    }

    /// Redacts all values of a credential in all texts, because the server may know them, and each
    /// may be secret. Short values without the name of a secret are not redacted, because they
    /// would match everywhere.
    package mutating func hide(_ old: Credential) {
        hide(old.token)
        if let refresh = old.refreshToken { hide(refresh) }
        for (name, value) in old.values {
            if Redactor.isSuspicious(name) { hide(value) } else { hide(part: value) }
        }
    }

    /// Redacts a text unless it is short.
    mutating func hide(part: String) {
        if part.utf8.count >= Redactor.shortestPart { hide(part) }
    }

    /// Whether there is a field of this name.
    package func has(_ name: String) -> Bool {
        fields.contains { $0.name == name }
    }

    /// Returns the request for the transport.
    func request(to address: Address, timeout: Duration) throws(CredentialError) -> TransportRequest
    {
        let head = HTTPRequest(
            method: .post, scheme: address.scheme, authority: address.authority,
            path: address.target, headerFields: try headerFields())
        return TransportRequest(
            head: head, body: .bytes(body), timeout: timeout,
            maximumReplyBytes: TokenEndpoint.maximumReplyBytes)
    }

    private func headerFields() throws(CredentialError) -> HTTPFields {
        var fields: HTTPFields = [.accept: "application/json"]
        fields[.contentType] =
            format == .form ? "application/x-www-form-urlencoded" : "application/json"
        guard let authorization else { return fields }
        do {
            fields.append(try HTTPField.checked("Authorization", authorization))
        } catch {
            throw CredentialError(.invalidRequest, error.message)
        }
        return fields
    }

    private var body: [UInt8] {
        switch format {
        case .form:
            let items = fields.map { name, value in
                "\(PercentEncoding.form(name))=\(PercentEncoding.form(value))"
            }
            return Array(items.joined(separator: "&").utf8)
        case .json:
            var json = JSONWriter()
            json.beginObject()
            for (name, value) in fields { json.field(name, value) }
            json.endObject()
            return json.bytes
        }
    }
}
