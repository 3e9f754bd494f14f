import SpecIR
import SpecSemantics
import TestSupport
import Testing

@Suite("Capabilities")
struct CapabilityTests {
    private func analysis(_ capabilities: String, api: String = "") -> Analysis {
        Analysis(
            users: """
                capabilities: { \(capabilities) }
                methods: { get: { get: a }, users.find: { get: b }, save: { put: c } }
                """, api: api)
    }

    @Test("capabilities name methods of their file, with or without the group")
    func methods() throws {
        let analysis = analysis("Reading: [get, users.find], Writing: users.save")
        #expect(analysis.marks == [])
        #expect(
            analysis.api?.groups.first?.capabilities == [
                Capability(name: "Reading", methods: ["users.get", "users.find"]),
                Capability(name: "Writing", methods: ["users.save"]),
            ])
    }

    @Test("capabilities are public, and so are their methods")
    func visibility() throws {
        func analysis(_ visibility: String) -> Analysis {
            Analysis(
                users: "capabilities: { Reading: [get] }\n"
                    + "methods: { get: { get: a, visibility: \(visibility) } }\n")
        }
        let hidden = analysis("internal")
        #expect(hidden.marks == ["T0216: get"] && hidden.rendered.contains("is internal"))
        #expect(analysis("public").marks == [] && analysis("private").marks == ["T0107: private"])
        let method = Analysis(users: "methods: { get: { get: a, visibility: internal } }\n")
        #expect(method.method("users.get")?.isInternal == true)
        let values = SpecAnalyzer.explain("users.get", in: method.spec)?.values
        #expect(values?.contains { $0.name == "visibility" && $0.value == "internal" } == true)
    }

    @Test(
        "capabilities are protocols of their own, each with other methods",
        arguments: [
            ("Reading: [fetch]", "T0216: fetch"), ("Reading: [posts.get]", "T0216: posts.get"),
            ("Reading: []", "T0216: Reading"),
            ("A: [get], B: [find, users.get]", "T0216: users.get"),
            ("A: [get, get]", "T0216: get"), ("reading: [get]", "T0704: reading"),
            ("UsersAPI: [get]", "T0701: UsersAPI"), ("String: [get]", "T0702: String"),
            ("Reading: { get: a }", "T0102: { get: a }"),
        ])
    func errors(_ capabilities: String, mark: String) {
        #expect(analysis(capabilities).marks.contains(mark))
    }
}

@Suite("Versions of an API")
struct VersionDriftTests {
    @Test(
        "versions of an API are the same everywhere, or reported",
        arguments: [
            ("", "v: { const: \"5\" }", "v: { const: \"5\" }", []),
            ("", "v: { const: \"5\" }", "v: { const: \"6\" }", ["T0217: \"6\""]),
            ("parameters: { v: \"5\" }\n", "v: { const: \"6\" }", "a: int", ["T0217: \"6\""]),
            ("parameters: { v: \"5\" }\n", "a: int", "a: int", []),
            ("", "V: { const: 1, key: api-version }", "api-version: { const: 2 }", ["T0217: 2"]),
            ("", "w: { const: \"5\" }", "w: { const: \"6\" }", []),
            ("", "v: { const: \"5\" }", "v: string", []),
        ] as [(String, String, String, [String])])
    func drift(api: String, first: String, second: String, marks: [String]) {
        let users = """
            methods:
              get: { get: a, query: { \(first) } }
              find: { get: b, query: { \(second) } }
            """
        let analysis = Analysis(users: users, api: api)
        #expect(analysis.marks == marks && analysis.api != nil)
    }
}
