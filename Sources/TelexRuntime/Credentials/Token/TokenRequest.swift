import HTTPTypes
import TelexInspection
import TelexJSON
import TelexTransport

/// A request to a token endpoint (RFC 6749, section 3.2).
package struct TokenRequest: Sendable {
    /// How its fields are written.
    package enum Format: Sendable, Hashable {
        /// As a form (RFC 6749, appendix B).
        case form
        /// As a JSON object of texts, for servers that are not quite OAuth.
        case json
    }

    /// The address of the endpoint.
    package var address: String
    /// How the fields are written.
    package var format = Format.form
    /// The value of the field `Authorization`.
    package var authorization: String?
    /// Whether it is about a refresh token, so that a no without a code is a no to that.
    package var isRefresh = false
    /// Where the reply has its tokens, which must appear in no text either.
    package var rules = TokenReplyRules()
    /// How the server says no, besides as OAuth has it.
    var refusals: TokenRefusalRules?
    /// What must appear in no text.
    package private(set) var redactor = Redactor()

    private(set) var fields: [(name: String, value: String)] = []

    /// A request without fields.
    package init(to address: String) {
        self.address = address
    }

    /// Adds a field, whose value may have to appear in no text (``TokenField/isSecret(_:of:)``).
    package mutating func add(_ name: String, _ value: String) {
        fields.append((name, value))
        if TokenField.isSecret(value, of: name) { hide(value) }
    }

    /// Adds a field that must appear in no text.
    package mutating func add(_ name: String, secret: String) {
        fields.append((name, secret))
        hide(secret)
    }

    /// Takes care that this appears in no text.
    package mutating func hide(_ secret: String) {
        redactor.hide(secret)
    }

    /// Takes care that nothing of a credential appears in a text: a server may know of all of it, and
    /// any fact may be a secret. Short ones are spared unless their names say that they are: they would
    /// be found everywhere.
    package mutating func hide(_ old: Credential) {
        hide(old.token)
        if let refresh = old.refreshToken { hide(refresh) }
        for (name, value) in old.values {
            if Redactor.isSuspicious(name) { hide(value) } else { hide(part: value) }
        }
    }

    /// Takes care that this appears in no text, unless it is short.
    mutating func hide(part: String) {
        if part.utf8.count >= Redactor.shortestPart { hide(part) }
    }

    /// Whether there is a field of this name.
    package func has(_ name: String) -> Bool {
        fields.contains { $0.name == name }
    }

    /// The request as a transport sends it.
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
