import Foundation
import TelexRuntime
import TelexTemplater
import TelexTesting
import Testing
import VKClient

@Suite("The page on templates")
struct TemplatesPageTests {
    private let label = Display()

    @Test("the page on templates checks any reply with any template")
    func validation() throws {
        let bytes = Array(#"{"age": 20, "age-Rules": {"minimum": 18, "maximum": 27}}"#.utf8)
        let reply = Array(#"{"age": 17}"#.utf8)
        let template = try Template(parsing: bytes)
        let report = template.validate(reply)
        label.show(report)
        #expect(label.lines == ["age: expected at least 18, found 17 [min]"])
    }

    @Test("the page on templates checks and records the replies of a manager")
    func manager() async throws {
        try await withFolder { folder in
            let templater = Templater(folder: folder)
            let transport = InMemoryTransport { _ in
                .json(
                    #"{"response": {"upload_url": "https://a.example/u", "album_id": -14, "user_id": 1}}"#
                )
            }
            let vk = APIManager<VK>(transport: transport) {
                $0.templates = TemplateUse(templater, missing: .warn, recording: .missing)
            }
            try await vk.logIn(Credential(token: "t", values: ["user_id": "1"]))
            _ = try await vk.photos.getWallUploadServer().value
            let kept = try templater.template(for: "photos.getWallUploadServer")
            let value: JSONValue = [
                "upload_url": "https://a.example/u", "album_id": -14, "user_id": 1,
            ]
            #expect(kept?.sample == ["response": value])
        }
    }

    @Test("the page on templates answers a whole API")
    func answers() async throws {
        let server = try LoopbackServer(templates: VK.templates)
        let offline = APIManager<VK>(transport: InMemoryTransport(templates: VK.templates))
        defer { server.stop() }
        try await offline.logIn(Credential(token: "t", values: ["user_id": "1"]))
        for method in VK.templates.methods {
            #expect(VK.templates[method.method] != nil, "\(method.method)")
        }
        #expect(try await !offline.users.get(userIDs: ["1"]).value.isEmpty)
        #expect(try await !offline.wall.get().value.items.isEmpty)
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
