import SpecComparison
import TestSupport
import Testing

/// One edit of the spec, and what it does.
struct Edit: CustomTestStringConvertible, Sendable {
    var old: String
    var new: String
    var lines: [String]

    init(_ old: String, _ new: String, _ lines: String...) {
        (self.old, self.new, self.lines) = (old, new, lines)
    }

    var testDescription: String { "\(old) -> \(new)" }
}

@Suite("Changes between two versions")
struct ChangeTests {
    static let files = [
        "api.yaml": """
        telex: 1
        api: Shop
        servers: { main: https://shop.example/ }
        parameters: { lang: { type: string? } }
        timeout: 30s
        errors: { at: error, code: code, message: text, cases: { notFound: 1, busy: { code: 2, retry: true } } }

        """,
        "goods.yaml": """
        doc: The goods.
        methods:
          list: { get: goods, query: { count: int?, page: { type: int, default: 1 } }, returns: [Item] }
          get:
            get: "goods/{id}"
            path: { id: int }
            returns: Item
          add: { post: goods, timeout: { total: 1h }, json: { item: Item, note: string? } }
          drop: { delete: "goods/{id}", path: { id: int }, query: { why: string, who: string } }
        models:
          Item: { id: int, name: { type: Name, max-length: 20 }, size: Size, shown: Shown?, at: Date, tags: "[string]?" }
          Name: { type: string, max-length: 90 }
          Size: { enum: [small, large] }
          Shown: { one-of: { text: string, count: int } }
          Far: { public: true, fields: { a: int } }

        """,
    ]

