import TelexJSON
import TelexTransport

/// The request of a call, independent of the credential and the server.
///
/// A builder fills it in. Each attempt makes a complete one of it: with the base parameters of the
/// API, the id of the call, and the tokens and secrets that are sent like parameters.
package struct RequestTemplate: Sendable {
    /// A field of a form.
    package enum FormField: Sendable {
        case field(RequestField)
        case file(name: String, UploadFile)

        package var name: String {
            switch self {
            case .field(let field): field.name
            case .file(let name, _): name
            }
        }
    }

    /// A body that is not a form.
    package enum Body: Sendable {
        case none
        /// A JSON document, with the ranges of its sensitive values.
        case json([UInt8], sensitive: [Range<Int>])
        case bytes([UInt8], type: String)
        /// A file. Indirect, because it is large and rare.
        indirect case file(UploadFile)
    }

    /// The id of the call that the request has somewhere.
    package enum CallID: Sendable {
        /// It is not given yet; as a text.
        case text
        /// It is not given yet; as an integer.
        case integer
        /// The id. Indirect, because it is rare.
        indirect case given(String)
    }

    package let method: String
    package let endpoint: Endpoint
    package var path: [RequestField] = []
    package var query: [RequestField] = []
    package var headers: [RequestField] = []
    /// The form fields. For a JSON object body, these are the members whose values come from the
    /// credential.
    package var form: [FormField] = []
    /// The violations that were found while the request was built.
    package var foundViolations: [Violation] = []
    /// The id of the call; nil if none is sent.
    package var callIDForm: CallID?
    package var body = Body.none
    // All flags together, because every waiting call holds a request.
    /// Whether the caller gives the whole address in place of a path, for example from an earlier
    /// reply.
    package var isWholeAddress = false
    /// Whether an earlier reply gave the whole address, not the caller. To another origin, such a
    /// request is like one that a redirect led there.
    package var isAddressFromReply = false
    var isMultipart = false
    /// Whether the whole body is sensitive or contains a sensitive file.
    var isBodySensitive = false
    /// Whether a field, or one that a field of the call has replaced, is a value of the credential.
    private(set) var mayNeedCredential = false

    /// Creates a request without any values.
    package init(method: String, endpoint: Endpoint) {
        self.method = method
        self.endpoint = endpoint
    }

    /// Records that a field is a value of the credential.
    mutating func noteCredentialField() { mayNeedCredential = true }

    /// All violations of the request.
    package var violations: [Violation] {
        isMultipart ? foundViolations + nameViolations : foundViolations
    }

    /// The violations with the severity `error`.
    package var errors: [Violation] {
        let violations = violations
        return violations.isEmpty ? [] : violations.filter { $0.severity == .error }
    }

    /// The whole address that the caller gives; nil if there is none or it is invalid.
    package var wholeAddress: Address? {
        guard isWholeAddress else { return nil }
        return path.first?.pairs.first.flatMap { Address($0.value) }
    }

    /// The id of the call that is sent; nil if none is, or before it is known.
    package var callID: String? { if case .given(let id) = callIDForm { id } else { nil } }

    // MARK: Fields

    /// All fields except files.
    package var fields: [RequestField] { path + query + headers + formFields }

    /// The form fields that are not files.
    var formFields: [RequestField] {
        form.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    /// Whether a value of the credential other than the token in its usual place is sent.
    package var needsCredential: Bool { hasField { $0.credentialKey != nil } }

    /// Whether a token is sent as a parameter.
    package var sendsToken: Bool { hasField { $0.content.isToken } }

    /// Whether a secret of the app is sent.
    package var sendsAppSecret: Bool { hasField { $0.secretName != nil } }

    /// Whether a field with a value of the credential fulfils a condition.
    private func hasField(where isMatch: (RequestField) -> Bool) -> Bool {
        mayNeedCredential && fields.contains(where: isMatch)
    }

    // MARK: Base parameters

    /// Adds the API's base parameters. The method's own parameters of the same name take
    /// precedence. Form fields are added only to a form; they create no body for a request without
    /// one. A request to a whole address gets only header fields and violations, because the
    /// address has its own query and its target its own form.
    package mutating func add(base: RequestTemplate) {
        addHeaders(of: base)
        foundViolations += base.violations
        mayNeedCredential = mayNeedCredential || base.mayNeedCredential
        guard !isWholeAddress else { return }
        path = base.path.filter { field in !path.contains { $0.name == field.name } } + path
        query = base.query.filter { field in !query.contains { $0.name == field.name } } + query
        if takesForm {
            form = base.form.filter { field in !form.contains { $0.name == field.name } } + form
        }
    }

    private mutating func addHeaders(of base: RequestTemplate) {
        headers =
            base.headers.filter { field in
                !headers.contains { $0.name.lowercased() == field.name.lowercased() }
            } + headers
    }

    /// Whether the body is or may be a form. `POST`, `PUT` and `PATCH` without another body count
    /// as forms even if the call sets no form field.
    private var takesForm: Bool {
        guard case .none = body else { return false }
        return !form.isEmpty || isMultipart || [.post, .put, .patch].contains(endpoint.method)
    }

    /// Whether the request has no values and no violations.
    package var isEmpty: Bool {
        path.isEmpty && query.isEmpty && headers.isEmpty && form.isEmpty && violations.isEmpty
    }
}
