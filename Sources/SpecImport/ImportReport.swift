import SpecDiagnostics

/// What an import could not say in a spec, by kind and place.
public struct ImportReport: Sendable {
    /// What a loss does to an app, the worst first.
    public enum Effect: String, CaseIterable, Sendable {
        /// An operation is missing, or a part of it that a call needs.
        case uncallable = "Cannot be called"
        /// A field, a header, a parameter or a model is missing, or is only raw JSON.
        case missing = "Missing"
        /// A type is wider, or a rule is not checked.
        case looser = "Looser"
        /// Calls and replies are the same without it.
        case noise = "Noise"

        fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// A kind of loss.
    public struct Kind: Hashable, Sendable {
        /// Its title, such as `pattern outside the dialect`.
        public let title: String
        /// What it does to an app.
        public let effect: Effect
        /// What the spec has in its place.
        public let instead: String
        /// A line of the language by which the spec says it after all.
        public let remedy: String?
        /// Whether the page has its places, and not only their number.
        let hasPlaces: Bool

        init(
            _ title: String, effect: Effect, instead: String, remedy: String? = nil,
            hasPlaces: Bool = true
        ) {
            self.title = title
            self.effect = effect
            self.instead = instead
            self.remedy = remedy
            self.hasPlaces = hasPlaces
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
    /// Whether the import reads replies that break the description.
    var isTolerant = false

    /// An empty report.
    public init() {}

    /// Adds a loss; the same kind at the same place counts once.
    mutating func add(_ kind: Kind, _ detail: String = "", at span: Span) {
        guard seen.insert(Key(kind: kind, span: span)).inserted else { return }
        losses.append(Loss(kind: kind, detail: detail, span: span))
    }

    /// The kinds with their numbers: by effect, the most frequent first.
    public var counts: [(kind: Kind, count: Int)] {
        let counts = Dictionary(losses.map { ($0.kind, 1) }, uniquingKeysWith: +)
        return counts.map { (kind: $0.key, count: $0.value) }.sorted {
            ($0.kind.effect.order, $1.count, $0.kind.title)
                < ($1.kind.effect.order, $0.count, $1.kind.title)
        }
    }

    /// The effects that there are with their numbers, the worst first.
    public var effects: [(effect: Effect, count: Int)] {
        let counts = Dictionary(losses.map { ($0.kind.effect, 1) }, uniquingKeysWith: +)
        return Effect.allCases.compactMap { effect in counts[effect].map { (effect, $0) } }
    }

    /// An advice about the import as a whole; nil without one.
    public var advice: String? {
        let breaks = losses.contains { $0.kind == .replyExample }
        return breaks && !isTolerant
            ? "Examples of replies break their schema: `--tolerant` reads such replies." : nil
    }
}

extension ImportReport.Kind {
    static let verb = Self(
        "HTTP method that cannot be sent", effect: .uncallable, instead: "the operation is left out"
    )
    static let path = Self(
        "path that a request cannot have", effect: .looser, instead: "a path without it")
    static let refused = Self(
        "piece that the language does not allow", effect: .missing, instead: "`json`, or nothing")
    static let dangling = Self(
        "reference that leads nowhere", effect: .missing, instead: "`json`, or nothing")
    static let subtype = Self(
        "schema that extends another without a tag of its own", effect: .missing,
        instead: "left out")
    static let unsent = Self(
        "object with nothing to send in a request", effect: .missing, instead: "`only: reply`")
    static let openObject = Self(
        "further keys of an object", effect: .looser, instead: "ignored; `--open` keeps them",
        remedy: "additional: json", hasPlaces: false)
    static let fileMistake = Self(
        "mistake in a file of the description", effect: .looser,
        instead: "read as if it were not there")
    static let server = Self(
        "server without an absolute address", effect: .uncallable, instead: "a placeholder",
        remedy: #"servers: { production: "https://api.example.com/" }"#)
    static let scheme = Self(
        "security scheme of another kind", effect: .uncallable,
        instead: "left out; its methods have `auth: none`",
        remedy: "auth: { account: { token: { in: header, name: X-Key } } }")
    static let readBody = Self("body of `get` or `head`", effect: .uncallable, instead: "left out")
    static let contentType = Self(
        "media type of the body", effect: .uncallable,
        instead: "sent as `application/json` or bytes",
        remedy: "content-type: application/merge-patch+json")
    static let cookie = Self(
        "cookie parameter", effect: .uncallable, instead: "left out",
        remedy: "headers: { Cookie: string? }")
    static let ownHeader = Self(
        "header that the request sets itself", effect: .missing, instead: "left out")
    static let optionalAuth = Self(
        "security that is optional or mixed", effect: .missing, instead: "the first alternative",
        remedy: "auth: optional")
    static let sameScheme = Self(
        "scheme with the same place of the token", effect: .missing, instead: "the other scheme")
    static let repeatedParameter = Self(
        "parameter that is sent twice", effect: .missing, instead: "the first one")
    static let contentTypes = Self(
        "further content types", effect: .missing,
        instead: "the first that fits; another one can be a method of its own")
    static let replies = Self(
        "further replies", effect: .missing, instead: "left out",
        remedy: "returns: { 200: Item, 202: nothing }")
    static let replyHeader = Self(
        "header field of a reply", effect: .missing, instead: "in `response.head`",
        remedy: "reply-headers: { total: { key: X-Total-Count, type: int } }")
    static let rateHeader = Self(
        "header fields about rates", effect: .missing, instead: "in `response.head`",
        remedy: "reply-headers: { left: { key: X-RateLimit-Remaining, type: int? } }")
    static let errorModel = Self(
        "error of another shape", effect: .missing, instead: "the error's body as JSON",
        remedy: "errors: { cases: { gone: { status: 410, model: Gone } } }")
    static let composition = Self(
        "`allOf` with alternatives or contradictions", effect: .missing,
        instead: "the fields that fit")
    static let indistinct = Self(
        "alternatives that cannot be told apart", effect: .missing, instead: "`json`")
    static let mixed = Self(
        "values of several kinds in an enumeration", effect: .missing, instead: "`json`")
    static let never = Self("schema `false`", effect: .missing, instead: "`json`")
    static let endless = Self(
        "schema that refers to nothing but itself", effect: .missing, instead: "`json`")
    static let tooDeep = Self("schemas nested too deeply", effect: .missing, instead: "`json`")
    static let longKey = Self("key of more than 200 bytes", effect: .missing, instead: "left out")
    static let joined = Self(
        "objects that cannot be told apart", effect: .looser,
        instead: "one object with the fields of all")
    static let merged = Self(
        "alternatives of one JSON kind", effect: .looser, instead: "their common type")
    static let missingTag = Self(
        "tag of alternatives that may be missing", effect: .looser, instead: "a required tag")
    static let tuple = Self(
        "list with a type for each place", effect: .looser, instead: "a list of any of them")
    static let openChoice = Self(
        "enumeration or any text", effect: .looser,
        instead: "`string`; the values are in this report",
        remedy: "enum: [small, large]")
    static let textForm = Self(
        "object, union or list of lists outside JSON", effect: .looser,
        instead: "text, `style: json`")
    static let nullOutside = Self(
        "null outside JSON", effect: .looser, instead: "a value without null")
    static let cycle = Self(
        "required object inside itself", effect: .looser, instead: "an optional field")
    static let reserved = Self(
        "`allowReserved`", effect: .looser, instead: "the value is percent-encoded")
    static let format = Self("unknown format", effect: .looser, instead: "the type without it")
    static let pattern = Self(
        "pattern outside the dialect", effect: .looser, instead: "the text without the pattern",
        remedy: "pattern: '^[a-z]+$'")
    static let bound = Self("bound that the type cannot have", effect: .looser, instead: "left out")
    static let rule = Self(
        "rule that does not apply to the type", effect: .looser, instead: "left out")
    static let closed = Self(
        "`additionalProperties: false`", effect: .looser, instead: "further keys are ignored",
        remedy: "closed: true")
    static let keyword = Self(
        "keyword of JSON Schema without counterpart", effect: .looser, instead: "left out",
        remedy: #"rules: [{ required-if: { vat: country == "DE" } }]"#)
    static let siblings = Self("keys beside `$ref`", effect: .looser, instead: "left out")
    static let bodyDefault = Self(
        "default of a field", effect: .looser,
        instead: "an optional field; the documentation names it",
        remedy: "default: 5")
    static let sentDefault = Self(
        "default of a required or unfit value", effect: .noise, instead: "left out")
    static let credential = Self(
        "text that begins like a reference to the credential", effect: .looser, instead: "left out")
    static let webhook = Self("callbacks, webhooks and links", effect: .noise, instead: "left out")
    static let replyExample = Self(
        "example of a reply that breaks its schema", effect: .noise, instead: "left out")
    static let example = Self(
        "example that may not fit its type, or is large", effect: .noise, instead: "left out",
        hasPlaces: false)
    static let scopes = Self(
        "scopes and flows of OAuth", effect: .noise, instead: "left out", hasPlaces: false)
    static let xml = Self("`xml`", effect: .noise, instead: "left out")
    /// `minimum` of a text allows every text (JSON Schema 2020-12, validation, 6.1).
    static let strayRule = Self(
        "rule for values of another type", effect: .noise, instead: "left out", hasPlaces: false)
    static let unknownKey = Self(
        "key that OpenAPI does not have", effect: .noise, instead: "left out")
    static let extensionKey = Self(
        "key `x-…`", effect: .noise, instead: "left out", hasPlaces: false)
}

// Replies, servers and operations.
extension ImportReport.Kind {
    static let outsidePath = Self(
        "path that is a whole address", effect: .uncallable, instead: "the operation is left out")
    static let authorization = Self(
        "parameter `Authorization` without a security scheme", effect: .uncallable,
        instead: "left out", remedy: "auth: { account: { token: bearer } }")
    static let serverVariable = Self(
        "variable of a server that a call cannot choose", effect: .missing,
        instead: "its default, or no variable")
    static let replyContent = Self(
        "reply with a schema that is no JSON", effect: .missing, instead: "a text, or bytes")
    static let eventText = Self(
        "events whose data is no JSON", effect: .missing, instead: "events with JSON alone",
        remedy: "stream: { form: sse, events: [delta] }")
    static let streamFlag = Self(
        "body that says whether the reply is a stream", effect: .looser,
        instead: "a body of both methods, `stream` included",
        remedy: "body: { with: Ask, fields: { stream: { const: true } } }")
    static let browserHeader = Self(
        "header field for browsers", effect: .noise, instead: "in `response.head`",
        hasPlaces: false)
}

// Parameters and bodies.
extension ImportReport.Kind {
    static let placeholder = Self(
        "expression in the braces of a path", effect: .looser, instead: "the placeholder alone")
    static let placeless = Self(
        "path parameter without a place in the path", effect: .missing, instead: "left out")
    static let style = Self(
        "style that a parameter cannot have", effect: .uncallable, instead: "the usual form")
    static let place = Self(
        "parameter in a place that requests do not have", effect: .missing, instead: "left out")
    static let unnamed = Self("parameter without a name", effect: .missing, instead: "left out")
    static let queryString = Self(
        "query string as one value", effect: .uncallable, instead: "left out")
    static let untyped = Self(
        "value of any type outside JSON", effect: .looser, instead: "`string`")
    static let jsonScalar = Self(
        "JSON text of a single value", effect: .uncallable, instead: "the text without quotes")
    static let valueType = Self(
        "media type of a parameter or a part", effect: .missing, instead: "its plain text")
    static let partHeader = Self("header field of a part", effect: .missing, instead: "left out")
    static let furtherFields = Self(
        "further keys of a form or a query", effect: .missing, instead: "left out")
    static let formUnion = Self(
        "form of several objects", effect: .looser,
        instead: "the fields of all; only what all require is required")
    static let shapelessForm = Self(
        "form without fields", effect: .looser, instead: "the whole body as the caller gives it")
    static let rawBody = Self(
        "schema of a body that is no JSON", effect: .looser,
        instead: "`bytes`, sent as that media type")
}
