import SpecIR
import SpecSemantics
import Testing

@Suite("Procedure calls and values of a call")
struct ProcedureTests {
    private func analysis(_ method: String, api: String = "rpc: json-rpc-2.0\n") -> Analysis {
        Analysis(users: "methods: { users.get: { \(method) } }\n", api: api)
    }

    private func method(_ text: String, api: String = "rpc: json-rpc-2.0\n") throws -> Method {
        let analysis = analysis(text, api: api)
        return try #require(analysis.method("users.get"), "\(analysis.rendered)")
    }

    @Test(
        "procedure calls refuse what belongs to other methods, and the reverse",
        arguments: [
            ("post: a, params: { id: int }", "T0517: params"), ("get: a, call: b", "T0517: call"),
            ("post: a, notify: true", "T0517: notify"), ("json: { a: int }", "T0517: json"),
            ("body: bytes", "T0517: body"), ("form: { a: int }", "T0517: form"),
            ("wrap: a", "T0517: a"), ("params: { a: int }, wrap: b", "T0105: wrap"),
            ("wrap: b, params: { a: int }", "T0105: params"),
            ("notify: true, returns: int", "T0517: int"), ("call: ''", "T0102: ''"),
            ("notify: yes", "T0102: yes"), ("params: [int]", "T0102: int"),
            ("params: [{ a: int, b: int }]", "T0102: { a: int, b: int }"),
            ("params: [{ a: int }, { a: int }]", "T0507: a"), ("params: '[int'", "T0112: "),
            ("get: a, wrap: b", "T0311: b"), ("rpc: json-rpc-2.0", "T0101: rpc"),
        ])
    func refused(method: String, mark: String) {
        let analysis = analysis(method)
        #expect(analysis.marks == [mark], "\(analysis.rendered)")
    }

    @Test(
        "procedure calls and values of a call need a protocol", arguments: ["", "rpc: none\n"])
    func protocolNeeded(api: String) {
        #expect(analysis("call: a", api: api).marks == ["T0517: call"])
        #expect(analysis("returns: int", api: api).marks == ["T0501: users.get"])
        let unknown = analysis("returns: int", api: "rpc: xml-rpc\n")
        #expect(unknown.marks.first == "T0107: xml-rpc", "\(unknown.rendered)")
    }

