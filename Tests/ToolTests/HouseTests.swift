import Foundation
import TestSupport
import Testing

/// What has to hold for the package itself.
@Suite("The package")
struct HouseTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "holds generated code that is what the specs say",
        arguments: [
            ("vk", "VKClient"), ("instagram", "InstagramClient"), ("backend", "BackendClient"),
            ("gallery", "GalleryClient"),
        ])
    func generated(spec: String, client: String) async throws {
        let tool = try #require(Tool.path)
        let run = try await Run.program(
            tool, ["generate", "specs/\(spec)", "--output", "Generated/\(client)", "--check"],
            in: Self.root)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("is formatted as its .swift-format says")
    func format() async throws {
        let run = try await Run.program(
            "/usr/bin/env",
            [
                "swift", "format", "lint", "--strict", "--parallel", "--recursive",
                "Package.swift", "Sources", "Tests", "Generated",
            ], in: Self.root)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("says the same in its README as a folder of specs and a call that compile")
    func readme() async throws {
        let readme = try String(
            contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```yaml\n# file: users.yaml\n")
        let users = try #require(blocks.dropFirst().first?.components(separatedBy: "```").first)
        let sandbox = try Sandbox()
        try sandbox.write(
            "spec/api.yaml", "telex: 1\napi: VK\nservers: { a: https://a.example/ }\n")
        try sandbox.write("spec/users.yaml", users)
        let run = try await Tool.run("check", "spec", "--strict", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("has the files in which its documentation says that things are decided")
    func map() throws {
        let runtime = Self.root.appendingPathComponent("Sources/TelexRuntime")
        let page = try String(
            contentsOf: runtime.appendingPathComponent("TelexRuntime.docc/WhereItIsDecided.md"),
            encoding: .utf8)
        let paths = page.split(separator: "`").map(String.init).filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 20)
        for path in paths {
            let file = runtime.appendingPathComponent(path).path
            #expect(FileManager.default.fileExists(atPath: file), "\(path)")
        }
    }
}
