import SpecDiagnostics
import SpecIR

/// The keys that a mapping of the grammar accepts.
struct MappingSchema {
    /// Its name in messages, for instance `a method`.
    let name: String
    /// The accepted keys.
    let keys: [String]
    /// Further accepted keys, too many to list in a help line.
    var more: [String] = []
    /// Keys of the language that this version does not support yet.
    var planned: [String] = []
    /// The keys whose mappings hold entries that the author names.
    var sections: Set<String> = []
    /// Whether an unknown key may be a parameter in the wrong place.
    var hasParameters = false
    /// The help for an unknown key without a near match; nil lists the accepted keys.
    var hint: String?
    /// The help for keys that are valid elsewhere.
    var advice: [String: String] = [:]

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

    private static let settings = [
        "timeout", "auth", "session", "success", "unwrap", "accepts", "errors", "dates", "retry",
        "idempotency-key", "validate", "on-constrained", "on-expensive", "cache",
    ]
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
    private static let verbs = HTTPVerb.keys

    static let api = MappingSchema(
        name: "`api.yaml`",
        keys: [
            "telex", "api", "doc", "link", "servers", "parameters", "headers", "limits",
            "names", "conforms", "queues", "sessions", "generate", "templates", "prefix", "path",
            "cookies", "rpc", "reachability", "queue",
        ] + settings,
        planned: ["signing"],
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
        keys: [
            "doc", "link", "parameters", "headers", "methods", "models", "capabilities", "server",
            "queue", "priority", "prefix", "path", "rpc",
        ] + settings,
        planned: ["signing"],
        sections: ["methods", "models", "parameters", "headers", "path"],
        advice: [
            "deprecated": "mark the methods",
            "limits":
                "limits belong to the API or a method; a queue limits the calls of a group",
            "queues": "queues are declared in `api.yaml`",
            "sessions": "sessions are declared in `api.yaml`",
        ].merging(adviceOnCalls) { first, _ in first }.merging(synonyms) { first, _ in first }
            .merging(verbs.map { ($0, "methods belong under `methods`: `find: { \($0): path }`") })
        {
            first, _ in first
        })

