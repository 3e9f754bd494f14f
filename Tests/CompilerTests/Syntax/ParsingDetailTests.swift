import SpecIR
import Testing

@Suite("Details of parsing")
struct ParsingDetailTests {
    @Test("the empty text is a value called `empty`")
    func empty() throws {
        let analysis = Analysis(
            users: """
                methods: { get: { get: users.get, query: { sort: Sort } } }
                models: { Sort: { enum: ["", a] } }
                """)
        guard case .enumeration(let values) = try #require(analysis.model("Sort")).kind else {
            Issue.record("\(analysis)")
            return
        }
        #expect(values.cases.map(\.name) == ["empty", "a"])
        #expect(values.cases.map(\.value) == ["", "a"])
    }

    @Test("`null` is an ordinary value of an enumeration")
    func null() throws {
        let analysis = Analysis(
            users: """
                methods: { get: { get: users.get, query: { sort: Sort } } }
                models: { Sort: { enum: [EUR, NULL] } }
                """)
        guard case .enumeration(let values) = try #require(analysis.model("Sort")).kind else {
            Issue.record("\(analysis)")
            return
        }
        #expect(values.cases.map(\.value) == ["EUR", "NULL"])
    }

    @Test("an absent value is still an error")
    func noValue() {
        let analysis = Analysis(
            users: "methods: { get: { get: a, query: { sort: { enum: [a, ~] } } } }")
        #expect(analysis.marks == ["T0102: ~"])
    }

    @Test("errors need a code", arguments: ["none", "[]"])
    func code(path: String) {
        let analysis = Analysis(
            users: "methods: { get: { get: a } }", api: "errors: { code: \(path) }")
        #expect(analysis.marks == ["T0111: \(path)"])
    }

    @Test(
        "a dot in the name of a file or a folder is a mistake",
        arguments: ["shop.items.yaml", "v1.2/items.yaml", "shop/items.old.yml"])
    func dots(path: String) {
        let analysis = Analysis(["api.yaml": Analysis.smallAPI, path: "models: {}"])
        #expect(analysis.codes == ["T0209"])
        #expect(analysis.rendered.contains("has a dot"))
    }

    @Test(
        "a file name with a special character of build tools is an error",
        arguments: [
            "a\"b.yaml", "a\nb.yaml", "$(id).yaml", "a b.yaml", "x/\u{202E}a.yaml", "a:b.yml",
        ])
    func oddNames(path: String) {
        let analysis = Analysis(["api.yaml": Analysis.smallAPI, path: "models: {}"])
        #expect(analysis.codes == ["T0209"])
        #expect(OutputName.files(forSpecs: ["api.yaml": 1, path: 1]) == OutputName.fixed.sorted())
    }

    @Test(
        "a function is called without the group, also in a folder",
        arguments: [
            ("admin/users.yaml", "admin.users.put", "put"),
            ("admin/users.yaml", "admin/users/put.all", "putAll"),
            ("admin/users.yaml", "users.put", "usersPut"),
            ("admin/users.yaml", "admin.users", "adminUsers"),
            ("users.yaml", "users.put", "put"),
        ])
    func functions(path: String, method: String, name: String) throws {
        let analysis = Analysis([
            "api.yaml": Analysis.smallAPI, path: "methods: { \(method): { get: a } }",
        ])
        #expect(try #require(analysis.group?.methods.first, "\(analysis)").name == name)
    }

    @Test("a default obeys `unique`")
    func unique() {
        func marks(_ text: String) -> [String] {
            let list = "{ type: [int], unique: true, default: \(text) }"
            return Analysis(users: "methods: { get: { get: a, query: { ids: \(list) } } }").marks
        }
        #expect(marks("[1, 2]").isEmpty)
        #expect(marks("[1, 2, 1]") == ["T0405: [1, 2, 1]"])
    }

    @Test("names of an unreadable file are not reported as unknown")
    func unreadable() {
        let analysis = Analysis([
            "api.yaml": Analysis.smallAPI
                + "errors: { code: c, cases: { a: { code: 1, model: E } } }",
            "models.yaml": "models: { User: { id: int }, E: {",
            "users.yaml": "methods: { get: { get: a, returns: User, query: { m: \"{K: V}\" } } }",
        ])
        #expect(analysis.codes.count == 1)
        #expect(analysis.codes.first?.hasPrefix("T00") == true)
        #expect(analysis.api == nil)
    }
}
