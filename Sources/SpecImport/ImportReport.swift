import SpecDiagnostics

/// What an import could not say in a spec, by kind and place.
public struct ImportReport: Sendable {
    /// A kind of loss.
    public struct Kind: Hashable, Sendable {
        /// Its title, such as `pattern outside the dialect`.
        public let title: String
        /// What the spec has in its place.
        public let instead: String

        init(_ title: String, _ instead: String) {
            self.title = title
            self.instead = instead
        }
    }

    /// One loss.
    public struct Loss: Sendable {
        /// The kind.
        public let kind: Kind
        /// What is lost, such as the pattern.
        public let detail: String
        /// Where the description has it.
        public let span: Span
    }

    private struct Key: Hashable {
        let kind: Kind
        let span: Span
    }

    /// All losses, in the order in which they were met.
    public private(set) var losses: [Loss] = []
    private var seen: Set<Key> = []

    /// An empty report.
    public init() {}

    /// Adds a loss; the same kind at the same place counts once.
    mutating func add(_ kind: Kind, _ detail: String = "", at span: Span) {
        guard seen.insert(Key(kind: kind, span: span)).inserted else { return }
        losses.append(Loss(kind: kind, detail: detail, span: span))
    }

    /// The kinds with their numbers, the most frequent first.
    public var counts: [(kind: Kind, count: Int)] {
        let counts = Dictionary(losses.map { ($0.kind, 1) }, uniquingKeysWith: +)
        return counts.map { (kind: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.kind.title) < ($0.count, $1.kind.title) }
    }
}

extension ImportReport.Kind {
    static let extensionKey = Self("key `x-…`", "left out")
    static let unknownKey = Self("key that OpenAPI does not have", "left out")
    static let format = Self("unknown format", "the type without it")
    static let pattern = Self("pattern outside the dialect", "the text without the pattern")
    static let bound = Self("bound that the type cannot have", "left out")
    static let rule = Self("rule that does not apply to the type", "left out")
    static let bodyDefault = Self(
        "default of a field", "an optional field; the documentation names it")
    static let sentDefault = Self("default of a required or unfit value", "left out")
    static let example = Self("example that may not fit its type, or is large", "left out")
    static let closed = Self("`additionalProperties: false`", "further keys are ignored")
    static let keyword = Self("keyword of JSON Schema without counterpart", "left out")
    static let siblings = Self("keys beside `$ref`", "left out")
    static let never = Self("schema `false`", "`json`")
    static let mixed = Self("values of several kinds in an enumeration", "`json`")
    static let tuple = Self("list with a type for each place", "a list of any of them")
    static let indistinct = Self("alternatives that cannot be told apart", "`json`")
    static let joined = Self(
        "objects that cannot be told apart", "one object with the fields of all")
    static let missingTag = Self("tag of alternatives that may be missing", "a required tag")
    static let merged = Self("alternatives of one JSON kind", "their common type")
    static let openChoice = Self(
        "enumeration or any text", "`string`; the values are in this report")
    static let composition = Self(
        "`allOf` with alternatives or contradictions", "the fields that fit")
    static let endless = Self("schema that refers to nothing but itself", "`json`")
    static let tooDeep = Self("schemas nested too deeply", "`json`")
    static let cookie = Self("cookie parameter", "left out")
    static let ownHeader = Self("header that the request sets itself", "left out")
    static let reserved = Self("`allowReserved`", "the value is percent-encoded")
    static let textForm = Self("object, union or list of lists outside JSON", "text, `style: json`")
    static let nullOutside = Self("null outside JSON", "a value without null")
    static let repeatedParameter = Self("parameter that is sent twice", "the first one")
    static let contentTypes = Self("further content types", "the first that fits")
    static let contentType = Self("media type of the body", "sent as `application/json` or bytes")
    static let readBody = Self("body of `get` or `head`", "left out")
    static let path = Self("path that a request cannot have", "a path without it")
    static let verb = Self("HTTP method that cannot be sent", "the operation is left out")
    static let replies = Self("further replies", "left out")
    static let rateHeader = Self("header fields about rates", "in `response.head`")
    static let replyHeader = Self("header field of a reply", "in `response.head`")
    static let errorModel = Self("error of another shape", "the error's body as JSON")
    static let scheme = Self(
        "security scheme of another kind", "left out; its methods have `auth: none`")
    static let sameScheme = Self("scheme with the same place of the token", "the other scheme")
    static let scopes = Self("scopes and flows of OAuth", "left out")
    static let optionalAuth = Self("security that is optional or mixed", "the first alternative")
    static let server = Self("server without an absolute address", "a placeholder")
    static let webhook = Self("callbacks, webhooks and links", "left out")
    static let xml = Self("`xml`", "left out")
    static let longKey = Self("key of more than 200 bytes", "left out")
    static let cycle = Self("required object inside itself", "an optional field")
    static let credential = Self("text that begins like a reference to the credential", "left out")
    static let outsidePath = Self("path that is a whole address", "the operation is left out")
    static let replyContent = Self("reply with a schema that is no JSON", "a text, or bytes")
    static let browserHeader = Self("header field for browsers", "in `response.head`")
    static let eventText = Self("events whose data is no JSON", "events with JSON alone")
    static let streamFlag = Self(
        "body that says whether the reply is a stream", "a body of both methods, `stream` included")
    static let serverVariable = Self(
        "variable of a server that a call cannot choose", "its default, or no variable")
    static let authorization = Self(
        "parameter `Authorization` without a security scheme",
        "left out; add `auth: { token: bearer }` to `api.yaml`")
}

// Parameters and bodies.
extension ImportReport.Kind {
    static let placeholder = Self("expression in the braces of a path", "the placeholder alone")
    static let placeless = Self("path parameter without a place in the path", "left out")
    static let style = Self("style that a parameter cannot have", "the usual form")
    static let place = Self("parameter in a place that requests do not have", "left out")
    static let unnamed = Self("parameter without a name", "left out")
    static let queryString = Self("query string as one value", "left out")
    static let untyped = Self("value of any type outside JSON", "`string`")
    static let jsonScalar = Self("JSON text of a single value", "the text without quotes")
    static let valueType = Self("media type of a parameter or a part", "its plain text")
    static let partHeader = Self("header field of a part", "left out")
    static let furtherFields = Self("further keys of a form or a query", "left out")
    static let formUnion = Self(
        "form of several objects", "the fields of all; only what all require is required")
    static let shapelessForm = Self("form without fields", "the whole body as the caller gives it")
    static let rawBody = Self(
        "schema of a body that is no JSON", "`bytes`, sent as that media type")
}