    static let edits = [
        // Methods
        Edit(
            "  list: {", "  all: {",
            "source goods.list: the method is gone; renamed to `all`?",
            "additive goods.all: the method is new: `all() -> DataOperation<[Item]>`"),
        Edit(
            "  list: {", "  list: { swift: { name: all },",
            "source goods.list: the method changed from `list() -> DataOperation<[Item]>` to "
                + "`all() -> DataOperation<[Item]>`"),
        Edit(
            "returns: [Item]", #"returns: "[Item] | null""#,
            "source goods.list: the method changed from `list() -> DataOperation<[Item]>` to "
                + "`list() -> DataOperation<[Item]?>`"),
        Edit(
            "  list: {", "  list: { visibility: internal,",
            "source goods.list: the method changed from `list() -> DataOperation<[Item]>` to "
                + "`internal list() -> DataOperation<[Item]>`"),
        Edit(
            "  list: {", "  list: { deprecated: old,",
            "additive goods.list: `deprecated`: `old` added"),
        Edit(
            "{ get: goods,", "{ get: all-goods,",
            "behaviour goods.list: the path: from `goods` to `all-goods`"),
        Edit(
            "{ post: goods", "{ put: goods", "behaviour goods.add: the verb: from `POST` to `PUT`"),
        Edit(
            "  list: {", "  list: { coalesce: true, retry: none,",
            "behaviour goods.list: `coalesce: true` added",
            "behaviour goods.list: `retry`: none added"),
        Edit(
            "  list: {",
            "  list: { limits: { requests: 1/s }, throttle: { interval: 0.5s, by: [count] },",
            "behaviour goods.list: `limits.requests`: 1/s added",
            "behaviour goods.list: `throttle`: { interval: 500ms, by: [count], policy: refuse, "
                + "from: start } added"
        ),
        Edit(
            "  list: {",
            "  list: { cache: { fresh: 5m, store: disk }, priority: high, on-expensive: wait,",
            "behaviour goods.list: `cache`: { fresh: 5m, store: disk } added",
            "behaviour goods.list: `on-expensive`: wait added",
            "behaviour goods.list: `priority`: high added"),
        Edit(
            "timeout: 30s",
            "timeout: 30s\nlimits: { requests: 20/10s burst 30, response: 64MiB }\n"
                + "retry: { attempts: 5, on: [transport, 500..504], backoff: 0.5s x2 max 20s }",
            "behaviour api: `limits.requests`: 20/10s burst 30 added",
            "behaviour api: `limits.response`: from 16MiB to 64MiB",
            "behaviour api: `retry`: { attempts: 5, on: [transport, 500..504], backoff: "
                + "{ initial: 500ms, factor: 2, max: 20s } } added"),
        Edit(
            "timeout: 30s",
            "timeout: 30s\nqueues: { images: { concurrent: 2 } }\ncookies: true\n"
                + "success: { status: 200..201, absent: a.b, where: { ok: true } }",
            "behaviour api: `cookies: true` added",
            "behaviour api: `success.absent`: `a.b` added",
            "behaviour api: `success.status`: from [200..299] to [200..201]",
            "behaviour api: `success.where`: { ok: true } added",
            "behaviour api: the queue `queues.images` is new"),
        Edit(
            #""[string]?""#, #"{ type: [{ type: string, min-length: 3 }], optional: true }"#,
            "behaviour Item.tags: the rule `items.min-length` is new"),
        Edit(
            "doc: The goods.", "doc: All goods.",
            "documentation goods: `doc`: changed"),
        // Parameters
        Edit(
            "count: int?", "count: int",
            "source goods.list.count: the parameter changed from `count: Int? = nil` to `count: Int`"
        ),
        Edit(
            "path: { id: int }\n", "path: { id: int }\n    query: { extra: string }\n",
            "source goods.get.extra: the parameter is new: `extra: String`"),
        Edit(
            "count: int?", "count: int?, more: string?",
            "additive goods.list.more: the parameter is new: `more: String? = nil`"),
        Edit(
            "count: int?", "count: int?, v: { const: '2' }",
            "behaviour goods.list.v: the parameter is new"),
        Edit(
            "default: 1", "default: 2",
            "behaviour goods.list.page: the parameter changed from `page: Int = 1` to "
                + "`page: Int = 2`"),
        Edit(
            "why: string,", "why: string?,",
            "source goods.drop: the order of arguments changed from `id, why, who` to "
                + "`id, who, why`",
            "additive goods.drop.why: the parameter changed from `why: String` to "
                + "`why: String? = nil`"),
        Edit(
            "who: string ", "who: string? ",
            "additive goods.drop.who: the parameter changed from `who: String` to "
                + "`who: String? = nil`"),
        Edit(
            "count: int?", "count: { type: int?, max: 5 }",
            "behaviour goods.list.count: the rule `max` is new"),
        Edit(
            "{ lang: {", "{ v: { type: string }, lang: {",
            "source parameters.v: the parameter is new: `v: String`"),
        // Models and fields
        Edit("  Far: { public: true, fields: { a: int } }\n", "", "source Far: the model is gone"),
        Edit(
            #"tags: "[string]?""#, "tags: [string]",
            "source Item.tags: the field changed from `tags: [String]? = nil` to `tags: [String]`"),
        Edit("{ a: int }", "{ a: int, b: int }", "source Far.b: the field is new: `b: Int`"),
        Edit(
            "{ a: int }", "{ a: int, b: int? }", "additive Far.b: the field is new: `b: Int? = nil`"
        ),
        Edit(
            "{ id: int, name:", "{ id: { type: int, from: string }, name:",
            "behaviour Item.id: `from`: string added"),
        Edit(
            "at: Date", "at: { type: Date, as: local-date-time }",
            "behaviour Item.at: `as`: from date-time to local-date-time"),
        Edit(
            "{ id: int, name: { type: Name, max-length: 20 },",
            "{ name: { type: Name, max-length: 20 }, id: int,",
            "source Item: the order of its fields changed"),
        Edit(
            "max-length: 20", "max-length: 30",
            "behaviour Item.name: `max-length`: from 20 to 30"),
        Edit(
            #""[string]?""#, #"{ type: "[string]?", key: labels }"#,
            "behaviour Item.tags: `key`: from `tags` to `labels`"),
        Edit(
            "public: true", "public: true, conforms: Hashable",
            "additive Far: the model changed from `struct Far: Sendable, JSONReadable, "
                + "JSONWritable` to `struct Far: Sendable, Hashable, JSONReadable, JSONWritable`"),
        Edit(
            "  Far: { public: true, fields: { a: int } }\n",
            "  Far: { enum: [a, b], public: true }\n",
            "source Far: the model changed from `struct Far: Sendable, JSONReadable, "
                + "JSONWritable` to `struct of String Far: OpenEnum`"),
        // Enumerations and unions
        Edit("[small, large]", "[small]", "source Size.large: the case is gone"),
        Edit(
            "[small, large]", "[small, large, huge]", "additive Size.huge: the case is new: `huge`"),
        Edit(
            "count: int }", "count: int, flag: bool }",
            "source Shown.flag: the alternative is new: `flag(Bool)`"),
        Edit(
            "{ one-of:", "{ closed: true, one-of:",
            "source Shown: `closed: true` added"),
        // The API
        Edit("api: Shop", "api: Store", "source api: the API changed from `Shop` to `Store`"),
        Edit(
            "type: Name, max-length: 20", "type: Name",
            "behaviour Item.name: the rule `max-length` is gone"),
        Edit(
            "{ type: string? }", "{ type: string }",
            "source parameters.lang: the parameter changed from `lang: String? = nil` to "
                + "`lang: String`",
            "source parameters.lang: the property changed from `String?` to `String`"),
        Edit(
            "page: { type: int, default: 1 } }",
            "page: { type: int, default: 1 } }, pages: { items: $body, page: page }",
            "additive goods.list: the method changed from `list() -> DataOperation<[Item]>` to "
                + "`list() -> DataOperation<[Item]>, listPages()`"),
        Edit("notFound: 1, ", "", "source errors.notFound: the error is gone"),
        Edit("retry: true", "retry: false", "behaviour errors.busy: `retry: true` removed"),
        Edit(
            "timeout: 30s", "timeout: 10s", "behaviour api: `timeout.silence`: from 30s to 10s"),
        Edit(
            "https://shop", "https://store",
            "behaviour api: `servers.main`: from `https://shop.example/` to `https://store.example/`"
        ),
        Edit(
            "api: Shop", "api: Shop\ngenerate: [requests]",
            "additive api: `generate: requests` is new"),
    ]

