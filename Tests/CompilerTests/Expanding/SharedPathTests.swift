import SpecIR
import SpecSemantics
import Testing

@Suite("Shared paths")
struct SharedPathTests {
    private func analysis(_ method: String, group: String = "", api: String = "") -> Analysis {
        Analysis(users: "\(group)methods: { users.get: { \(method) } }\n", api: api)
    }

    private static let servers = "prefix: servers/{server_id}\n"

    // MARK: Mistakes

    @Test(
        "shared paths are refused where they are malformed or do not fit each other",
        arguments: [
            ("get: a", "prefix: /servers\n", "", "T0502: /"),
            ("get: a", "prefix: 'servers/{id'\n", "", "T0502: {"),
            ("get: a", "prefix: a/../b\n", "", "T0502: .."),
            ("get: a", "prefix: https://a.example/b\n", "", "T0502: https://a.example/b"),
            ("get: a", "prefix:\n", "", "T0102: "),
            ("get: '{+server_id}'", servers, "", "T0502: '{+server_id}'"),
            ("get: '{a}/{+a}'", "", "", "T0502: {+a}"), ("get: 'a/{+}'", "", "", "T0502: {+}"),
            ("get: 'a/{++b}'", "", "", "T0502: {++b}"),
            ("get: '{server_id}'", servers, "", "T0502: '{server_id}'"),
            ("get: a", servers, servers, "T0502: servers/{server_id}"),
            ("get: //a", servers, "", "T0502: /"),
            ("get: a", "prefix: a/:id\n", "", "T0516: :id"),
            ("get: a", "path: { id: int }\n", "", "T0103: id"),
            ("get: a", servers + "path: { id: int }\n", "", "T0503: id"),
            ("get: a", servers + "path: { server: int }\n", "", "T0503: server"),
            (
                "get: a",
                servers + "path: { a: { key: server_id, type: int }, server_id: int }\n", "",
                "T0507: server_id"
            ),
            ("get: a, path: { server_id: int }", servers, "", "T0507: server_id"),
            ("get: /a, path: { server_id: int }", servers, "", "T0503: server_id"),
            ("get: a", servers + "path: { server_id: [int] }\n", "", "T0303: [int]"),
            ("get: a", "path: servers/{server_id}\n", "", "T0102: servers/{server_id}"),
            ("get: a, prefix: b", "", "", "T0101: prefix"),
            ("get: /", servers, "", "T0520: /"), ("get: /", "", servers, "T0520: /"),
            ("get: /", "prefix: servers/\n", "", "T0520: /"), ("get: /", "", "", "T0502: /"),
        ])
    func refused(method: String, group: String, api: String, mark: String) {
        let analysis = analysis(method, group: group, api: api)
        #expect(analysis.marks == [mark], "\(analysis.rendered)")
    }

    @Test("an error of a shared path is reported once for all its methods")
    func once() {
        let analysis = Analysis(
            users: Self.servers + "path: { server_id: Wrong }\n"
                + "methods: { users.get: { get: a }, users.find: { get: b } }\n")
        #expect(analysis.marks == ["T0201: Wrong"], "\(analysis.rendered)")
    }

    // MARK: Meaning

    @Test(
        "shared paths come before the path of a method, unless it begins with a slash",
        arguments: [
            ("get: a", servers, "", "servers/{server_id}/a"),
            ("get: ''", servers, "", "servers/{server_id}"),
            ("get: /a", servers, "", "a"),
            ("get: 'a/{+b}'", "prefix: '{+c}'\n", "", "{+c}/a/{+b}"),
            ("get: '{+url}', path: { url: string }", "", "", "{+url}"),
            ("get: '/{url}'", servers, "", "{url}"),
            ("get: a", "", servers, "servers/{server_id}/a"),
            ("get: a", "prefix: x/{y}\n", servers, "servers/{server_id}/x/{y}/a"),
            ("get: a", "prefix: /x\n", servers, "x/a"),
            ("get: /a", "prefix: x\n", servers, "a"),
            ("get: ''", "prefix: servers/\n", "", "servers/"),
            ("get: 'a/'", "prefix: servers/\n", "", "servers/a/"),
            ("get: ''", "prefix: x/\n", "prefix: v1/\n", "v1/x/"),
            ("get: a", "", "prefix: v1/\n", "v1/a"), ("get: /a/", "prefix: servers/\n", "", "a/"),
            ("get: ''", "prefix: '{a}/'\n", "", "{a}/"),
        ])
    func whole(method: String, group: String, api: String, path: String) throws {
        let analysis = analysis(method, group: group, api: api)
        let found = try #require(analysis.method("users.get"), "\(analysis.rendered)")
        #expect(found.path == path)
        let names = path.matches(of: #/{\+?(.*?)}/#).map { String($0.1) }
        #expect(found.parameters.map(\.key) == names)
        #expect(analysis.bag.isEmpty, "\(analysis.rendered)")
    }

    @Test("shared paths have typed parameters, before those of the method")
    func parameters() throws {
        let analysis = analysis(
            "get: '{id}', path: { id: int }",
            group: Self.servers + "path: { server_id: { type: int, default: 3, above: 0 } }\n")
        let method = try #require(analysis.method("users.get"), "\(analysis.rendered)")
        #expect(method.parameters.map(\.name) == ["serverID", "id"])
        #expect(method.parameters[0].presence == .defaulted(.integer("3")))
        #expect(method.parameters[0].value.rules.count == 1)
    }

    @Test(
        "a path outside a shared one keeps the placeholder declarations, unless it has its own"
    )
    func leaving() throws {
        let group = Self.servers + "path: { server_id: { type: int, min: 1 } }\n"
        let left = analysis("get: '/x/{server_id}/{other}'", group: group)
        let method = try #require(left.method("users.get"), "\(left.rendered)")
        #expect(
            method.parameters.map(\.value.type) == [
                .integer(.int, from: .native), .string(from: .native),
            ])
        #expect(method.parameters[0].value.rules.count == 1)
        let own = analysis("get: '/x/{server_id}', path: { server_id: uuid }", group: group)
        #expect(own.method("users.get")?.parameters.map(\.value.type) == [.uuid], "\(own.rendered)")
        let inner = analysis("get: a", group: "prefix: '/y/{server_id}'\n", api: group)
        #expect(inner.method("users.get")?.path == "y/{server_id}/a")
        #expect(
            inner.method("users.get")?.parameters.map(\.value.type) == [
                .integer(.int, from: .native)
            ],
            "\(inner.rendered)")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: left.spec))
        #expect(explanation.values.contains { $0.name == "path server_id" && $0.origin == .group })
    }

    @Test("shared paths are explained whole, with the files that declare their parameters")
    func explanation() throws {
        let analysis = analysis(
            "get: '{id}'", group: "prefix: b/{b}\npath: { b: int }\n",
            api: "prefix: a/{a}\npath: { a: int }\n")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        let lines = explanation.values.filter { $0.name.hasPrefix("path") || $0.name == "get" }
            .map { "\($0.name): \($0.value) (\($0.origin))" }
        #expect(
            lines == [
                "get: a/{a}/b/{b}/{id} (method)", "path id: string (method)",
                "path a: int (api)", "path b: int (group)",
            ])
    }
}
