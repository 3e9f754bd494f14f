import TelexJSON

/// What a call sends, while it is being put together.
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
        /// With the places of its sensitive values.
        case json([UInt8], sensitive: [Range<Int>])
        case bytes([UInt8], type: String)
        /// Behind a reference, because it is large and few requests have one.
        indirect case file(UploadFile)
    }

    let method: String
    let endpoint: Endpoint
    var path: [RequestField] = []
    /// Whether the caller gives the whole address, in place of a path.
    var isWholeAddress = false
    var query: [RequestField] = []
    var headers: [RequestField] = []
    /// The fields of the form; of a body that is a JSON object, the members whose values come from
    /// the credential.
    var form: [FormField] = []
    var isMultipart = false
    /// Whether the body is sensitive as a whole, or has a sensitive file in it.
    var isBodySensitive = false
    var body = Body.none
    var violations: [Violation] = []

    init(method: String, endpoint: Endpoint) {
        self.method = method
        self.endpoint = endpoint
    }

    /// Adds the API's base parameters; the method's own of the same name win. Fields of a form go
    /// into a form alone: they make no body for a request that has none. A whole address has its
    /// query, and what it leads to knows its own form.
    mutating func add(base: RequestTemplate) {
        addHeaders(of: base)
        violations += base.violations
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

    /// Whether its body is a form, or may be one: the form of a method whose content is for the
    /// server to work on is one even if the call gives none of its fields.
    private var takesForm: Bool {
        guard case .none = body else { return false }
        return !form.isEmpty || isMultipart || [.post, .put, .patch].contains(endpoint.method)
    }
}
