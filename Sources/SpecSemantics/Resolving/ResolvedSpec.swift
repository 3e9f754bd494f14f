import SpecDiagnostics
import SpecIR
import SpecSyntax

/// A spec whose names are resolved. What it declares has its syntax, its Swift name and its types, which
/// are those of the IR: `Value` and `Model`. Declarations with an error, which the resolver has reported,
/// are missing.
struct ResolvedSpec {
    let spec: Spec
    let api: APISyntax
    let symbols: SymbolTable
    /// The Swift name of the API.
    let name: String
    /// The parameters of every request.
    var baseParameters: [ResolvedParameter]
    /// The error cases of the API, its groups and its methods.
    let errorCases: [ResolvedErrorCase]
    /// The Swift types of error objects, by the name of their model.
    let errorModels: [String: String]
    var groups: [ResolvedGroup]
    /// Which types and names are secrets.
    let sensitivity: Sensitivity
    /// The models that a model refers to; of `nil`, those that methods and the API refer to.
    let references: [String?: Set<String>]
    /// The comparisons that rules require.
    let comparisons: [Comparison]
    /// The rules that the app checks.
    let ownRules: [OwnRule]
    /// The places of types and fields.
    var places: TypePlaces
    /// Reads literals of resolved types.
    let literals: LiteralReader
    /// The declarations of models and inline types, by qualified name.
    let declarations: [String: TypeSyntax]
    /// The examples that are not read yet.
    let pendingExamples: [ExampleReader.Pending]
    /// The names of the types that the module declares.
    let moduleTypes: Set<String>

    /// The names of types in messages.
    var typeNames: SpecNames { literals.typeNames }
    var models: [Model] { groups.flatMap(\.models) }
    /// All methods, without a list of copies: a method is large.
    var methods: some Sequence<ResolvedMethod> { groups.lazy.flatMap(\.methods) }

    /// Whether all named error codes are integers, as statuses are; false without one.
    var errorCodesAreIntegers: Bool {
        let cases = cascades.flatMap(\.ownErrorCases).filter { $0.identity != nil }
        return !cases.isEmpty && cases.allSatisfy(\.isInteger)
    }

    /// The models that others mix in, by their names in the spec.
    let mixins: Set<String>

    /// The examples of fields, parameters, models and methods, by the place of the declaration.
    var examples: [Span: [Example]] = [:]

    /// The templates, by the API's names of their methods.
    var templates: [String: ReplyTemplate] = [:]

    /// The settings of the API, of the groups and of the methods.
    var cascades: [SettingsCascade] {
        [SettingsCascade(api)]
            + groups.flatMap { [$0.cascade] + $0.methods.lazy.map(\.cascade) }
    }
}

extension ResolvedSpec {
    /// Changes the models, without those nested in them.
    mutating func changeModels(_ change: (inout Model) -> Void) {
        for group in groups.indices {
            for index in groups[group].models.indices { change(&groups[group].models[index]) }
        }
    }

    mutating func changeMethods(_ change: (inout ResolvedMethod) -> Void) {
        for group in groups.indices {
            for index in groups[group].methods.indices { change(&groups[group].methods[index]) }
        }
    }
}

/// A group, with its Swift names.
struct ResolvedGroup {
    let syntax: GroupSyntax
    let cascade: SettingsCascade
    let names: GroupNames
    /// The models, without aliases, and the inline types of methods.
    var models: [Model]
    var methods: [ResolvedMethod]
}

/// A method, with its Swift names and the types of its parameters and its reply.
struct ResolvedMethod {
    let syntax: MethodSyntax
    let group: GroupSyntax
    let cascade: SettingsCascade
    /// The name of the API, with the group.
    let apiName: String
    /// The name of the Swift function.
    let name: String
    /// The name of the case of `APIMethod`.
    let caseName: String
    var parameters: [ResolvedParameter]
    /// What `returns` declares; for a download, the file.
    var output: Output
    /// The typed header fields of the reply.
    var replyHeaders: ReplyHeaders?
    /// The entries of `extract`, and what they are in the replies.
    let declared: [ResolvedExtraction]
    var extractions: [Extraction] = []
    /// How the pages of its list follow one another.
    var pages: PageRules?
    /// The rules between its parameters.
    var rules: [CrossRule] = []

