import SpecDiagnostics
import SpecIR
import SpecTemplateRules

/// A value with its span.
public struct Located<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// The span of the value.
    public var span: Span

    /// Creates a located value.
    public init(_ value: Value, at span: Span) {
        self.value = value
        self.span = span
    }
}

extension Located where Value: RawRepresentable<String> {
    /// The word as it is written.
    public var word: Located<String> { Located<String>(value.rawValue, at: span) }
}

/// The syntax tree of a spec folder.
public struct Spec: Sendable {
    /// The API file; `nil` if there is none that can be read.
    public var api: APISyntax?
    /// The other files, sorted by path.
    public var groups: [GroupSyntax] = []
    /// The templates of replies, sorted by name.
    public var templates: [TemplateSyntax] = []
    /// The comments that ignore warnings.
    public var ignores: [IgnoreSyntax] = []

    /// Creates the tree of an empty folder.
    public init() {}
    /// Whether every file could be read; otherwise unknown names are not reported.
    public var isComplete = true
}

/// The content of `api.yaml`.
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
    /// `prefix` and `path`.
    public var sharedPath = SharedPathSyntax()
    /// `auth`: the schemes; the first one is the default.
    public var schemes: [AuthSyntax] = []
    /// Whether `cookies` is `true`.
    public var keepsCookies = false
    /// The first scheme.
    public var auth: AuthSyntax? { schemes.first }
    /// `limits`.
    public var limits = LimitsSyntax()
    /// `queues`, in order.
    public var queues: [QueueSyntax] = []
    /// `sessions`, in order.
    public var sessions: [SessionSyntax] = []
    /// `reachability`: URLs of hosts.
    public var reachability: [Located<String>] = []
    /// `names`: spellings of words in Swift names.
    public var names: [(word: Located<String>, spelling: Located<String>)] = []
    /// `conforms`: protocols that every model gets.
    public var conforms: [Located<Conformance>] = []
    /// `generate`: code that is generated on request.
    public var generate: [Located<ExtraCode>] = []
    /// `templates.compatibility`: the meaning of the rules of templates.
    public var templateCompatibility: Located<TemplateCompatibility>?
    /// `lint`: what becomes of warnings, by their codes.
    public var lint: [LintSyntax] = []
    /// The settings that groups and methods inherit.
    public var settings = SettingsSyntax()
}

/// The content of one group file.
public struct GroupSyntax: Sendable {
    /// The whole document.
    public var span: Span
    /// The path of the file, relative to the spec folder.
    public var path: String
    /// `doc` and `link`.
    public var documentation = DocumentationSyntax()
    /// `parameters` and `headers`: sent with every request of the group.
    public var parameters: [ParameterSyntax] = []
    /// `prefix` and `path`.
    public var sharedPath = SharedPathSyntax()
    /// The settings that the group's methods inherit.
    public var settings = SettingsSyntax()
    /// `capabilities`: parts of the group's methods, each with a protocol of its own.
    public var capabilities: [CapabilitySyntax] = []
    /// `methods`, in order.
    public var methods: [MethodSyntax] = []
    /// `models`, in order.
    public var models: [ModelSyntax] = []
}

/// One entry of `capabilities`.
public struct CapabilitySyntax: Sendable {
    /// The name of the Swift protocol.
    public var name: Located<String>
    /// The names of its methods, with or without the group.
    public var methods: [Located<String>]
}

/// `prefix` and `path` of an API or a group: the path before those of its methods.
public struct SharedPathSyntax: Sendable {
    /// `prefix`
    public var prefix: Located<String>?
    /// `path`: the parameters of the prefix.
    public var parameters: [ParameterSyntax] = []
}

/// One method.
public struct MethodSyntax: Sendable {
    /// Who calls a function.
    public enum Visibility: String, CaseIterable, Sendable {
        case `public`, `internal`
    }

