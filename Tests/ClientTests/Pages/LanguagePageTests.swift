import GalleryClient
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

@Suite("The tutorial on specs")
struct LanguagePageTests {
    private let output = Display()

    /// What `print` is on the page.
    private func print(_ things: Any?...) { output.show(line: things) }

    @Test("the tutorial on specs ends with calls that print what it shows")
    func calls() async throws {
        let server = try LoopbackServer { request in
            request.path == "/pictures/9"
                ? .text(#"{"error": {"code": 15, "message": "not yours"}}"#, status: 403)
                : .text(#"[{"id": 7, "title": "Dusk"}, {"id": 8, "title": "Noon"}]"#)
        }
        defer { server.stop() }

        let gallery = APIManager<Gallery>(
            transport: .urlSession, credentials: .memory(Credential(token: "t0k3n"))
        ) { $0.server = .url("http://\(server.authority)/") }

        let pictures = try await gallery.pictures.list(painter: "Monet").value
        for picture in pictures { print(picture.id, picture.title) }

        do {
            _ = try await gallery.pictures.get(id: 9).value
        } catch let error as APIError where error.code(in: Gallery.self) == .notYours {
            print("not yours:", error.status ?? 0)
        }

        do {
            _ = try await gallery.pictures.get(id: 7).value
        } catch let error as APIError {
            print("a wrong reply:", error.violations.map(\.path))
        }

        #expect(server.requests.first?.target == "/pictures?painter=Monet")
        let shown = try Page("Sources/TelexCompiler/TelexCompiler.docc/Language.md").text
        let block = shown.components(separatedBy: "and prints:\n\n```\n").dropFirst().first
        let lines = block?.components(separatedBy: "\n```").first?.split(separator: "\n")
        #expect(lines?.map(String.init) == output.lines)
    }

    @Test("the tutorial on specs lets the program wait for the inspector, which may be missing")
    func inspector() async throws {
        let server = try LoopbackServer { _ in .text("[]") }
        defer { server.stop() }

        let inspector = InspectorListener(transport: .urlSession)

        let gallery = APIManager<Gallery>(
            transport: .urlSession, credentials: .memory(Credential(token: "t0k3n"))
        ) {
            $0.server = .url("http://\(server.authority)/")
            $0.listeners = [inspector]
        }

        #expect(try await gallery.pictures.list(painter: "Monet").value.isEmpty)
        await inspector.flush()
        #expect(inspector.dropped == 0)
    }
}
