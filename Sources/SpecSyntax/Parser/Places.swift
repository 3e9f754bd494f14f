import SpecDiagnostics

/// A place of the grammar: the keys that may stand there.
struct Place {
    /// How a message names it, for instance `a method`.
    let name: String
    /// The keys that mean something here.
    let keys: [String]
    /// Further keys that mean something, too many to list them all to somebody who misspelt one.
    var more: [String] = []
    /// Keys of the language that this version cannot compile yet.
    var planned: [String] = []
    /// What to say about an unknown key that resembles no known one, instead of listing those.
    var hint: String?
    /// What to say about keys that mean something elsewhere.
    var advice: [String: String] = [:]
}

extension Place {
    private static let settings = [
        "timeout", "auth", "session", "success", "unwrap", "dates",
    ]
    private static let plannedSettings = [
        "retry", "queue", "priority", "throttle", "coalesce", "cache", "idempotency-key",
        "validate", "extract", "pages", "waiters", "stream", "availability", "examples",
    ]
    static let verbs = ["get", "post", "put", "patch", "delete", "head", "options"]

    static let api = Place(
        name: "`api.yaml`",
        keys: [
            "telex", "api", "doc", "link", "servers", "parameters", "headers", "errors", "limits",
            "names", "conforms",
        ] + settings,
        planned: plannedSettings + ["signing", "queues", "sessions"],
        advice: [
            "server": "the first of `servers` is the default; groups and methods name another one",
            "deprecated": "mark methods, fields or models",
        ])

    static let group = Place(
        name: "a group",
        keys: ["doc", "link", "parameters", "headers", "methods", "models", "server"] + settings,
        planned: plannedSettings + ["errors", "flows"],
        advice: ["deprecated": "mark the methods"])

    static let method = Place(
        name: "a method",
        keys: verbs + [
            "doc", "link", "deprecated", "path", "query", "headers", "form", "json", "multipart",
            "body", "returns", "swift", "server",
        ] + settings,
        planned: plannedSettings + ["kind", "template", "errors", "limits", "tags", "rules"])

    /// The long form of a type, besides the rules.
    static let type = Place(
        name: "a type",
        keys: [
            "type", "fields", "enum", "doc", "link", "deprecated", "key", "from", "as", "default",
            "const", "sensitive", "optional", "nullable", "in", "join", "style", "swift",
            "conforms", "items",
        ],
        more: RuleNames.all,
        planned: [
            "with", "one-of", "tag", "rules", "rule", "keys", "values", "examples",
            "availability", "validate",
        ],
        hint: "for an object with a field called `type` or the like, write `{ fields: { … } }`")

    /// What `items` says about the elements of a list.
    static let items = Place(name: "`items`", keys: ["from", "as"], more: RuleNames.all)

    static let swift = Place(name: "`swift`", keys: ["name", "type"], planned: ["import"])
    static let methodSwift = Place(name: "`swift` of a method", keys: ["name"])
    static let deprecation = Place(name: "`deprecated`", keys: ["since", "use", "message"])
    static let server = Place(name: "a server", keys: ["url", "variables"])
    static let variable = Place(name: "a server variable", keys: ["default", "in"])
    static let scheme = Place(
        name: "an authentication scheme", keys: ["token", "expired"],
        planned: ["refresh", "grant", "scopes", "authorize"])
    static let token = Place(name: "`token`", keys: ["in", "name", "prefix"])
    static let expired = Place(name: "`expired`", keys: ["status", "error"])
    static let success = Place(name: "`success`", keys: ["status", "absent", "present"])
    static let errors = Place(name: "`errors`", keys: ["at", "code", "message", "cases"])
    static let errorCase = Place(
        name: "an error case", keys: ["code", "retry", "model", "doc", "link", "deprecated"])
    static let limits = Place(
        name: "`limits`", keys: ["response", "depth"], planned: ["requests", "concurrent"])
    static let rule = Place(name: "a rule", keys: ["value", "message", "severity", "on"])
    static let enumCase = Place(
        name: "an enumeration case", keys: ["value", "doc", "link", "deprecated"])
}
