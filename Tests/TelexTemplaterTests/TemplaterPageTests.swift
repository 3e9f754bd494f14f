import Foundation
import RuntimeTestSupport
import TelexJSON
import TelexRuntime
import TelexTemplater
import TelexTesting
import TemplaterTestSupport
import Testing

/// The API of the examples.
private typealias VK = TestAPI

@Suite("The page of TelexTemplater")
struct TemplaterPageTests {
    private static let file = URL(filePath: #filePath)
    private static let page = file.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Sources/TelexTemplater/TelexTemplater.docc/TelexTemplater.md")

    @Test("the page of TelexTemplater has examples that work")
    func examples() async throws {
        let store = try StoreFolder()
        try store.write("bundle/users.get.json", #"{"id":1}"#)
        try store.write("defaults.zip", ZipWriter(["friends.get.json": "[1]"]).bytes)
        let (archive, folder) = (store.url("defaults.zip"), store.url("new"))
        let bundled = store.url("bundle")
        let reply = Array(#"{"id":"1","pin":5}"#.utf8)

        // Those of the page use the default folder.
        func Templater(bundled: URL) -> TelexTemplater.Templater {
            TelexTemplater.Templater(folder: store.url("store"), bundled: bundled)
        }
        let templates = Templater(bundled: bundled)
        if let template = try templates.template(for: "users.get") {
            let report = template.validate(reply)
            #expect(report.violations.count == 1)
        }
        try await templates.unpack(archive: archive, version: "1")
        #expect(store.names("store") == ["friends.get.json"])
        try await templates.remove("users.get")
        try await templates.record(reply, for: "users.get", mode: .missing, secrets: ["pin"])
        #expect(store.names("store") == ["friends.get.json"])
        try await templates.move(to: folder)
        try await templates.purge(keeping: 100)
        #expect(store.names("new") == ["friends.get.json"])
        try await templates.removeAll()
        #expect(store.names("new") == [])
    }

    @Test("the page of TelexTemplater shows a manager that records replies, and checks later ones")
    func manager() async throws {
        let store = try StoreFolder()
        let templates = store.templater
        let replies = Lock([#"{"id":1,"access_token":"geheim"}"#, #"{"id":"1","x":0}"#])
        let transport = InMemoryTransport { _ in .json(replies.withLock { $0.removeFirst() }) }
        let api = APIManager<VK>(transport: transport) {
            $0.templates = TemplateUse(templates, recording: .missing)
        }
        func call() -> NetworkOperation<JSONValue> {
            api.operation(
                RequestBuilder(VK.APIMethod(rawValue: "users.get")).finish { json in
                    JSONValue.read(from: &json)
                })
        }
        #expect(try await call().value["id"] == 1)
        let template = try #require(try templates.template(for: "users.get"))
        #expect(template.sample == ["id": 1, "access_token": "‹redacted›"])
        let error = await #expect(throws: APIError.self) { try await call().value }
        #expect(error?.violations.map(\.path).sorted() == ["access_token", "id"])
    }

    @Test("the page of TelexTemplater shows only lines that this file runs")
    func lines() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let tried = lines(try String(contentsOf: Self.file, encoding: .utf8))
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        #expect(blocks.count == 5)
        for line in blocks.flatMap(lines) { #expect(tried.contains(line), "\(line)") }
    }

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
