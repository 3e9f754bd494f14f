import SpecDiagnostics
import TelexCompiler
import Testing

@Suite("Help lines suggest the intended text")
struct HelpTests {
    private func help(_ field: String) -> [String?] {
        Analysis(users: "methods: { get: { get: a, returns: User } }\nmodels:\n  User: \(field)")
            .bag.all.map(\.help)
    }

    @Test("a comma splits a text without quotes")
    func comma() {
        let help =
            "an entry is `key: value`; inside `{ }`, a text with a comma needs quotes: "
            + "`{ doc: \"Yes, really.\" }`"
        #expect(self.help("{ a: { type: int, doc: Yes, really. } }") == [help])
        #expect(self.help("{ a: { type: int, doc: Yes, really , b: c } }").first == help)
        #expect(self.help("{ a: int, b }") == [help])
        #expect(self.help("{ a: { type: int, dok: } }") == ["did you mean `doc`?"])
    }

    @Test(
        "an attribute of an object without `fields` is parsed as a field",
        arguments: [
            "{ doc: hello, id: int }", "{ doc: Hello you, id: int }", "{ id: int, link: https }",
        ])
    func object(text: String) {
        let help = help(text)
        #expect(help.count == 1 && help.first??.contains("fields: { … }") == true)
        #expect(self.help("{ doc: string, id: int }").isEmpty)
    }

    @Test("a missing `fields` is one error, regardless of other keys")
    func objectWithAttributes() {
        let about = "doc: A b, link: https://a.b, deprecated: true, conforms: [Hashable]"
        let help = help("{ \(about), swift: { name: B }, id: int, self: Userr }")
        #expect(help.count == 2)
        #expect(help.first??.contains("fields: { … }") == true)
        #expect(help.last == "did you mean `User`?")
    }

    @Test(
        "fields next to keys of a type are one error",
        arguments: [
            ("{ fields: , id: int, name: string }", "indent the fields further than `fields:`"),
            (
                "{ type: object, id: int, name: string? }",
                "write `fields:` instead of `type: object`, and the fields under it"
            ),
            (
                "{ id: int, type: string, at: Date, tags: [string] }",
                "put all fields under `fields:`, because one of them is called `type`"
            ),
            (
                "{ type: object, properties: { id: int }, required: [id] }",
                "write `fields:` instead of `type: object` and `properties:`; a field that "
                    + "may be missing is marked `?`, the others are required"
            ),
        ])
    func withoutFields(text: String, help: String) {
        #expect(self.help(text) == [help])
    }

