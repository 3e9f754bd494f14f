import SpecIR
import Testing

@Suite("The position decides the meaning of a text, not YAML's types")
struct YAMLTextTests {
    @Test("enumeration values, constants, versions and names are text")
    func text() throws {
        let analysis = Analysis([
            "api.yaml": """
            telex: 1
            api: VK
            servers: { no: https://a.com/, on: { url: "https://{x}/", variables: { x: 0123 } } }
            parameters: { v: 1.10, zip: 0123, flag: yes, hex: 0x1F, date: 2026-01-31, e: 1e3 }
            errors: { code: code, cases: { a: no, b: 1.0 } }
            """,
            "users.yaml": """
            methods:
              get:
                get: 1.10
                query: { lang: { enum: [no, sv, yes, null_, 1.10, 0123, 1e3, ~x], default: no } }
                returns: { y: string, n: int, no: bool }
            """,
        ])
        #expect(analysis.rendered.isEmpty)
        let api = try #require(analysis.api)
        #expect(
            api.baseParameters.map(\.presence)
                == [
                    "1.10", "0123", "yes", "0x1F", "2026-01-31", "1e3",
                ].map { .constant(.string($0)) })
        #expect(api.servers.map(\.name) == ["no", "on"])
        #expect(api.servers[1].variables[0].defaultValue == "0123")
        #expect(api.errors?.cases.map(\.code) == ["no", "1.0"])
        let method = try #require(analysis.method("users.get"))
        #expect(method.path == "1.10")
        #expect(method.parameters[0].presence == .defaulted(.enumerationCase("no")))
        guard case .enumeration(let values)? = analysis.model("UsersGetLang")?.kind else {
            Issue.record("no enumeration")
            return
        }
        #expect(
            values.cases.map(\.value) == [
                "no", "sv", "yes", "null_", "1.10", "0123", "1e3", "~x",
            ])
        #expect(analysis.field("UsersGetReply", "n")?.key == "n")
    }

    @Test("integers of an enumeration and of errors are canonical digits")
    func integers() throws {
        let analysis = Analysis(
            users:
                "methods: { get: { get: a, query: { s: { enum: [010, 0x10, -5, +7], type: int } } } }\n",
            api: "errors: { code: c, cases: { a: 0x10, b: -32600 } }\n")
        guard case .enumeration(let values)? = analysis.model("UsersGetS")?.kind else {
            Issue.record("\(analysis)")
            return
        }
        #expect(values.cases.map(\.value) == ["10", "16", "-5", "7"])
        #expect(values.cases.map(\.name) == ["value10", "value16", "minus5", "value7"])
        #expect(analysis.api?.errors?.cases.map(\.code) == ["16", "-32600"])
    }

    @Test("the position decides the meaning of a text only `true` and `false` are Booleans")
    func booleans() {
        let analysis = Analysis(
            users:
                "methods: { get: { get: a, query: { a: { type: bool, default: yes }, b: { type: bool, default: true } } } }\n"
        )
        #expect(analysis.marks == ["T0304: yes"])
    }

    @Test("numbers keep their digits")
    func numbers() throws {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: a, query: { a: { type: decimal, default: 1.10, max: 1.20 } } }
                """)
        let parameter = try #require(analysis.method("users.get")?.parameters.first)
        #expect(parameter.presence == .defaulted(.number("1.10")))
        #expect(parameter.value.rules == [Rule(.max, .number("1.20"))])
    }

    @Test("aliases of YAML are expanded")
    func anchors() {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: a, query: &page { offset: int, limit: int }, returns: &t string }
                  all: { get: b, query: *page, returns: *t }
                """)
        #expect(analysis.method("users.all")?.parameters.map(\.name) == ["offset", "limit"])
        #expect(analysis.rendered.isEmpty)
    }
}