    /// The verb; `get` by default.
    var verb: HTTPVerb { syntax.verb?.value ?? .get }

    var path: String { syntax.wholePath?.value ?? "" }

    /// Whether requests carry the token.
    var isAuthenticated: Bool { cascade.sendsToken }

    /// The kind of its operations.
    var kind: OperationPolicy.Kind {
        if let stream = syntax.call.stream { return .stream(StreamFormat(stream)) }
        return switch syntax.call.kind?.value {
        case .upload: .upload
        case .download: .download
        case .data, .stream, nil: .data
        }
    }

    /// Whether the caller passes the whole URL.
    var isWholeAddress: Bool {
        parameters.contains {
            $0.location == .path && path == "{\($0.key)}" && $0.value.type == .url
        }
    }
}

/// An error case, with its Swift name.
struct ResolvedErrorCase {
    let syntax: ErrorCaseSyntax
    let name: String
    let code: String
    /// The Swift type of its error object.
    let model: String?

    /// The name that the spec gives it.
    var specName: String { syntax.name.value }
}

/// A parameter, with its Swift name, its type, and what is sent if the caller leaves it out.
struct ResolvedParameter {
    let syntax: ParameterSyntax
    /// The Swift argument.
    var name: String
    /// Its type, rules included.
    var value: Value
    var presence: Parameter.Presence
    let listStyle: ListStyle
    let isSensitive: Bool
    var fallback: Parameter.Fallback?
    var clamp: Parameter.Clamp?
    var serverDefault: Literal?

    /// The name that the spec gives it.
    var specName: String { syntax.key.value }
    /// The name that the API uses.
    var key: String { syntax.sentKey.value }
    var location: Parameter.Location { syntax.location ?? .json }
    /// The span of its declaration.
    var span: Span { syntax.key.span }
}

/// The places of types and fields, for errors that are found when all types are known.
struct TypePlaces {
    /// The spans of inline types, by qualified name.
    var inlineTypes: [String: Span] = [:]
    /// The spans of fields, by the model's qualified name and the Swift name.
    var fields: [String: [String: Span]] = [:]
}

extension StreamFormat {
    /// The format that a spec declares.
    init(_ syntax: StreamSyntax) {
        self.init(syntax.form?.value ?? .serverSentEvents)
        if let events = syntax.events { self.events = events.value.map(\.value) }
        if let end = syntax.end { self.end = end.value }
    }
}

extension MethodSyntax {
    /// Returns the API name of a method: its key, prefixed with the group unless the key is
    /// qualified.
    package static func fullName(_ key: String, in group: String) -> String {
        let isQualified = key.contains { $0 == "." || $0 == "/" || $0 == ":" }
        return isQualified ? key : "\(group).\(key)"
    }
}

extension GroupSyntax {
    /// The name of the group: the path of its file without the ending, with `.`.
    package var name: String { Self.name(ofFile: path) }

    /// The name of the group of a file.
    package static func name(ofFile path: String) -> String {
        let ending = [".yaml", ".yml"].first { path.hasSuffix($0) } ?? ""
        let stem = path.dropLast(ending.count)
        return stem.split(separator: "/").joined(separator: ".")
    }
}

extension Spec {
    /// The settings of the API, of the groups and of the methods; empty without an API.
    var cascades: [SettingsCascade] {
        guard let api else { return [] }
        return [SettingsCascade(api)]
            + groups.flatMap { group in
                [SettingsCascade(api, group: group)]
                    + group.methods.map { SettingsCascade(api, group: group, method: $0) }
            }
    }
}

extension ResolvedMethod {
    /// Whether the type of the reply has an error, which is reported there.
    var hasUnresolvedReply: Bool {
        output == .nothing && syntax.returns.map { $0.name != "nothing" } == true
    }
}
