import TelexJSON

/// What a call sends, while it is being put together.
struct RequestDraft: Sendable {
    /// A field of a form.
    enum FormField: Sendable {
        case field(RequestField)
        case file(name: String, UploadFile)
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
    var query: [RequestField] = []
    var headers: [RequestField] = []
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

    /// Adds the API's base parameters; the method's own of the same name win.
    mutating func add(base: RequestTemplate) {
        path = base.path.filter { field in !path.contains { $0.name == field.name } } + path
        query = base.query.filter { field in !query.contains { $0.name == field.name } } + query
        headers =
            base.headers.filter { field in
                !headers.contains { $0.name.lowercased() == field.name.lowercased() }
            } + headers
        if case .none = body { form = base.form + form }
        violations += base.violations
    }
}
