import TelexJSON

/// A request under construction.
struct RequestDraft: Sendable {
    /// A field of a form.
    enum FormField: Sendable {
        case field(RequestField)
        case file(name: String, UploadFile)

        var name: String {
            switch self {
            case .field(let field): field.name
            case .file(let name, _): name
            }
        }
    }

    /// A body that is not a form.
    enum Body: Sendable {
        case none
        /// A JSON document, with the ranges of its sensitive values.
        case json([UInt8], sensitive: [Range<Int>])
        case bytes([UInt8], type: String)
        /// A file. Indirect, because it is large and rare.
        indirect case file(UploadFile)
    }

    /// The id of the call that the request has somewhere.
    enum CallID: Sendable {
        /// It is not given yet; as a text.
        case text
        /// It is not given yet; as an integer.
        case integer
        /// The id. Indirect, because it is rare.
        indirect case given(String)
    }

    let method: String
    let endpoint: Endpoint
    var path: [RequestField] = []
    var query: [RequestField] = []
    var headers: [RequestField] = []
    /// The form fields. For a JSON object body, these are the members whose values come from the
    /// credential.
    var form: [FormField] = []
    var violations: [Violation] = []
    /// The id of the call; nil if none is sent.
    var callID: CallID?
    var body = Body.none
    // All flags together, because every waiting call holds a request.
    /// Whether the caller gives the whole address in place of a path.
    var isWholeAddress = false
    /// Whether an earlier reply gave the whole address, not the caller.
    var isAddressFromReply = false
    var isMultipart = false
    /// Whether the whole body is sensitive or contains a sensitive file.
    var isBodySensitive = false
    /// Whether a field, or one that a field of the call has replaced, is a value of the credential.
    var mayNeedCredential = false

    init(method: String, endpoint: Endpoint) {
        self.method = method
        self.endpoint = endpoint
    }

    /// Adds the API's base parameters. The method's own parameters of the same name take
    /// precedence. Form fields are added only to a form; they create no body for a request without
    /// one. A request to a whole address gets only header fields and violations, because the
    /// address has its own query and its target its own form.
    mutating func add(base: RequestTemplate) {
        addHeaders(of: base)
        violations += base.violations
        mayNeedCredential = mayNeedCredential || base.draft.mayNeedCredential
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
}
