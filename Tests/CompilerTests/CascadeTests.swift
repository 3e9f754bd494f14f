import SpecIR
import SpecSemantics
import Testing

@Suite("Settings cascade from the API to the group to the method")
struct CascadeTests {
    private func analysis(api: String, group: String, method: String) -> Analysis {
        Analysis([
            "api.yaml": Analysis.smallAPI + api,
            "users.yaml": """
            \(group)
            methods:
              get: { get: users.get, returns: Date, \(method) }
              plain: { get: users.plain, returns: Date }
            """,
        ])
    }

    @Test("the nearest value wins, and what nobody says is the API's")
    func nearest() throws {
        let analysis = analysis(
            api: "dates: unix\nsession: ephemeral\n",
            group: "dates: unix-ms\ntimeout: 2s", method: "dates: date, session: default")
        let own = try #require(analysis.method("users.get"))
        let plain = try #require(analysis.method("users.plain"))
        #expect(own.output == .value(Value(.date(.date))))
        #expect(plain.output == .value(Value(.date(.unixMilliseconds))))
        #expect(own.timeout == 2000 && plain.timeout == 2000)
        #expect(!own.isEphemeral && plain.isEphemeral)
    }

    @Test("the parts of `success` cascade one by one")
    func success() throws {
        let analysis = analysis(
            api: "success: { absent: error }\nunwrap: response\n",
            group: "success: { present: ok }", method: "success: { status: 201, present: none }")
        let own = try #require(analysis.method("users.get")?.reply)
        let plain = try #require(analysis.method("users.plain")?.reply)
        #expect(
            own == ReplyRules(statuses: [201...201], absent: ["error"], unwrap: ["response"]))
        #expect(plain == ReplyRules(absent: ["error"], present: ["ok"], unwrap: ["response"]))
    }

    @Test("a group or a method chooses a server, and the first is the default")
    func server() throws {
        let servers = "servers: { a: https://a.com, b: https://b.com }\n"
        let api = "telex: 1\napi: VK\n" + servers
        let users = """
            server: b
            methods:
              get: { get: users.get }
              other: { get: users.other, server: a }
            """
        let analysis = Analysis(["api.yaml": api, "users.yaml": users])
        #expect(analysis.method("users.get")?.server == "b")
        #expect(analysis.method("users.other")?.server == .some(nil))
    }

    @Test("authentication is on if the API has a scheme, until somebody says otherwise")
    func authentication() {
        let analysis = analysis(
            api: "auth: { token: { token: bearer } }\n", group: "auth: none",
            method: "auth: required")
        #expect(analysis.method("users.get")?.isAuthenticated == true)
        #expect(analysis.method("users.plain")?.isAuthenticated == false)
    }

    @Test("an explanation names the place of each value")
    func explanation() throws {
        let analysis = analysis(
            api: "dates: unix\nsuccess: { absent: error }\n", group: "timeout: 2s",
            method: "dates: date")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        let lines = explanation.values.map { "\($0.name): \($0.value) (\($0.origin))" }
        #expect(
            lines == [
                "get: users.get (method)",
                "server: production (https://api.vk.com/method/) (api)", "timeout: 2000 ms (group)",
                "dates: date (method)", "absent: error (api)", "returns: Date (method)",
            ])
        #expect(SpecAnalyzer.methodNames(in: analysis.spec) == ["users.get", "users.plain"])
    }
}