    /// The API's name of the method.
    public var name: Located<String>
    /// The whole entry.
    public var span: Span
    /// The HTTP method, with the span of its key.
    public var verb: Located<HTTPVerb>?
    /// The path.
    public var path: Located<String>?
    /// What shared paths put before the path: a part of the whole path, with the `/` after it.
    public var sharedPath = ""
    /// The path with what is before it.
    public var wholePath: Located<String>? {
        path.map { Located(sharedPath + $0.value, at: $0.span) }
    }
    /// `doc`, `link` and `deprecated`.
    public var documentation = DocumentationSyntax()
    /// Everything under `path`, `query`, `headers`, `form`, `json` and `multipart`, in order.
    public var parameters: [ParameterSyntax] = []
    /// `call`, `params` and `notify`.
    public var procedure = ProcedureSyntax()
    /// What surrounds members of the JSON body: `wrap`, or `params` of a procedure call.
    public var wrapper: WrapperSyntax?
    /// The key of the body.
    public var bodyKey: Located<BodyKey>?
    /// `content-type`: the media type of the body.
    public var contentType: Located<String>?
    /// `body`, or `json` with a type: the type of a body that is a single value.
    public var body: TypeSyntax?
    /// Whether that type is written under `json`.
    public var isWrittenAsJSON = false
    /// The media type of `body: text`, which is sent as it is.
    public var textType: String?
    /// `returns`.
    public var returns: TypeSyntax?
    /// `returns` by status, in order.
    public var replies: [StatusReplySyntax] = []
    /// `template`: the name of the file of a good reply.
    public var template: Located<String>?
    /// `reply-headers`: an object, with the links by relation.
    public var replyHeaders: ReplyHeadersSyntax?
    /// `login`
    public var login: LoginSyntax?
    /// `extract`.
    public var extractions: [ExtractionSyntax] = []
    /// `pages`.
    public var pages: PagesSyntax?
    /// `visibility`: who calls the function.
    public var visibility: Located<Visibility>?
    /// `swift: { name }`.
    public var swiftName: Located<String>?
    /// `rules`: the rules between its parameters.
    public var rules: [CrossRuleSyntax] = []
    /// The scheduling settings of the method alone.
    public var call = CallSyntax()
    /// The settings that override inherited ones.
    public var settings = SettingsSyntax()
}

/// One entry of `extract`: a value in the replies.
public struct ExtractionSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// `at`: the path from the value that `unwrap` leads to.
    public var path: Located<[PathStep]>
    /// `type`
    public var type: TypeSyntax?
    /// `doc`
    public var documentation = DocumentationSyntax()
}

/// A key that declares the body of a request.
public enum BodyKey: String, Sendable {
    case form, json, multipart, body
}

/// One parameter, or one field of a model.
public struct ParameterSyntax: Sendable {
    /// The key it was written under.
    public var key: Located<String>
    /// Its location; nil for a field of a model.
    public var location: Parameter.Location?
    /// Its type with attributes.
    public var type: TypeSyntax
    /// Whether it is `additional` of an object: a map of the keys without a field of their own.
    public var isAdditional = false
    /// Whether it stands inside the method's ``MethodSyntax/wrapper``.
    public var isInWrapper = false
    /// The value in place of a constant that is known in the call alone.
    public var callValue: CallValueSyntax?

    /// Creates a parameter, or a field.
    public init(key: Located<String>, location: Parameter.Location? = nil, type: TypeSyntax) {
        self.key = key
        self.location = location
        self.type = type
    }
}

/// The documentation of a declaration.
public struct DocumentationSyntax: Sendable {
    /// `doc`
    public var text: Located<String>?
    /// `link`
    public var link: Located<String>?
    /// `deprecated`
    public var deprecation: DeprecationSyntax?
    /// `example` or `examples`
    public var examples: [ExampleSyntax] = []
}

/// An example of a value, or of the reply of a method.
public struct ExampleSyntax: Sendable {
    /// The name, of an example of a reply.
    public var name: Located<String>?
    /// The value.
    public var value: YAMLNode
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
