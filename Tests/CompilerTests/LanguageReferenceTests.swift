import Foundation
import TestSupport
import Testing

@Suite("The specs of the documentation and of this repository")
struct LanguageReferenceTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("the whole specs of the language reference have no errors")
    func reference() throws {
        let page = Self.root.appending(
            path: "Sources/TelexCompiler/TelexCompiler.docc/Language.md")
        let folders = try SpecPage(page).folders
        #expect(folders.keys.sorted() == ["bookshop", "everything", "login"])
        for (name, files) in folders {
            let analysis = Analysis(files)
            #expect(analysis.rendered.isEmpty, "folder \(name)")
            #expect(analysis.api != nil, "folder \(name)")
        }
    }

    @Test(
        "the specs of this repository have no errors and no warnings",
        arguments: ["backend", "gallery", "instagram", "vk"])
    func realSpec(name: String) throws {
        let folder = Self.root.appending(path: "specs/\(name)")
        var files: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where file.hasSuffix(".yaml") {
            files[file] = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        let analysis = Analysis(files)
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.api != nil)
    }
}
