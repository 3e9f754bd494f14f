import SpecDrift
import TelexCompiler
import TelexJSON
import TestSupport
import Testing

@Suite("Drift")
struct DriftTests {
    @Test("drift is told by method and path, with counts, an example and the place in the spec")
    func forms() throws {
        let report = try RecordedShop.check(RecordedShop.drifted)
        let strict = try RecordedShop.check(RecordedShop.drifted, strict: true)
        let results = try [
            "drift.txt": #require(DriftFormat(named: "text")).render(report),
            "drift.log": #require(DriftFormat(named: "github")).render(strict),
            "drift.json": #require(DriftFormat(named: "json")).render(report),
        ]
        #expect(try GoldenFolder("Reports").problems(with: results) == [])
        #expect(report.hasDrift)
    }

    @Test("drift is none where replies are as the spec says")
    func none() throws {
        let report = try RecordedShop.check([RecordedShop.drifted[0]])
        #expect(!report.hasDrift)
        #expect(DriftFormat.text.render(report) == "1 reply of 1 method: no drift\n")
    }

    @Test("drift does not count undeclared keys, unless keys are strict")
    func undeclaredKeys() throws {
        let entries = [RecordedShop.entry("GET", "users/1", RecordedShop.user(["nick": "\"x\""]))]
        #expect(try !RecordedShop.check(entries).hasDrift)
        #expect(try RecordedShop.check(entries, strict: true).hasDrift)
    }

    @Test("drift shows no value of a key that is called like a secret")
    func secrets() throws {
        let report = try RecordedShop.check(RecordedShop.drifted, strict: true)
        for format in DriftFormat.all { #expect(!format.render(report).contains("hunter2")) }
    }

    @Test("drift of methods with one path is that of the method whose constants are sent")
    func constants() throws {
        let report = try RecordedShop.check(RecordedShop.drifted)
        #expect(report.methods.map(\.name).contains("users.free"))
        #expect(!report.methods.map(\.name).contains("users.ban"))
    }

    @Test("drift of text from a recording moves no cursor and forges no line")
    func hostileTexts() throws {
        let hostile = "\u{1B}[2J\u{202E}\r\nusers.get: no drift"
        let report = try RecordedShop.check([
            RecordedShop.entry(
                "GET", "users/1",
                RecordedShop.user([
                    "name": JSONValue.string(hostile).description, "age": "\"\(hostile.first ?? "x")\"",
                ]))
        ])
        for format in DriftFormat.all {
            let text = format.render(report)
            #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\r" })
            #expect(!text.contains("\nusers.get: no drift"))
        }
    }

    @Test(
        "a recording of another shape is refused with a message",
        arguments: [
            ("", "no JSON"), ("{", "no JSON"), ("[]", "no list `log.entries`"),
            ("{\"log\": 1}", "no list `log.entries`"),
            ("{\"log\": {\"entries\": {}}}", "no list `log.entries`"),
            ("{\"log\": {\"entries\": [\(String(repeating: "[", count: 200))", "no JSON"),
            ("{\"log\": {\"entries\": [{\"request\": \"\u{1}\"}]}}", "no JSON"),
        ])
    func otherShapes(_ text: String, _ message: String) {
        #expect {
            try Recording.read(Array(text.utf8)) { _ in }
        } throws: { error in
            (error as? Recording.Problem)?.message.contains(message) == true
        }
    }

    @Test(
        "an entry of another shape is told by its place, and the others are read",
        arguments: [
            ("7", "`request.method`"), ("{\"request\": {\"method\": 1}}", "`request.method`"),
            ("{\"request\": {\"method\": \"GET\", \"url\": []}}", "`request.url`"),
            ("{\"request\": {\"method\": \"GET\", \"url\": \"/\"}}", "`response.status`"),
        ])
    func otherEntries(_ entry: String, _ message: String) throws {
        var places: [Int?] = []
        var read = 0
        try Recording.read(RecordedShop.recording([RecordedShop.drifted[0], entry])) { entry in
            switch entry {
            case .success: read += 1
            case .failure(let problem):
                #expect(problem.message.contains(message))
                places.append(problem.index)
            }
        }
        #expect(places == [1])
        #expect(read == 1)
    }

    @Test("content that is no base64, or was cut, is counted and not compared")
    func unreadContent() throws {
        let good = RecordedShop.drifted[0]
        let base64 = good.replacing("\"mimeType\"", with: "\"encoding\": \"base64\", \"mimeType\"")
        let cut = good.replacing("\"mimeType\"", with: "\"size\": 99999, \"mimeType\"")
        let report = try RecordedShop.check([good, base64, cut])
        #expect(report.methods.map(\.replies) == [1])
        #expect(report.methods.map(\.unread) == [2])
        #expect(!report.hasDrift)
    }

    @Test("violations that apps report are compared without a recording")
    func reportedViolations() throws {
        let text = """
            {"method": "users.get", "path": "age", "rule": "type", "expected": "an integer", "found": "null"}

            {"method": "users.gone", "path": "$", "rule": "type"}
            nonsense

            """
        var check = try #require(DriftCheck(TelexCompiler.check(RecordedShop.folder())))
        var bad: [Int] = []
        for line in ReportedViolation.lines(of: Array(text.utf8)) {
            switch line.content {
            case .success(let item):
                check.add(item.violation, of: item.method, at: "line \(line.number)")
            case .failure: bad.append(line.number)
            }
        }
        #expect(bad == [4])
        let report = check.report()
        #expect(report.methods.flatMap(\.findings).map(\.path) == ["age"])
        #expect(report.unknown.map(\.request) == ["users.gone"])
    }
}