    @Test("procedure calls are posts to the shared path, with the call in the body")
    func call() throws {
        let found = try method(
            "params: { id: int, all: 'bool?' }, returns: string",
            api: "rpc: json-rpc-2.0\nprefix: rpc\n")
        #expect(found.verb.name == "POST" && found.path == "rpc" && found.body == .json)
        #expect(found.wrapper == BodyWrapper(key: "params", isList: false))
        #expect(found.parameters.map(\.key) == ["jsonrpc", "method", "id", "all", "id"])
        #expect(found.parameters.map(\.isInWrapper) == [false, false, true, true, false])
        #expect(found.parameters[1].presence == .constant(.string("users.get")))
        #expect(found.parameters.last?.presence == .callID)
        #expect(found.reply?.unwrap == [.key("result")] && found.reply?.absent == ["error"])
        #expect(
            found.reply?.conditions == [ReplyCondition(path: ["id"], values: [.callID])])
    }

    @Test("procedure calls have parameters by position, or one value as a whole, or none")
    func shapes() throws {
        let listed = try method("call: users_get, params: [{ id: int }, { all: 'bool?' }]")
        #expect(listed.wrapper == BodyWrapper(key: "params", isList: true))
        #expect(listed.parameters[1].presence == .constant(.string("users_get")))
        let whole = try method("params: '{string: int}'")
        #expect(whole.wrapper == nil)
        #expect(whole.parameters.map(\.key) == ["jsonrpc", "method", "params", "id"])
        #expect(try method("returns: int").wrapper == nil)
    }

    @Test("procedure calls that are notifications have no id and no rules for a reply")
    func notification() throws {
        let found = try method("notify: true, params: { a: int }")
        #expect(found.parameters.map(\.key) == ["jsonrpc", "method", "a"])
        #expect(found.reply == nil && found.output == .nothing)
    }

    @Test("procedure calls begin `unwrap` at the result, and keep other rules of the spec")
    func rules() throws {
        let found = try method(
            "unwrap: items, success: { where: { version: 2 } }, returns: int",
            api: "rpc: json-rpc-2.0\nerrors: { cases: { lost: -32601 } }\n")
        #expect(found.reply?.unwrap == [.key("result"), .key("items")])
        #expect(found.reply?.conditions.map(\.path) == [["version"], ["id"]])
        let api = try #require(
            analysis("returns: int", api: "rpc: json-rpc-2.0\nerrors: { cases: { lost: -3 } }\n")
                .api)
        #expect(api.errors?.at == [.key("error")] && api.errors?.code == ["code"])
        #expect(api.errors?.cases.map(\.code) == ["-3"])
    }

    @Test("procedure calls of a group alone leave the others as they are; so does a verb")
    func group() throws {
        let analysis = Analysis(
            [
                "api.yaml": Analysis.smallAPI,
                "a.yaml": """
                rpc: json-rpc-2.0
                methods: { a.get: { returns: int }, a.list: { get: list, returns: int } }

                """,
                "b.yaml": "methods: { b.get: { get: x, returns: int } }\n",
            ])
        #expect(analysis.method("a.get")?.verb.name == "POST", "\(analysis.rendered)")
        #expect(analysis.method("a.list")?.reply == nil)
        #expect(analysis.method("b.get")?.errors == nil)
    }

    // MARK: Values of a call

    @Test(
        "procedure calls and values of a call are refused where a call has none",
        arguments: [
            ("query: { a: { const: $method.nam } }", "T0518: $method.nam"),
            ("query: { a: { const: $call } }", "T0518: $call"),
            ("query: { a: { type: bool, const: $call.id } }", "T0518: $call.id"),
            ("query: { a: { type: '[int]', const: $call.id } }", "T0518: $call.id"),
            ("success: { where: { id: $call.id } }", "T0518: $call.id"),
            ("query: { a: { const: x.$method.nam } }", "T0518: $method.nam"),
            ("query: { a: { const: $method.name-$method.names } }", "T0518: $method.names"),
            ("query: { a: { const: $Method.name } }", "T0518: $Method.name"),
            ("query: { a: { const: x-$call.id } }", "T0518: $call.id"),
            ("query: { a: { const: $call.id-x } }", "T0518: $call.id"),
            ("query: { a: { const: $method.name.$token.id } }", "T0506: $token.id"),
            ("query: { a: { const: x$secret.KEY } }", "T0506: $secret.KEY"),
            ("query: { a: { type: string, default: $call.id } }", "T0518: $call.id"),
            ("query: { a: { type: string, default: v1.$method.name } }", "T0518: $method.name"),
            ("query: { a: { type: '[string]', const: [b.$method.name] } }", "T0518: $method.name"),
            ("query: { a: { type: string, in: [b, $method.name] } }", "T0518: $method.name"),
        ])
    func refusedValue(section: String, mark: String) {
        let analysis = analysis("get: a, \(section)", api: "")
        #expect(analysis.marks == [mark], "\(analysis.rendered)")
    }

    @Test(
        "values of a call stand beside what wraps other members, not inside a value",
        arguments: [
            ("post: a, body: { type: string, const: $call.id }", "T0518: $call.id"),
            ("post: a, json: { a: { fields: { b: { const: $call.id } } } }", "T0518: $call.id"),
            ("params: { a: { const: $call.id } }", "T0518: $call.id"),
            ("params: [{ a: { type: string, default: $token.me } }]", "T0518: $token.me"),
            (
                "post: a, wrap: w, json: { a: { type: string, default: $token.me } }",
                "T0518: $token.me"
            ),
            (
                "post: a, wrap: w, json: { a: int }, throttle: { interval: 1s, by: [a] }",
                "T0512: a"
            ),
        ])
    func refusedPlace(method: String, mark: String) {
        let analysis = analysis(
            method, api: "rpc: json-rpc-2.0\nauth: { a: { token: bearer } }\n")
        #expect(analysis.marks == [mark], "\(analysis.rendered)")
    }

    @Test("a path has the name of the method and the id of the call through a parameter")
    func paths() throws {
        for (path, mark) in [("m/$method.name", "$method.name"), ("m/x$call.id", "$call.id")] {
            #expect(
                Analysis(users: "methods: { a: { get: \(path) } }\n").marks == ["T0502: \(mark)"])
        }
        let found = try method("get: 'm/{m}', path: { m: { const: $method.name } }", api: "")
        #expect(found.parameters.map(\.presence) == [.constant(.string("users.get"))])
    }

    @Test("the name of the method may be a part of a text, in quotes it is only text")
    func partsOfTexts() throws {
        let api = "headers: { X-Amz-Target: DynamoDB_20120810.$method.name }\n"
        let found = try method(
            "call: GetItem, get: a, query: { b: { const: 'x.$method.name' } }", api: api)
        #expect(
            found.parameters.map(\.presence) == [
                .constant(.string("DynamoDB_20120810.GetItem")),
                .constant(.string("x.$method.name")),
            ])
        let twice = try method(
            "get: a, query: { b: { const: $method.name/$method.name } }", api: "")
        #expect(twice.parameters.map(\.presence) == [.constant(.string("users.get/users.get"))])
    }

    @Test("values of a call name it and its method, for all methods at once too; the nearest wins")
    func values() throws {
        let api =
            "parameters: { method: $method.name, key: { type: int, const: $call.id, in: header } }\n"
        let found = try method("get: a, query: { b: { const: '$call.id' } }", api: api)
        #expect(found.parameters.map(\.key) == ["method", "key", "b"])
        #expect(found.parameters.map(\.location) == [.query, .header, .query])
        #expect(
            found.parameters.map(\.presence) == [
                .constant(.string("users.get")), .callID, .constant(.string("$call.id")),
            ])
        let own = try method("get: a, query: { method: { const: b } }", api: api)
        #expect(own.parameters.map(\.presence) == [.callID, .constant(.string("b"))])
        let address = try method("get: '{url}'", api: api)
        #expect(address.parameters.map(\.key) == ["url", "key"])
    }

    // MARK: Bodies

    @Test(
        "The media type of a body goes with JSON and raw bytes",
        arguments: [
            ("post: a, content-type: a/b", "T0311: a/b"),
            ("post: a, form: { a: int }, content-type: a/b", "T0311: a/b"),
            ("post: a, body: file, content-type: a/b", "T0311: a/b"),
            ("post: a, json: Big, content-type: a", "T0107: a"),
            ("post: a, json: Big, content-type: a/*", "T0107: a/*"),
            ("post: a, json: Big, content-type: [a/b]", "T0102: [a/b]"),
            ("post: a, json: bytes", "T0107: bytes"), ("post: a, json: [int]", "T0102: [int]"),
            ("post: a, json: Big, body: Big", "T0105: body"),
            ("get: a, limits: { depth: 5 }", "T0101: depth"),
            ("get: a, limits: { response: 0 }", "T0109: 0"),
        ])
    func refusedBody(method: String, mark: String) {
        let analysis = Analysis(
            users:
                "methods: { users.get: { \(method) } }\nmodels: { Big: { public: true, fields: { id: int } } }\n"
        )
        #expect(analysis.marks == [mark], "\(analysis.rendered)")
    }

    @Test("values of a call stand beside the members that `wrap` puts under a key")
    func wrap() throws {
        let found = try method(
            "post: a, wrap: arguments, json: { method: { const: $method.name }, a: int }", api: "")
        #expect(found.wrapper == BodyWrapper(key: "arguments", isList: false))
        #expect(found.parameters.map(\.isInWrapper) == [false, true])
    }
}