    /// A wrong spec of the group `users`, what its help shows, and the spec that follows the help.
    private static let remedies: [(wrong: String, shown: String, right: String)] = [
        // An inline object that may be null or missing.
        (
            field("{ a: { id: int } | null }"), "`{ fields: { id: int }, nullable: true }`",
            field("{ a: { fields: { id: int }, nullable: true } }")
        ),
        (
            field("\n    a: { id: int } | null\n    b: int"),
            "`{ fields: { id: int }, nullable: true }`",
            field("{ a: { fields: { id: int }, nullable: true } }")
        ),
        (
            field("{ a: \"{ id: int } | null\" }"), "`{ fields: { id: int }, nullable: true }`",
            field("{ a: { fields: { id: int }, nullable: true } }")
        ),
        (
            field("{ a: { id: int }? }"), "`{ fields: { id: int }, nullable: true }`",
            field("{ a: { fields: { id: int }, optional: true } }")
        ),
        (
            field("{ a: [{ id: int }]? }"), "`{ type: [{ id: int }], optional: true }`",
            field("{ a: { type: [{ id: int }], optional: true } }")
        ),
        (
            field("{ a: {string: User}? }"), "`\"{string: User}?\"`",
            field("{ a: \"{string: User}?\" }")
        ),
        (
            "methods: { get: { get: a, returns: \"{ id: int } | null\" } }\n",
            "`{ fields: { id: int }, nullable: true }`",
            "methods: { get: { get: a, returns: { fields: { id: int }, nullable: true } } }\n"
        ),
        // A body of one type.
        (
            call("post: a, json: { type: User, swift: { name: user } }"),
            "write `body: { type: User, swift: { name: user } }`",
            call("post: a, body: { type: User, swift: { name: user } }")
        ),
        (
            call("post: a, json: { type: User, doc: Who it is. }"),
            "write `body: { type: User, doc: Who it is. }`",
            call("post: a, body: { type: User, doc: Who it is. }")
        ),
        // A default that no spec can write.
        (
            field("{ a: { type: bytes, default: aGk= } }"), "`{ type: string, default: aGk= }`",
            field("{ a: { type: string, default: aGk= } }")
        ),
        (
            field("{ a: { type: int | string, default: 1 } }"), "mark the value `?`",
            field("{ a: \"int | string?\" }")
        ),
        // A page token in a header field.
        (
            pages("send: after, take: X-Next"), "`send: after, take: { header: X-Next }`",
            pages("send: after, take: { header: X-Next }")
        ),
        (
            pages("send: after, take: header.X-Next"), "take: { header: X-Next }",
            pages("send: after, take: { header: X-Next }")
        ),
        (
            pages("next: { header: X-Next }"), "`next: { link: next }`",
            pages("next: { link: next }")
        ),
        // A page token through a list.
        (
            pages("send: after, take: items.id"), "`take: { last: id }`",
            pages("send: after, take: { last: id }")
        ),
        (
            pages("send: after, take: \"items[-1].id\""), "`take: { last: id }`",
            pages("send: after, take: { last: id }")
        ),
        // A constant that is sent.
        (
            call("get: a, v: 5.21"), "`query: { v: { const: \"5.21\" } }`",
            call("get: a, query: { v: { const: \"5.21\" } }")
        ),
        (
            call("get: a, X-Version: 7"), "`headers: { X-Version: { const: \"7\" } }`",
            call("get: a, headers: { X-Version: { const: \"7\" } }")
        ),
        (
            call("get: a, since: Date"), "`query: { since: Date }`",
            call("get: a, query: { since: Date }")
        ),
        (
            call("get: a, query: { v: 5.10 }"), "`{ const: \"5.10\" }`",
            call("get: a, query: { v: { const: \"5.10\" } }")
        ),
    ]

    private static func field(_ user: String) -> String {
        "methods: { get: { get: a, returns: User } }\nmodels:\n  User: \(user)\n"
    }

    private static func call(_ method: String) -> String {
        "methods: { get: { \(method), returns: User } }\nmodels:\n  User: { id: int }\n"
    }

    private static func list(_ rest: String) -> String {
        "methods:\n  list: { get: a, query: { after: string?, skip: int?, number: int? }, "
            + "returns: { items: [Item] }\(rest) }\nmodels:\n  Item: { id: string }\n"
    }

    private static func pages(_ form: String) -> String {
        list(", pages: { items: items, \(form) }")
    }

    @Test("a mistake shows what to write, and that compiles", arguments: remedies.indices)
    func remedy(index: Int) {
        let (wrong, shown, right) = Self.remedies[index]
        let help = Analysis(users: wrong).bag.all.compactMap(\.help)
        #expect(help.count == 1 && help[0].contains(shown), "\(wrong)\n\(help)")
        let analysis = Analysis(users: right)
        #expect(analysis.rendered.isEmpty && analysis.api != nil, "\(right)")
    }

    @Test("an object with members that are called like attributes of a type stays one")
    func noTypeOfBody() {
        for json in [
            "{ type: User }", "{ type: string, swift: { name: string } }",
            "{ type: string, doc: string }",
        ] {
            let analysis = Analysis(users: Self.call("post: a, json: \(json)"))
            #expect(analysis.rendered.isEmpty, "\(json)")
        }
    }

    @Test("rules that are misspelt are no fields")
    func misspeltRules() {
        let help = help("{ a: { type: string, max-lenght: 3, not-blnk: true } }")
        #expect(help == ["did you mean `max-length`?", "did you mean `not-blank`?"])
    }

