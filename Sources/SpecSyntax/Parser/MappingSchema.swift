import SpecDiagnostics
import SpecIR

/// The keys that a mapping of the grammar accepts, and the forms of their values.
struct MappingSchema: Sendable {
    /// A key with the form of its value.
    typealias Key = (name: String, form: ValueForm)

    /// Its name in messages, for instance `a method`.
    let name: String
    /// The accepted keys.
    let keys: [String]
    /// The forms of the values of `keys`, in the same order, which is that of a formatted spec.
    let forms: [ValueForm]
    /// The accepted rules, too many to list in a help line.
    var more: [String] = []
    /// Keys of the language that this version does not support yet.
    var planned: [String] = []
    /// The keys without which the mapping is not complete.
    var required: [String] = []
    /// The keys whose mappings hold entries that the author names.
    var sections: Set<String> = []
    /// Whether an unknown key may be a parameter in the wrong place.
    var hasParameters = false
    /// The help for an unknown key without a near match; nil lists the accepted keys.
    var hint: String?
    /// The help for keys that are valid elsewhere.
    var advice: [String: String] = [:]

    init(
        name: String, keys: [Key], more: [String] = [], planned: [String] = [],
        required: [String] = [], sections: Set<String> = [], hasParameters: Bool = false,
        hint: String? = nil, advice: [String: String] = [:]
    ) {
        self.name = name
        self.keys = keys.map(\.name)
        self.forms = keys.map(\.form)
        self.more = more
        self.planned = planned
        self.required = required
        self.sections = sections
        self.hasParameters = hasParameters
        self.hint = hint
        self.advice = advice
    }

    /// Whether a key is accepted.
    func has(_ key: String) -> Bool { keys.contains(key) || more.contains(key) }

    /// Whether a key is accepted, planned or has advice.
    func accepts(_ key: String) -> Bool {
        has(key) || planned.contains(key) || advice[key] != nil
    }
}

extension MappingSchema {
    /// The alternatives to keys that are not supported yet.
    static let alternatives = [
        "any-of": "write an object with the fields of all, each optional",
        "signing": "write an `Interceptor` in Swift",
    ]

    private static let documentation: [Key] = [("doc", .text), ("link", .text)]
    static let documentationOfParts = documentation + [("deprecated", .deprecated)]

    private static func settings(auth: ValueForm) -> [Key] {
        [
            ("auth", auth), ("success", .mapping(.success)), ("unwrap", .path),
            ("accepts", .noneOr(.oneOrMore(.mediaType))), ("errors", .mapping(.errors)),
            ("timeout", .either([.duration, .mapping(.timeout)])),
            ("retry", .noneOr(.mapping(.retry))), ("session", .text), ("queue", .text),
            ("idempotency-key", .either([.flag, .text])), ("dates", .text),
            ("validate", .either([.words(ValidationPolicy.Mode.self), .mapping(.validation)])),
            ("on-constrained", .words(NetworkPolicy.self)),
            ("on-expensive", .words(NetworkPolicy.self)),
            ("cache", .either([.words(CacheSyntax.Word.self), .mapping(.cache)])),
        ]
    }
    private static let authOfCalls = ValueForm.either([
        .words(Parser.authWords), .oneOrMore(.matching(".+")), .mapping(.methodAuth),
    ])
    private static let rpc = ValueForm.noneOr(.words(ProcedureProtocol.self))
    private static let adviceOnCalls = Dictionary(
        uniqueKeysWithValues: [
            "throttle", "coalesce", "safe", "kind", "stream", "extract", "pages", "until",
        ].map {
            ($0, "set it for each method")
        })
    /// Help for keys of other formats.
    private static let synonyms = [
        "description": "doc", "desc": "doc", "summary": "doc",
    ].mapValues { "did you mean `\($0)`?" }
    private static let methodSynonyms = [
        "parameters": "query", "response": "returns", "retries": "retry",
        "response-headers": "reply-headers",
    ].mapValues { "did you mean `\($0)`?" }.merging(synonyms) { first, _ in first }

