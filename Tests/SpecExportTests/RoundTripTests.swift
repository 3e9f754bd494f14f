import Foundation
import SpecDiagnostics
import SpecImport
import TestSupport
import Testing

@Suite("An import of an export gives the same IR")
struct RoundTripTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let specFolder = root.appendingPathComponent("specs")
    private static let folders =
        ((try? FileManager.default.contentsOfDirectory(
            atPath: specFolder.path)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    private static let catalogue = root.appendingPathComponent(
        "Sources/TelexCompiler/TelexCompiler.docc")
    private static let descriptionFolder = root.deletingLastPathComponent()
        .appendingPathComponent("shared/data/openapi")

    private static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: descriptionFolder.appendingPathComponent(name).path)
    }

    @Test(
        "an export's import gives the same IR for each spec of the repository, as YAML and JSON",
        arguments: folders)
    func specs(name: String) throws {
        let exported = try Exported(folder: Self.specFolder.appendingPathComponent(name))
        exported.expectRoundTrip()
        exported.expectRoundTrip(isJSON: true)
    }

    @Test(
        "an import of an export gives the same IR for each spec of the documentation",
        arguments: SpecPage.names(in: catalogue))
    func documentation(name: String) throws {
        let page = try SpecPage(Self.catalogue.appendingPathComponent("\(name).md"))
        for (folder, files) in page.folders {
            let exported = try Exported(files)
            exported.expectRoundTrip(folder)
            exported.expectRoundTrip(folder, isJSON: true)
        }
    }

    /// The descriptions are megabytes of their owners' text, so they are not part of the package.
    @Test(
        "an import of an export gives the same IR for public descriptions that were imported",
        .enabled(if: exists("discord-3.1.json"), "the descriptions are not beside the package"),
        arguments: ["discord-3.1.json", "openai-3.1.yaml", "slack-2.0.json"])
    func descriptions(name: String) async throws {
        try await onThreadForLongTests {
            let file = Self.descriptionFolder.appendingPathComponent(name)
            var sources = SourceMap()
            _ = sources.add(path: name, bytes: Array(try Data(contentsOf: file)))
            let imported = DescriptionImport(openAPI: sources.files)
            try Exported(
                Dictionary(uniqueKeysWithValues: imported.files.map { ($0.name, $0.text) })
            ).expectRoundTrip(name)
        }
    }

    @Test("the specs that are exported and imported again come from many folders and pages")
    func isNotEmpty() {
        #expect(Self.folders.count >= 10)
        #expect(SpecPage.names(in: Self.catalogue).count > 30)
    }
}