    @Test("a model may move to another file")
    func moving() throws {
        var new = Self.files
        let far = "  Far: { public: true, fields: { a: int } }\n"
        new["goods.yaml"]?.replace(far, with: "")
        new["more.yaml"] = "models:\n" + far
        #expect(
            try SpecPair(old: Self.files, new: new).lines() == [
                "documentation goods: `models`: changed",
                "documentation more: the group is new",
            ])
    }

    @Test(
        "an inline type is the one at the same place, whatever its name",
        arguments: [
            // Named in one version, and the name of the other type at another place.
            (
                "get: { get: a, returns: { x: int } }",
                "get: { get: a, returns: Thing }\n  list: { get: b, returns: { y: string } }\n"
                    + "models: { Thing: { x: int } }",
                [
                    "source a.get: the method changed from `get() -> DataOperation<AGetReply>` to "
                        + "`get() -> DataOperation<Thing>`",
                    "source a.get.returns: the type `AGetReply` is gone",
                    "additive Thing: the model is new: `struct Thing: Sendable, JSONReadable`",
                    "additive a.list: the method is new: `list() -> DataOperation<AListReply>`",
                ]
            ),
            (
                "get: { get: a, returns: { fields: { x: int }, swift: { type: Reply2 } } }\n"
                    + "  list: { get: b, returns: { y: int } }",
                "get: { get: a, returns: { x: int } }\n"
                    + "  list: { get: b, returns: { fields: { y: int }, swift: { type: Reply2 } } }",
                [
                    "source a.get: the method changed from `get() -> DataOperation<Reply2>` to "
                        + "`get() -> DataOperation<AGetReply>`",
                    "source a.get.returns: the model changed from `struct Reply2: Sendable, "
                        + "JSONReadable` to `struct AGetReply: Sendable, JSONReadable`",
                    "source a.list: the method changed from `list() -> DataOperation<AListReply>` "
                        + "to `list() -> DataOperation<Reply2>`",
                    "source a.list.returns: the model changed from `struct AListReply: Sendable, "
                        + "JSONReadable` to `struct Reply2: Sendable, JSONReadable`",
                ]
            ),
            (
                "set: { post: a, json: { items: [{ f: int }] }, returns: { 200: { x: { y: int } }, "
                    + "201: { z: int } } }",
                "set: { post: a, json: { items: [{ f: bool }] }, returns: { 200: { x: { y: bool } }, "
                    + "201: { z: bool } } }",
                [
                    "source a.set.items.f: the field changed from `f: Int` to `f: Bool`",
                    "source a.set.returns.200.X.y: the field changed from `y: Int` to `y: Bool`",
                    "source a.set.returns.201.z: the field changed from `z: Int` to `z: Bool`",
                ]
            ),
            // App code refers to the name, which stays.
            (
                "get: { get: a, returns: { x: int } }",
                "get: { get: a, returns: AGetReply }\nmodels: { AGetReply: { x: int, y: int? } }",
                ["additive AGetReply.y: the field is new: `y: Int? = nil`"]
            ),
            (
                "get: { get: a, returns: { x: int } }", "all: { get: a, returns: { x: int } }",
                [
                    "source a.get: the method is gone",
                    "additive a.all: the method is new: `all() -> DataOperation<AAllReply>`",
                ]
            ),
        ])
    func inline(old: String, new: String, lines: [String]) throws {
        let versions = [old, new].map {
            [
                "api.yaml": "telex: 1\napi: Shop\nservers: { main: https://shop.example/ }\n",
                "a.yaml": "methods:\n  \($0)\n",
            ]
        }
        #expect(try SpecPair(old: versions[0], new: versions[1]).lines() == lines)
    }

    @Test("each edit does what is told of it, and undoing it is a change, too", arguments: edits)
    func edit(_ edit: Edit) throws {
        let new = Self.files.mapValues {
            $0.replacing(edit.old, with: edit.new, maxReplacements: 1)
        }
        let lines = try SpecPair(old: Self.files, new: new).lines()
        #expect(lines == edit.lines, "\(lines.joined(separator: "\n"))")
        #expect(try !SpecPair(old: new, new: Self.files).lines().isEmpty)
    }
}
