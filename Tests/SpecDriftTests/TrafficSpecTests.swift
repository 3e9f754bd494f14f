import SpecDiagnostics
import SpecDrift
import TelexCompiler
import TestSupport
import Testing

@Suite("A spec from traffic")
struct TrafficSpecTests {
    private static let token = "eyJhbGciOiJI-token-of-anna"

    private static func call(
        _ verb: String, _ path: String, _ reply: String?, status: Int = 200, body: String? = nil
    ) -> String {
        RecordedShop.entry(verb, path, reply, status: status, body: body, token: token)
    }

    private static func user(_ id: Int, _ more: String = "") -> String {
        "{\"id\": \(id), \"name\": \"Anna\", \"age\": \(id == 2 ? "null" : "20")\(more)}"
    }

    static let entries =
        [
            RecordedShop.entry(
                "POST", "sessions",
                """
                {"session": {"access": "\(token)", "refresh_token": "r-secret-77", "expires_in": 60}}
                """, body: "{\"login\": \"anna\", \"password\": \"hunter2\"}")
        ] + (1...3).map { call("GET", "users/\($0)", user($0)) }
        + [
            call("GET", "users?page=1&limit=2", "[\(user(1)), \(user(7, ", \"nick\": \"x\""))]"),
            call("GET", "users?page=2", "[]"), call("GET", "users/me", user(1)),
            call("POST", "users", user(9), status: 201, body: "{\"name\": \"Ben\", \"age\": 3.5}"),
            call("DELETE", "users/9", nil, status: 204),
            call("GET", "users/99", "{\"message\": \"none\", \"code\": 404}", status: 404),
            call("GET", "users/98", "{\"message\": \"no\", \"code\": 404, \"a\": 1}", status: 404),
            RecordedShop.entry("GET", "t", "{}", host: "https://metrics.example/"),
            RecordedShop.entry("GET", "logo.png", nil, type: "image/png"),
        ]
        + ["anna", "ben", "carl"].flatMap { name in
            [
                call("GET", "shops/\(name)", "{\"title\": \"\(name)\", \"open\": true}"),
                call(
                    "GET", "shops/\(name)/orders/0b0c1d3e-8b1a-4c39-9d3b-5f0e3c1d2a4b",
                    "{\"sum\": 1.5, \"state\": \"paid\", \"lines\": [{\"count\": 1}]}"),
            ]
        }

    private static func spec(_ entries: [String] = entries) throws -> TrafficSpec {
        let bytes = RecordedShop.recording(entries)
        let spec = TrafficSpec("Shop") { visit in
            try? Recording.read(bytes) { if case .success(let entry) = $0 { visit(entry) } }
        }
        return try #require(spec)
    }

    @Test("a spec from traffic has the methods, their values, the log-in and the errors")
    func files() throws {
        let spec = try Self.spec()
        let files = Dictionary(uniqueKeysWithValues: spec.files.map { ($0.name, $0.text) })
        #expect(try GoldenFolder("Traffic").problems(with: files) == [])
        #expect(spec.remarks == ["not in the spec: calls of https://metrics.example"])
    }

    @Test("a spec from traffic checks clean, and its traffic has no drift")
    func isTrue() throws {
        let folder = try Self.spec().folder
        let compilation = TelexCompiler.check(folder)
        #expect(
            TerminalRenderer().render(compilation.diagnostics, in: compilation.sources) == "")
        let report = try RecordedShop.check(Self.entries, folder)
        #expect(!report.hasDrift, "\(DriftFormat.text.render(report))")
    }

    @Test("a spec from traffic has no value of it")
    func noSecrets() throws {
        let text = try Self.spec().files.map(\.text).joined()
        for value in [Self.token, "hunter2", "r-secret-77", "anna", "Anna", "paid"] {
            #expect(!text.contains("\(value)\n") && !text.contains("\"\(value)\""), "\(value)")
        }
    }

    @Test("a recording without a call of an API gives no spec")
    func noCalls() {
        let bytes = RecordedShop.recording([
            RecordedShop.entry("GET", "logo.png", nil, type: "image/png")
        ])
        let spec = TrafficSpec("Shop") { visit in
            try? Recording.read(bytes) { if case .success(let entry) = $0 { visit(entry) } }
        }
        #expect(spec == nil)
    }

    @Test("a spec from hostile traffic compiles, whatever paths, names and keys are")
    func hostileTraffic() throws {
        let texts = [
            "a b", "{x}", "%7Bid%7D", "..", "é", "\\u0001", "type", "class", "self", "*&!|>'", "null",
            "$token.a", "true", "#", "- x", "0", "‮x", "api", "operations", "{{",
        ]
        var entries: [String] = []
        for text in texts {
            let path = text.replacing("\\u0001", with: "%01").replacing("#", with: "%23")
                .replacing("\\", with: "%5C")
            entries.append(Self.call("GET", "things/\(path)/x?\(path)=1", "{\"\(text)\": {\"\(text)\": 1}}"))
            entries.append(
                Self.call(
                    "POST", "\(path)/y", "[\"\(text)\"]",
                    body: "{\"\(text)\": \"\(text)\", \"\(text)2\": [null]}".replacing(
                        "\\u0001", with: "\\u0001")))
        }
        let spec = try Self.spec(entries)
        let compilation = TelexCompiler.check(spec.folder)
        let errors = TerminalRenderer().render(compilation.diagnostics, in: compilation.sources)
        #expect(compilation.api != nil, "\(errors.prefix(3000))")
    }
}
