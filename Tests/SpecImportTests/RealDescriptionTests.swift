import Foundation
import TestSupport
import Testing

@Suite("Public descriptions become specs that compile without a warning")
struct RealDescriptionTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data/openapi")

    private static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// The descriptions are megabytes of their owners' text, so they are not part of the package.
    @Test(
        "without losing an operation",
        .enabled(if: exists("discord-3.1.json"), "the descriptions are not beside the package"),
        arguments: [
            ("discord-3.1.json", 242, 500), ("openai-3.1.yaml", 288, 900),
            ("slack-2.0.json", 174, 40),
        ])
    func real(name: String, methods: Int, models: Int) async throws {
        try await onThreadForLongTests {
            let bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
            let imported = Imported([(path: name, bytes: bytes)])
            #expect(imported.errors == "")
            #expect(imported.diagnostics == "")
            #expect(imported.result.methodCount == methods)
            #expect(imported.result.modelCount >= models)
        }
    }
}
