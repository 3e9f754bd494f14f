import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexTransport

/// A request to a token endpoint (RFC 6749, section 3.2). Of its fields, only the values of those
/// are shown that are known to be harmless.
package struct TokenRequest: Sendable {
    /// The address of the endpoint.
    package var address: String
    /// The value of the `Authorization` header field.
    package var authorization: String?
    /// Whether the request uses a refresh token, so that a refusal without a code is a refusal of
    /// that token.
    package var isRefresh = false
    /// The paths of the tokens in the reply, which are also redacted.
    package var rules = TokenReplyRules()
    /// How the server reports refusals in addition to the way of OAuth.
    package var refusals: TokenRefusalRules?
    /// The redactor of the secrets of the request.
    package private(set) var redactor = Redactor()

    /// Makes the body and its record.
    package private(set) var template = RequestTemplate(
        method: "token", endpoint: Endpoint(.post, ""))

    /// Makes a request without fields.
    ///
    /// - Parameter isJSON: Whether the fields are a JSON object of strings, for servers that deviate
    ///   from OAuth, rather than a form (RFC 6749, appendix B).
    package init(to address: String, asJSON isJSON: Bool = false) {
        self.address = address
        // No part of the query is shown.
        template.isWholeAddress = true
        if isJSON { template.body = .json([], sensitive: []) }
    }

    /// Adds a field; its value is redacted if it may be secret (``TokenField/isSecret(_:of:)``).
    package mutating func add(_ name: String, _ value: String) {
        append(name, value)
        if TokenField.isSecret(value, of: name) { hide(value) }
    }

    /// Adds a field whose value is redacted.
    package mutating func add(_ name: String, secret: String) {
        append(name, secret)
        hide(secret)
    }

    private mutating func append(_ name: String, _ value: String) {
        let field = RequestField(
            name: name, content: .text(value), isSensitive: !TokenField.isHarmless(name))
        template.form.append(.field(field))
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
    package mutating func hide(part: String) {
        if part.utf8.count >= Redactor.shortestPart { hide(part) }
    }

    /// Whether there is a field of this name.
    package func has(_ name: String) -> Bool {
        template.form.contains { $0.name == name }
    }

    /// Returns the request for the transport.
    package func request(to address: Address, timeout: Duration) throws(CredentialError)
        -> TransportRequest
    {
        let payload = try? template.payload(placement: nil, credential: nil)
        var fields: HTTPFields = [.accept: "application/json"]
        fields[.contentType] = payload?.type
        do {
            if let authorization {
                fields.append(try HTTPField.checked("Authorization", authorization))
            }
        } catch { throw CredentialError(.invalidRequest, error.message) }
        let head = HTTPRequest(
            method: .post, scheme: address.scheme, authority: address.authority,
            path: address.target, headerFields: fields)
        return TransportRequest(
            head: head, body: payload?.body, timeout: timeout,
            maximumReplyBytes: TokenReply.maximumBytes)
    }
}