    @Test("a path segment in another placeholder syntax is a warning")
    func colonInPath() {
        func analysis(_ path: String) -> Analysis {
            Analysis(users: "methods: { get: { get: \"\(path)\" } }\n")
        }
        #expect(analysis("users/:id/x").marks == ["T0516: :id"])
        #expect(analysis("users/:id/x").api != nil)
        for path in ["a/b:get", "a/%3Aid", "a/:", "a/{id}:go"] {
            #expect(analysis(path).marks.isEmpty, "\(path)")
        }
    }

    @Test("a number of calls that is too large is reported with the allowed range")
    func absurdCounts() {
        for count in ["2147483648", "9223372036854775807", "1000000000000000000000000000000"] {
            let analysis = Analysis(
                users: "methods: { get: { get: a } }\n",
                api: "limits: { concurrent: \(count) }\n")
            #expect(analysis.marks == ["T0102: \(count)"])
            #expect(analysis.bag.all[0].message.contains("an integer from 1 to 2147483647, found"))
        }
    }

    @Test(
        "help lines name both a word and a mapping where either may stand",
        arguments: [
            ("auth: { t: { token: barer } }", "`bearer`, `basic`, `{ in: query, name: … }`"),
            (
                "auth: { t: { token: bearer, refresh: account.refresh } }",
                "`app`, `{ post: https://… }`"
            ),
            ("queues: { edits: sequential }", "`serial`, `{ concurrent: 2 }`"),
            (
                "sessions: { images: own }",
                "`ephemeral`, `background`, `{ connections: 10 }`"
            ),
        ])
    func forms(api: String, forms: String) {
        let analysis = Analysis(users: "methods: { get: { get: a } }\n", api: api + "\n")
        #expect(analysis.bag.all.contains { $0.label == "expected one of \(forms)" })
    }

    @Test(
        "a nearly valid value is corrected",
        arguments: [
            ("retry: { attempts: \"3\" }", "remove the quotes"),
            ("coalesce: 'true'", "remove the quotes"),
            ("throttle: 0s", "leave `throttle` out for none; the shortest is `1ms`"),
            ("timeout: { total: 0s }", "write `none` for no limit; the shortest is `1ms`"),
            ("timeout: 0s", "the shortest is `1ms`"),
            ("timeout: 0.4ms", "it is a whole number of milliseconds; the shortest is `1ms`"),
            ("timeout: 1.0005s", "it is a whole number of milliseconds; the shortest is `1ms`"),
            ("timeout: 1.2.3s", "write a number and its unit: `500ms`, `15s`, `10m`, `1h`"),
            ("retry: { attempts: \"0\" }", "write `retry: none` for calls that are sent once"),
            ("throttle: 10", "write a number and its unit: `500ms`, `15s`, `10m`, `1h`"),
            ("timeout: -1s", "the shortest is `1ms`"),
            ("timeout: 99999999999999999999s", "the time is too long: write a shorter one"),
            ("throttle: none", "leave `throttle` out for none"),
            ("limits: 1/s", "write `limits: { requests: 1/s, response: 5MB }`"),
            (
                "limits: { requests: 0/s }",
                "otherwise nothing would ever be sent; leave `requests` out for no limit"
            ),
            (
                "limits: { requests: -1/s }",
                "otherwise nothing would ever be sent; leave `requests` out for no limit"
            ),
            ("limits: { requests: 3/0s }", "the shortest time is `1ms`"),
            (
                "limits: { requests: 3/s burst 0 }",
                "write the burst after the rate, from 1 to 2147483647: `1/s burst 20`"
            ),
            ("limits: { requests: { burst: 20 } }", "write `{ rate: 1/s, burst: 20 }`"),
            (
                "limits: { requests: 3/99999999999999d }",
                "the time is too long: write a shorter one"
            ),
            (
                "limits: { requests: 99999999999999999999/s }",
                "the number is too large: leave `requests` out for no limit"
            ),
            (
                "session: background",
                "declare a background session in `api.yaml`, `sessions: { transfers: background }`, "
                    + "and name it"
            ),
        ])
    func nearly(setting: String, help: String) {
        let analysis = Analysis(users: "methods: { get: { get: a, \(setting) } }\n")
        #expect(analysis.bag.all.map(\.help) == [help])
    }

