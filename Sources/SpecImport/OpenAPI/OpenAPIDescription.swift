import SpecDiagnostics
import SpecSyntax

/// A description of an API in OpenAPI 2.0 or 3.0 to 3.2, in one form.
struct OpenAPIDescription {
    var title = ""
    var description: String?
    var link: String?
    var servers: [ServerDescription] = []
    var tagDocs: [String: String] = [:]
    var schemes: [SchemeDescription] = []
    /// The security of operations without their own: alternatives, each a list of schemes.
    var security: [SecurityRequirement]?
    var operations: [OperationDescription] = []
    /// Settings of the whole API that its format fixes.
    var settings: [DraftEntry] = []
}

struct ServerDescription {
    var url: String
    var description: String?
    var variables: [Variable] = []
    let span: Span

    struct Variable {
        var name: String
        var defaultValue: String?
        var values: [String]
    }
}

/// Schemes that are needed together, with their scopes.
struct SecurityRequirement {
    var schemes: [String]
    var hasScopes: Bool
}

/// A security scheme: where its token goes.
struct SchemeDescription {
    enum Place: Hashable {
        case bearer, basic
        case header(String), query(String), cookie(String)
    }

    var name: String
    /// Nil: another kind, such as a client certificate.
    var place: Place?
    var description: String?
    let span: Span
}

struct OperationDescription {
    let node: YAMLNode
    var path: String
    var verb: String
    var id: String?
    var tags: [String]
    var summary: String?
    var description: String?
    var link: String?
    var isDeprecated: Bool
    var parameters: [ParameterDescription]
    var body: BodyDescription?
    var replies: [ReplyDescription]
    var security: [SecurityRequirement]?
    var servers: [ServerDescription]
    /// What of its replies is read, where one is a stream beside JSON.
    var form = Form.whole

    /// How an operation is read.
    enum Form: Hashable {
        /// Its only method.
        case whole
        /// One of two methods: the reply as JSON, or as a stream.
        case json, stream
    }

    var span: Span { node.span }
}

struct ParameterDescription {
    let node: YAMLNode
    var name: String
    /// `path`, `query`, `header` or `cookie`.
    var location: String
    var isRequired: Bool
    var description: String?
    var isDeprecated: Bool
    var schema: SchemaDescription
    var style: String?
    var explodes: Bool?
    /// The format in which `content` has its value.
    var mediaType: MediaRange?
    var examples: [YAMLNode]
}

struct BodyDescription {
    let node: YAMLNode
    var isRequired: Bool
    var description: String?
    var contents: [ContentDescription]
}

struct ContentDescription {
    /// Without parameters, in lower case.
    var mediaType: String
    var schema: SchemaDescription?
    /// `itemSchema` of OpenAPI 3.2: each element of a stream.
    var items: YAMLNode?
    /// How each property of a form is written.
    var encodings: [String: EncodingDescription]
    var examples: [(name: String, value: YAMLNode)]
    let span: Span
    /// The parameters of the media type, such as `version=2`.
    var parameters = ""

    /// The media type with its parameters.
    var wholeType: String { parameters.isEmpty ? mediaType : "\(mediaType); \(parameters)" }
}

/// How a field of a form, or a part, is written.
struct EncodingDescription {
    var style: String?
    var explodes: Bool?
    /// The media types that it may have.
    var mediaTypes: [MediaRange] = []
    /// The header fields of a part.
    var headers: [(name: String, span: Span)] = []
    let span: Span
}

struct ReplyDescription {
    let node: YAMLNode
    /// `200`, `4XX` or `default`.
    var status: String
    /// Where the operation names it.
    let span: Span
    var description: String?
    var contents: [ContentDescription]
    var headers: [ParameterDescription]
}
