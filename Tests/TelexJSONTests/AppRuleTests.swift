import TelexJSON
import Testing

private protocol Checks: Sendable {
    func iban(_ value: String) -> Bool
}

private struct Refusing: Checks {
    func iban(_ value: String) -> Bool { false }
}

private struct Strange: Sendable {}

@Suite("A rule of the app")
struct AppRuleTests {
    private func report(
        _ app: (any Sendable)?, checks: JSONChecks = .all, _ reply: String = #"["DE1", null]"#
    ) -> ValidationReport {
        JSONReader.read(Array(reply.utf8), checks: checks) { json -> [String?]? in
            json.appChecks = app
            return json.list { json in
                var item: String?
                if json.isNull() { return .some(nil) }
                if json.string(&item) {
                    json.own(item, "iban", message: "m", by: (any Checks).self) { $0.iban($1) }
                }
                return item
            }
        }.report
    }

    @Test("a rule of the app is reported with path, name, message and value; null passes")
    func refused() {
        #expect(
            report(Refusing()).violations == [
                Violation(
                    path: "[0]", rule: "iban", expected: "a value that the app accepts",
                    found: #""DE1""#, message: "m")
            ])
    }

    @Test("a rule of the app asks nothing without checks, with another API's, or if rules are off")
    func notAsked() {
        #expect(report(nil).violations.isEmpty)
        #expect(report(Strange()).violations.isEmpty)
        #expect(report(Refusing(), checks: [.keys, .types]).violations.isEmpty)
    }

    @Test("a rule of the app shows no value that may have secret parts")
    func parts() {
        let result = JSONReader.read(Array("{}".utf8)) { json -> JSONValue? in
            json.appChecks = Refusing()
            var value: JSONValue?
            if json.read(&value) {
                json.own(value, "x", severity: .warning, by: (any Checks).self) { _, _ in false }
            }
            return value
        }
        #expect(result.report.violations.map(\.found) == ["another value"])
        #expect(result.report.isValid)
    }

    @Test("a rule of the app asks about the keys of a map")
    func keys() {
        let result = JSONReader.read(Array(#"{"a": 1}"#.utf8)) { json -> [String: Int]? in
            json.appChecks = Refusing()
            var map: [String: Int]?
            if json.map(&map) {
                json.keys(map) { $0.own($1, "iban", by: (any Checks).self) { $0.iban($1) } }
            }
            return map
        }
        #expect(result.report.violations.map(\.path) == ["a"])
    }
}