    @Test(
        "an attribute in the wrong position is reported with the right one",
        arguments: [
            ("{ type: string, pattern: a, message: b }", "`pattern: { value: …, message: … }`"),
            ("{ type: \"[Date]\", as: date }", "`items: { as: … }`"),
            ("{ type: string, properties: {} }", "`fields`"),
            ("{ type: json, any-of: [] }", "the fields of all, each optional"),
        ])
    func places(type: String, help: String) {
        let all = self.help("{ a: \(type) }").compactMap(\.self)
        #expect(all.count == 1 && all[0].contains(help), "\(all)")
    }

    @Test(
        "the help for a value that is not a mapping shows one",
        arguments: [
            ("auth: { token: bearer }", "", "`auth: { account: { token: bearer } }`"),
            ("auth: { token: { in: header, name: X } }", "", "under a name of your own"),
            ("auth: bearer", "", "`auth: { account: { token: bearer } }`"),
            ("success: 200", "", "`success: { status: 200 }`"),
            ("methods: {}", "", "belong in a group"), ("models: {}", "", "belong in a group"),
            ("description: a", "", "did you mean `doc`?"),
            ("", "methods: [get]", "without `- `"), ("", "get: a", "belong under `methods`"),
            ("", "methods: { a: { get: {id} } }", "needs quotes: `get: \"{id}\"`"),
            ("", "methods: { a: { get: a, desc: b } }", "did you mean `doc`?"),
            ("", "methods: { a: { get: a, params: {} } }", "query items stand under `query`"),
            ("", "methods: { a: { get: a, response: int } }", "did you mean `returns`?"),
            ("", "methods: { a: { get: a, retries: 3 } }", "did you mean `retry`?"),
            (
                "", "methods: { a: { get: a, returns: { type: int, description: b } } }",
                "did you mean `doc`?"
            ),
            (
                "", "methods: { a: { get: a, headers: { Accept: application/octet-stream } } }",
                "to always send this text, write `{ const: application/octet-stream }`"
            ),
        ])
    func firstMistakes(api: String, users: String, help: String) {
        let users = users.isEmpty ? "methods: { get: { get: a } }" : users
        let all = Analysis(users: users + "\n", api: api + "\n").bag.all
        #expect(all.count { $0.help?.contains(help) == true } == 1, "\(all)")
        #expect(all.count { $0.severity == .error } == 1, "\(all)")
    }

    @Test("an unreadable `api.yaml` is not reported as missing")
    func unreadAPI() {
        let unread = SpecFolder.Problem(
            .unreadable, "the file cannot be read", at: "specs/api.yaml")
        let users = SpecFolder.File(
            relativePath: "users.yaml", shownPath: "specs/users.yaml",
            bytes: Array("methods: { get: { get: a } }\n".utf8))
        let folder = SpecFolder(shownPath: "specs", files: [users], problems: [unread])
        #expect(TelexCompiler.check(folder).diagnostics.all.map(\.code) == [.unreadable])
    }

    @Test("an empty text is named in the message")
    func emptyText() {
        let analysis = Analysis(
            users: "methods: { get: { get: a } }\n", api: "queues: { '': serial }\n")
        #expect(analysis.bag.all.map(\.message) == ["expected a queue's name, found an empty text"])
    }

    @Test("a reversed range of statuses is corrected")
    func statuses() {
        let analysis = Analysis(
            users: "methods: { get: { get: a } }\n", api: "success: { status: 299..200 }\n")
        #expect(analysis.bag.all.map(\.help) == ["the smaller one comes first: `200..299`"])
    }

    @Test("a URL with rules is a text with a format")
    func url() {
        let help = help("{ a: { type: url, max-length: 5 } }")
        #expect(help == ["for a URL with rules, write `type: string, format: uri`"])
    }
}
