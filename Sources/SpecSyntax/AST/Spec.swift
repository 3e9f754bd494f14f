import SpecDiagnostics

/// A value with the place it was written at.
public struct Located<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// Where it was written.
    public var span: Span

    /// Creates a located value.
    public init(_ value: Value, at span: Span) {
        self.value = value
        self.span = span
    }
}

/// The syntax tree of a folder of specs: what was written, not yet what it means.
public struct Spec: Sendable {
    /// What `api.yaml` says; `nil` if the folder has none that can be read.
    public var api: APISyntax?
    /// The other files, sorted by path.
    public var groups: [GroupSyntax] = []

    /// Creates a tree of an empty folder.
    public init() {}
    /// Whether every file could be read; otherwise a name may be declared where nobody can see it.
    public var isComplete = true
}

/// What `api.yaml` says.
public struct APISyntax: Sendable {
    /// The whole document.
    public var span: Span
    /// `telex`: the version of the language.
    public var language: Located<Int>?
    /// `api`: the name.
    public var name: Located<String>?
    /// `doc` and `link`.
    public var documentation = DocumentationSyntax()
    /// `servers`, in order.
    public var servers: [ServerSyntax] = []
    /// `parameters` and `headers`: sent with every request.
    public var parameters: [ParameterSyntax] = []
    /// `auth`.
    public var auth: AuthSyntax?
    /// `errors`.
    public var errors: ErrorsSyntax?
    /// `limits`.
    public var limits = LimitsSyntax()
    /// `queues`, in order.
    public var queues: [QueueSyntax] = []
    /// `sessions`, in order.
    public var sessions: [SessionSyntax] = []
    /// `names`: spellings of words in Swift names.
    public var names: [(word: Located<String>, spelling: Located<String>)] = []
    /// `conforms`: protocols that every model gets.
    public var conforms: [Located<String>] = []
    /// What groups and methods inherit.
    public var settings = SettingsSyntax()
}

/// What one group file says.
public struct GroupSyntax: Sendable {
    /// The whole document.
    public var span: Span
    /// The path of the file, relative to the spec folder.
    public var path: String
    /// `doc` and `link`.
    public var documentation = DocumentationSyntax()
    /// `parameters` and `headers`: sent with every request of the group.
    public var parameters: [ParameterSyntax] = []
    /// What the group's methods inherit.
    public var settings = SettingsSyntax()
    /// `methods`, in order.
    public var methods: [MethodSyntax] = []
    /// `models`, in order.
    public var models: [ModelSyntax] = []
}

/// One method.
public struct MethodSyntax: Sendable {
    /// The API's name of the method.
    public var name: Located<String>
    /// The whole entry.
    public var span: Span
    /// The HTTP method, upper case, at its key.
    public var verb: Located<String>?
    /// The path, at its value.
    public var path: Located<String>?
    /// `doc`, `link` and `deprecated`.
    public var documentation = DocumentationSyntax()
    /// Everything under `path`, `query`, `headers`, `form`, `json` and `multipart`, in order.
    public var parameters: [ParameterSyntax] = []
    /// The key that gives the body its form (`json`, `form`, `multipart`, `body`), and its place.
    public var bodyKey: Located<String>?
    /// `body`: the type of a body that is one value.
    public var body: TypeSyntax?
    /// `returns`.
    public var returns: TypeSyntax?
    /// `swift: { name }`.
    public var swiftName: Located<String>?
    /// What it alone says of its operations.
    public var call = CallSyntax()
    /// Settings of its own.
    public var settings = SettingsSyntax()
}

/// One parameter, or one field of a model.
public struct ParameterSyntax: Sendable {
    /// Where a parameter goes; fields of models have none.
    public enum Location: String, Sendable {
        /// A placeholder of the path.
        case path
        /// The query.
        case query
        /// A header.
        case header
        /// A form field.
        case form
        /// A key of the JSON body.
        case json
        /// A part of a multipart body.
        case part
        /// The whole body.
        case body
        /// A field of a model.
        case field
    }

    /// The key it was written under.
    public var key: Located<String>
    /// Where it goes.
    public var location: Location
    /// Its type with everything said about it.
    public var type: TypeSyntax

    /// Creates a parameter.
    public init(key: Located<String>, location: Location, type: TypeSyntax) {
        self.key = key
        self.location = location
        self.type = type
    }
}

/// What a person reads about a declaration.
public struct DocumentationSyntax: Sendable {
    /// `doc`
    public var text: Located<String>?
    /// `link`
    public var link: Located<String>?
    /// `deprecated`
    public var deprecation: DeprecationSyntax?
}

/// `deprecated: true`, a message, or `{ since, use, message }`.
public struct DeprecationSyntax: Sendable {
    /// `since`
    public var since: String?
    /// `use`
    public var use: Located<String>?
    /// `message`
    public var message: String?
}
