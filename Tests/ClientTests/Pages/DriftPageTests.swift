import GalleryClient
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

private let label = Display()

@Suite("The page on drift")
struct DriftPageTests {
    @Test("the page on drift writes a line for each violation, which is JSON")
    func lines() async throws {
        let title = String(repeating: "a", count: 201)
        let transport = InMemoryTransport { _ in .json(#"[{"id": 7, "title": "\#(title)"}]"#) }
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            $0.drift = DriftLog { line in label.show(line) }
        }
        let options = CallOptions(validation: .warn)
        _ = try await gallery.pictures.list(options: options).response
        let line = try #require(label.lines.first)
        let value = try #require(JSONReader.value(at: [], in: Array(line.utf8)))
        #expect(value["method"]?.asString == "pictures.list")
        #expect(value["path"]?.asString == "[0].title")
        #expect(value["rule"]?.asString == "max-length")
        #expect(value["found"]?.asString?.hasPrefix("\"aaa") == true)
        #expect(line.hasSuffix("\n"))
    }
}