    static let api = MappingSchema(
        name: "`api.yaml`",
        keys: [("telex", .integer(1...1)), ("api", .text)] + documentation + [
            (
                "servers",
                .named(.either([.text, .mapping(.server)]), least: 1)
            ),
            ("prefix", .text), ("path", .parameters), ("parameters", .constants),
            ("headers", .constants), ("cookies", .flag), ("rpc", rpc),
        ] + settings(auth: .named(.mapping(.scheme))) + [
            ("limits", .mapping(.limits)),
            ("queues", .named(.either([.words(["serial"]), .mapping(.queue)]))),
            (
                "sessions",
                .named(.either([.words(["ephemeral", "background"]), .mapping(.session)]))
            ),
            ("reachability", .oneOrMore(.text)), ("names", .named(.text)),
            ("conforms", .oneOrMore(.words(Conformance.self))),
            ("generate", .oneOrMore(.words(ExtraCode.self))),
            ("templates", .mapping(.templates)), ("lint", .named(.words(LintLevel.self))),
        ],
        planned: ["signing"], required: ["telex", "api", "servers"],
        sections: ["path"],
        advice: [
            "server": "the first of `servers` is the default; groups and methods name another one",
            "deprecated": "mark methods, fields or models",
            "priority": "it only applies to groups and methods",
            "methods": "methods belong in a group: in another file, such as `users.yaml`",
            "models": "models belong in a group: in another file, such as `users.yaml`",
        ].merging(adviceOnCalls) { first, _ in first }.merging(synonyms) { first, _ in first })

    static let group = MappingSchema(
        name: "a group",
        keys: documentation + [
            ("server", .text), ("prefix", .text), ("path", .parameters),
            ("parameters", .constants), ("headers", .constants), ("rpc", rpc),
        ] + settings(auth: authOfCalls) + [
            ("priority", .words(Priority.self)),
            ("capabilities", .named(.oneOrMore(.text))), ("methods", .named(.mapping(.method))),
            ("models", .named(.type)),
        ],
        planned: ["signing"],
        sections: ["methods", "models", "parameters", "headers", "path"],
        advice: [
            "deprecated": "mark the methods",
            "limits":
                "limits belong to the API or a method; a queue limits the calls of a group",
            "queues": "queues are declared in `api.yaml`",
            "sessions": "sessions are declared in `api.yaml`",
        ].merging(adviceOnCalls) { first, _ in first }.merging(synonyms) { first, _ in first }
            .merging(
                HTTPVerb.keys.map {
                    ($0, "methods belong under `methods`: `find: { \($0): path }`")
                }
            ) { first, _ in first })

    static let method = MappingSchema(
        name: "a method",
        keys: HTTPVerb.keys.map { ($0, .verbPath) } + [
            ("method", .otherVerb), ("call", .text),
        ] + documentationOfParts + [
            ("visibility", .words(MethodSyntax.Visibility.self)),
            ("swift", .mapping(.methodSwift)), ("server", .text), ("path", .parameters),
            ("query", .parameters), ("headers", .parameters), ("form", .parameters),
            ("json", .either([.typeText, .parameters])), ("multipart", .parameters),
            ("body", .type),
            ("params", .either([.typeText, .parameters, .list(.named(.type, least: 1, most: 1))])),
            ("notify", .flag), ("wrap", .text), ("content-type", .mediaTypeOfBody),
            ("rules", .list(.mapping(.crossRule))), ("returns", .type), ("template", .fileName),
            ("reply-headers", .named(.replyHeader)),
            ("login", .mapping(.login)),
            ("extract", .named(.either([.path, .mapping(.extraction)]))),
            ("pages", .mapping(.pages)), ("until", .mapping(.until)),
            ("kind", .words(CallSyntax.Kind.self)),
            ("stream", .either([.words(StreamFormat.Framing.self), .mapping(.stream)])),
        ] + settings(auth: authOfCalls) + [
            ("safe", .flag), ("priority", .words(Priority.self)),
            ("throttle", .either([.duration, .mapping(.throttle)])), ("coalesce", .flag),
            ("limits", .mapping(.methodLimits)), ("examples", .named(.any)),
        ],
        planned: ["signing"],
        sections: ["path", "query", "headers", "form", "json", "multipart", "extract", "params"],
        hasParameters: true,
        advice: [
            "queues": "queues are declared in `api.yaml`",
            "sessions": "sessions are declared in `api.yaml`",
            "templates": "did you mean `template`?", "sample": "did you mean `template`?",
            "prefix": "it belongs to a group or the API; a method's path is the value of its verb",
            "rpc": "it belongs to a group or the API; a method without a verb is a procedure call",
        ].merging(methodSynonyms) { first, _ in first })
}
