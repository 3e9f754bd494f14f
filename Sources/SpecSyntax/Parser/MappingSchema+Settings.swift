import SpecIR
import SpecTemplateRules

/// The mappings of settings, replies and servers.
extension MappingSchema {
    static let server = MappingSchema(
        name: "a server",
        keys: [
            ("url", .text), ("insecure", .flag),
            ("variables", .named(.either([.null, .text, .mapping(.variable)]))),
        ], required: ["url"])
    static let variable = MappingSchema(
        name: "a server variable", keys: [("default", .text), ("in", .oneOrMore(.text))])

    // MARK: Authentication

    static let scheme = MappingSchema(
        name: "an authentication scheme",
        keys: [
            ("token", .either([.words(["bearer", "basic"]), .mapping(.token)])),
            ("expired", .expired), ("refresh", .refresh), ("secret", .text),
            ("grant", .words(OAuthGrant.Kind.self)), ("authorize", .text),
            ("scopes", .oneOrMore(.text)),
        ], required: ["token"])
    static let methodAuth = MappingSchema(
        name: "`auth` of a group or a method",
        keys: [("all", .oneOrMore(.text)), ("expired", .expired)],
        advice: Dictionary(
            uniqueKeysWithValues: ["token", "refresh"].map {
                ($0, "it belongs to the API: set it in `api.yaml`")
            }))
    static let refresh = MappingSchema(
        name: "`refresh`",
        keys: [
            ("post", .text), ("form", .refreshMembers), ("json", .refreshMembers),
            ("token", .keyPath), ("refresh-token", .keyPath), ("expires-in", .keyPath),
        ], required: ["post"])
    static let tokenMethod = MappingSchema(
        name: "`refresh`", keys: [("method", .text), ("token", .keyPath), ("header", .text)],
        required: ["method"])
    static let handedOut = MappingSchema(
        name: "`refresh`", keys: [("on", .status), ("take", .mapping(.take))],
        required: ["on", "take"])
    static let take = MappingSchema(
        name: "`take`", keys: [("header", .text)], required: ["header"])
    static let refreshMember = MappingSchema(
        name: "what a refresh request sends", keys: [("const", .text), ("sensitive", .flag)],
        required: ["const"])
    static let token = MappingSchema(
        name: "`token`",
        keys: [("in", .words(AuthSyntax.Placement.self)), ("name", .text), ("prefix", .text)],
        required: ["in"])
    static let expired = MappingSchema(
        name: "`expired`",
        keys: [("status", .oneOrMore(.status)), ("error", .oneOrMore(.text))])

    // MARK: Replies