    static let method = MappingSchema(
        name: "a method",
        keys: verbs + [
            "method", "doc", "link", "deprecated", "path", "query", "headers", "form", "json",
            "multipart",
            "body", "returns", "template", "reply-headers", "login", "extract", "pages", "rules",
            "examples", "swift", "server", "queue", "priority", "throttle", "coalesce", "safe",
            "kind",
            "stream", "limits", "call", "params", "notify", "wrap", "until", "content-type",
            "visibility",
        ] + settings,
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

    /// The long form of a type, without the rules.
    static let type = MappingSchema(
        name: "a type",
        keys: [
            "type", "fields", "enum", "doc", "link", "deprecated", "key", "from", "as", "default",
            "const", "sensitive", "optional", "nullable", "in", "join", "style", "swift",
            "conforms", "items", "with", "additional", "one-of", "tag", "content", "closed", "only",
            "at", "invalid", "public", "rules", "keys", "values", "default-unless",
            "example", "examples", "empty", "clamp", "server-default",
        ],
        more: RuleName.keys,
        planned: ["any-of"],
        sections: ["fields"],
        hint: "for an object with a field called `type` or the like, write `{ fields: { … } }`",
        advice: Dictionary(
            uniqueKeysWithValues: ["message", "severity", "on"].map {
                (
                    $0,
                    "of a rule, it is said beside its value, `pattern: { value: …, \($0): … }`; for an "
                        + "object with a field called so, write `{ fields: { … } }`"
                )
            }
        ).merging(NearMisses.typeKeys) { first, _ in first }.merging(synonyms) { first, _ in first }
    )

    static let join = MappingSchema(
        name: "a lookup", keys: ["join", "in", "doc", "link", "deprecated"])

    /// The attributes of a list's elements.
    static let items = MappingSchema(name: "`items`", keys: ["from", "as"], more: RuleName.keys)
    /// The attributes of a map's values.
    static let values = MappingSchema(name: "`values`", keys: ["from", "as"], more: RuleName.keys)
    /// The rules of a map's keys.
    static let keys = MappingSchema(name: "`keys`", keys: [], more: RuleName.keys)

    static let swift = MappingSchema(name: "`swift`", keys: ["name", "type"], planned: ["import"])
    static let methodSwift = MappingSchema(name: "`swift` of a method", keys: ["name"])
    static let deprecation = MappingSchema(name: "`deprecated`", keys: ["since", "use", "message"])
    static let server = MappingSchema(name: "a server", keys: ["url", "variables", "insecure"])
    static let variable = MappingSchema(name: "a server variable", keys: ["default", "in"])
    static let scheme = MappingSchema(
        name: "an authentication scheme",
        keys: ["token", "expired", "refresh", "secret", "grant", "authorize", "scopes"])
    static let methodAuth = MappingSchema(
        name: "`auth` of a group or a method", keys: ["all", "expired"],
        advice: Dictionary(
            uniqueKeysWithValues: ["token", "refresh"].map {
                ($0, "it belongs to the API: set it in `api.yaml`")
            }))
    static let refresh = MappingSchema(
        name: "`refresh`", keys: ["post", "form", "json", "token", "refresh-token", "expires-in"])
    static let tokenMethod = MappingSchema(name: "`refresh`", keys: ["method", "token", "header"])
    static let handedOut = MappingSchema(name: "`refresh`", keys: ["on", "take"])
    static let take = MappingSchema(name: "`take`", keys: ["header"])
    static let refreshMember = MappingSchema(
        name: "what a refresh request sends", keys: ["const", "sensitive"])
    static let token = MappingSchema(name: "`token`", keys: ["in", "name", "prefix"])
    static let expired = MappingSchema(name: "`expired`", keys: ["status", "error"])
    static let success = MappingSchema(
        name: "`success`", keys: ["status", "absent", "present", "where"])
    static let errors = MappingSchema(
        name: "`errors`", keys: ["at", "code", "message", "model", "retry-after", "cases"])
    static let link = MappingSchema(
        name: "the address of a link", keys: ["link", "doc", "deprecated", "swift"])
    static let login = MappingSchema(
        name: "`login`", keys: ["token", "refresh", "expires-in", "unit", "values"])
    static let extraction = MappingSchema(
        name: "a value of `extract`", keys: ["at", "type", "doc"])
    static let pages = MappingSchema(
        name: "`pages`",
        keys: [
            "items", "offset", "total", "page", "last", "send", "take", "next", "merge", "more",
        ],
        advice: Dictionary(
            uniqueKeysWithValues: ["limit", "size", "per_page", "count"].map {
                ($0, "the size of a page is an argument of the call")
            }))
    static let nextPage = MappingSchema(
        name: "`next`", keys: ["link"], advice: ["header": NearMisses.pageInHeader])
    static let pageTake = MappingSchema(name: "`take` of `pages`", keys: ["header", "last"])
    static let retryAfter = MappingSchema(name: "`retry-after`", keys: ["at", "unit"])
    static let errorCase = MappingSchema(
        name: "an error case",
        keys: ["code", "status", "retry", "model", "doc", "link", "deprecated"])
    static let limits = MappingSchema(
        name: "`limits`", keys: ["requests", "concurrent", "per-host", "response", "depth"])
    static let until = MappingSchema(name: "`until`", keys: ["where", "fails", "interval"])
    static let rate = MappingSchema(name: "the rate", keys: ["rate", "burst"])
    static let methodLimits = MappingSchema(
        name: "`limits` of a method", keys: ["requests", "response"],
        advice: Dictionary(
            uniqueKeysWithValues: ["concurrent", "per-host", "depth"].map {
                ($0, "this limit belongs to the API; a queue limits concurrent calls")
            }))
    static let validation = MappingSchema(
        name: "`validate`", keys: ["mode", "checks", "sample"])
    static let templates = MappingSchema(name: "`templates`", keys: ["compatibility"])
    static let timeout = MappingSchema(
        name: "`timeout`", keys: ["silence", "attempt", "total", "pause"])
    static let cache = MappingSchema(
        name: "`cache`", keys: ["fresh", "stale-if-error", "store"])
    static let retry = MappingSchema(name: "`retry`", keys: ["attempts", "on", "backoff"])
    static let backoff = MappingSchema(
        name: "`backoff`", keys: ["initial", "factor", "jitter", "max"])
    static let queue = MappingSchema(name: "a queue", keys: ["concurrent"])
    static let session = MappingSchema(
        name: "a session", keys: ["ephemeral", "background", "connections"])
    static let stream = MappingSchema(name: "`stream`", keys: ["form", "events", "end"])
    static let throttle = MappingSchema(
        name: "`throttle`", keys: ["interval", "by", "policy", "from"])
    private static let ruleOptions = ["message", "severity", "on"]
    static let rule = MappingSchema(
        name: "a rule", keys: ["value", "case-insensitive"] + ruleOptions)
    static let ownRule = MappingSchema(
        name: "a rule of the app", keys: ["id", "message", "severity"],
        advice: [
            "value": "`id` names the rule", "name": "did you mean `id`?",
            "on": "the app checks only what it receives",
        ])
    static let crossRule = MappingSchema(
        name: "a rule between fields",
        keys: CrossRuleSyntax.Kind.allCases.map(\.rawValue) + ["id"] + ruleOptions)
    static let enumCase = MappingSchema(
        name: "an enumeration case", keys: ["value", "doc", "link", "deprecated"])
}
