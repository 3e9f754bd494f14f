import TelexJSON

/// What a call sends, before it is known with which credential and to which server.
struct RequestTemplate: Sendable {
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
    var body = Body.none
    var violations: [Violation] = []

    init(method: String, endpoint: Endpoint) {
        self.method = method
        self.endpoint = endpoint
    }

    /// Whether the caller gives the whole address, as an earlier reply had it.
    var isWholeAddress: Bool {
        guard let name = onlyParameter else { return false }
        return path.first { $0.name == name }?.pairs.first?.value.contains("://") ?? false
    }

    /// The name of the parameter if the path is one parameter and nothing else.
    var onlyParameter: String? {
        guard endpoint.path.utf8.first == UInt8(ascii: "{") else { return nil }
        return PathTemplate(endpoint.path).onlyParameter
    }

    /// The errors among the violations.
    var errors: [Violation] { violations.filter { $0.severity == .error } }

    /// Adds the API's base parameters; the method's own of the same name win. An address that came
    /// with a reply is complete already and gets none.
    mutating func add(base: RequestTemplate) {
        guard !base.isEmpty, !isWholeAddress else { return }
        path = base.path.filter { field in !path.contains { $0.name == field.name } } + path
        query = base.query.filter { field in !query.contains { $0.name == field.name } } + query
        headers =
            base.headers.filter { field in
                !headers.contains { $0.name.lowercased() == field.name.lowercased() }
            } + headers
        if case .none = body { form = base.form + form }
        violations += base.violations
    }

    /// Whether it says nothing about any request.
    private var isEmpty: Bool {
        path.isEmpty && query.isEmpty && headers.isEmpty && form.isEmpty && violations.isEmpty
    }

    /// All fields that are texts.
    var fields: [RequestField] {
        path + query + headers
            + form.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }

    /// Whether the body holds something that only its first receiver may see.
    var hasSensitiveBody: Bool {
        if case .json(_, let ranges) = body, !ranges.isEmpty { return true }
        return form.contains { if case .field(let field) = $0 { field.isHidden } else { false } }
    }
}