    static let success = MappingSchema(
        name: "`success`",
        keys: [
            ("status", .statuses), ("absent", .keyPath), ("present", .keyPath),
            ("where", .conditions),
        ])
    static let errors = MappingSchema(
        name: "`errors`",
        keys: [
            ("at", .path), ("code", .keyPath), ("message", .keyPaths), ("model", .text),
            ("retry-after", .either([.keyPath, .mapping(.retryAfter)])),
            ("cases", .named(.either([.text, .mapping(.errorCase)]))),
        ])
    static let retryAfter = MappingSchema(
        name: "`retry-after`", keys: [("at", .keyPath), unit], required: ["at"])
    private static let unit: Key = ("unit", .words(["s", "ms"]))
    static let errorCase = MappingSchema(
        name: "an error case",
        keys: [("code", .text), ("status", .status), ("retry", .flag), ("model", .text)]
            + documentationOfParts)
    static let link = MappingSchema(
        name: "the address of a link",
        keys: [("link", .text), ("doc", .text), ("deprecated", .deprecated)]
            + [("swift", .mapping(.swift))], required: ["link"])
    static let login = MappingSchema(
        name: "`login`",
        keys: [
            ("token", .keyPath), ("refresh", .keyPath), ("expires-in", .keyPath), unit,
            ("values", .keyPathList),
        ], required: ["token"])
    static let extraction = MappingSchema(
        name: "a value of `extract`", keys: [("at", .path), ("type", .type), ("doc", .text)],
        required: ["at"])
    static let pages = MappingSchema(
        name: "`pages`",
        keys: [
            ("items", .place), ("offset", .text), ("total", .keyPath), ("page", .text),
            ("last", .keyPath), ("send", .text),
            ("take", .either([.keyPath, .mapping(.pageTake)])),
            ("next", .either([.keyPath, .mapping(.nextPage)])), ("merge", .keyPath),
            ("more", .keyPath),
        ], required: ["items"],
        advice: Dictionary(
            uniqueKeysWithValues: ["limit", "size", "per_page", "count"].map {
                ($0, "the size of a page is an argument of the call")
            }))
    static let nextPage = MappingSchema(
        name: "`next`", keys: [("link", .text)], required: ["link"],
        advice: ["header": NearMisses.pageInHeader])
    static let pageTake = MappingSchema(
        name: "`take` of `pages`", keys: [("header", .text), ("last", .keyPath)])
    static let until = MappingSchema(
        name: "`until`",
        keys: [("where", .conditions), ("fails", .conditions), ("interval", .backoff)],
        required: ["where"])
    static let stream = MappingSchema(
        name: "`stream`",
        keys: [
            ("form", .words(StreamFormat.Framing.self)), ("events", .oneOrMore(.text)),
            ("end", .text),
        ], required: ["form"])
    static let validation = MappingSchema(
        name: "`validate`",
        keys: [
            ("mode", .words(ValidationPolicy.Mode.self)),
            ("checks", .oneOrMore(.words(ValidationPolicy.Check.self))), ("sample", .percent),
        ])
    static let templates = MappingSchema(
        name: "`templates`", keys: [("compatibility", .words(TemplateCompatibility.self))])

    // MARK: Scheduling

    static let limits = MappingSchema(
        name: "`limits`",
        keys: [
            ("requests", .rate), ("concurrent", .count), ("per-host", .count),
            ("response", .size), ("depth", .integer(1...512)),
        ])
    static let methodLimits = MappingSchema(
        name: "`limits` of a method", keys: [("requests", .rate), ("response", .size)],
        advice: Dictionary(
            uniqueKeysWithValues: ["concurrent", "per-host", "depth"].map {
                ($0, "this limit belongs to the API; a queue limits concurrent calls")
            }))
    static let rate = MappingSchema(
        name: "the rate", keys: [("rate", .rateText), ("burst", .count)], required: ["rate"])
    static let timeout = MappingSchema(
        name: "`timeout`",
        keys: [
            ("silence", .duration), ("attempt", .noneOr(.duration)), ("total", .noneOr(.duration)),
            ("pause", .duration),
        ])
    static let cache = MappingSchema(
        name: "`cache`",
        keys: [
            ("fresh", .duration), ("stale-if-error", .duration),
            ("store", .words(CachePolicy.Store.self)),
        ])
    static let retry = MappingSchema(
        name: "`retry`",
        keys: [("attempts", .count), ("on", .repeated), ("backoff", .backoff)])
    static let backoff = MappingSchema(
        name: "`backoff`",
        keys: [
            ("initial", .duration), ("factor", .factor), ("jitter", .percent), ("max", .duration),
        ])
    static let queue = MappingSchema(
        name: "a queue", keys: [("concurrent", .count)], required: ["concurrent"])
    static let session = MappingSchema(
        name: "a session",
        keys: [("ephemeral", .flag), ("background", .flag), ("connections", .count)])
    static let throttle = MappingSchema(
        name: "`throttle`",
        keys: [
            ("interval", .duration), ("by", .oneOrMore(.text)),
            ("policy", .words(Throttle.Policy.self)),
            ("from", .words(Throttle.Origin.self)),
        ], required: ["interval"])
}
