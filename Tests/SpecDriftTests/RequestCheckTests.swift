import SpecInterpreter
import TelexCompiler
import TelexJSON
import Testing

@Suite("Requests, checked by a spec")
struct RequestCheckTests {
    private static let group = """
        methods:
          things.find:
            get: things/{id}
            path: { id: int }
            query:
              ids: { type: "[int]?", join: ",", max-items: 2 }
              tags: { type: "[string]?", style: brackets }
              state: State?
              from: { type: Date?, as: unix }
              flag: { type: bool?, as: 0/1 }
              size: { type: Size?, style: deep }
              code: { type: string?, pattern: "^[0-9]+$" }
            headers: { X-Depth: { type: int?, max: 3 } }
            rules: [{ at-most-one: [from, code] }]
            returns: nothing
          things.add:
            post: things
            json: { name: { type: string, max-length: 3 }, size: Size?, kind: { const: new } }
            returns: nothing
          things.form: { post: form, form: { count: int, at: url? }, returns: nothing }
          things.put: { put: things, body: "[Size]", returns: nothing }
        models:
          Size: { width: { type: int, min: 1 }, name: string? }
          State: { enum: [open, closed] }

        """

    private static let interpreter: SpecInterpreter? = {
        let api = "telex: 1\napi: Test\nservers: { a: https://a.example/ }\n"
        let files = [("api.yaml", api), ("things.yaml", group)].map {
            SpecFolder.File(relativePath: $0.0, shownPath: $0.0, bytes: Array($0.1.utf8))
        }
        let folder = SpecFolder(shownPath: "", files: files)
        return TelexCompiler.check(folder).api.map { SpecInterpreter($0) }
    }()

    private func violations(
        of method: String, _ change: (inout RequestValues) -> Void
    ) throws -> [String] {
        var values = RequestValues()
        values.path = ["id": "7"]
        change(&values)
        return try #require(Self.interpreter).check(values, of: method)
            .map { "\($0.violation.path) \($0.violation.rule) \($0.parameter?.key ?? "-")" }
    }

    @Test("a request with values of all styles is as the spec says")
    func good() throws {
        let found = try violations(of: "things.find") { values in
            values.query = [
                ("ids", "1,2"), ("tags[]", "1"), ("tags[]", "b"), ("state", "open"), ("from", "17"),
                ("flag", "1"), ("size[width]", "2"), ("size[name]", "5"),
            ]
            values.headers = [("x-depth", "3")]
        }
        #expect(found == [])
        #expect(
            try violations(of: "things.add") {
                $0.body = Array(#"{"name": "abc", "size": {"width": 1}, "kind": "new"}"#.utf8)
            } == [])
        #expect(try violations(of: "things.form") { $0.form = [("count", "3")] } == [])
        #expect(try violations(of: "things.put") { $0.body = Array(#"[{"width": 3}]"#.utf8) } == [])
    }

    @Test("a request that breaks the spec has a violation with the name of each parameter")
    func bad() throws {
        let found = try violations(of: "things.find") { values in
            values.path = ["id": "x"]
            values.query = [
                ("ids", "1,2,y"), ("state", "gone"), ("from", "17"), ("flag", "yes"),
                ("size[width]", "0"), ("code", "17"),
            ]
            values.headers = [("X-Depth", "4")]
        }
        #expect(
            Set(found) == [
                "id type id", "ids[2] type ids", "state enum state", "flag type flag",
                "size.width min size", "X-Depth max X-Depth",
            ])
        let rules = try violations(of: "things.find") {
            $0.query = [("from", "17"), ("code", "17")]
        }
        #expect(rules == ["from at-most-one from"])
    }

    @Test("a request without a value that the spec requires, or with another body, is told")
    func bodies() throws {
        #expect(try violations(of: "things.form") { _ in } == ["count required count"])
        #expect(
            try violations(of: "things.add") {
                $0.body = Array(#"{"name": "abcd", "kind": 1}"#.utf8)
            }
                == ["name max-length name", "kind type kind"])
        #expect(try violations(of: "things.add") { $0.body = Array("{".utf8) } == ["$ type -"])
        #expect(
            try violations(of: "things.put") { $0.body = Array("[{}]".utf8) } == [
                "body[0].width required body"
            ])
    }
}
