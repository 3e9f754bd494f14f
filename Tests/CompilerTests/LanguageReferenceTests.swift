import Foundation
import Testing

@Suite("The specs that people learn from")
struct LanguageReferenceTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("the language reference shows whole specs, and they have no mistakes")
    func reference() throws {
        let page = Self.root.appending(
            path: "Sources/TelexCompiler/TelexCompiler.docc/Language.md")
        let folders = Self.folders(in: try String(contentsOf: page, encoding: .utf8))
        #expect(folders.keys.sorted() == ["bookshop", "everything", "login"])
        for (name, files) in folders {
            let analysis = Analysis(files)
            #expect(analysis.rendered.isEmpty, "folder \(name)")
            #expect(analysis.api != nil, "folder \(name)")
        }
    }

    @Test(
        "a spec of this repository has no mistakes and no warnings",
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

    /// The YAML blocks of a page that begin with `# file: path`, by the folder that the nearest
    /// comment `<!-- folder: name -->` above them names.
    private static func folders(in page: String) -> [String: [String: String]] {
        var folders: [String: [String: String]] = [:]
        var folder = ""
        var block: [Substring]?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if let name = value(of: "<!-- folder: ", in: line) {
                folder = String(name.dropLast(" -->".count))
            } else if line == "```yaml" {
                block = []
            } else if line == "```", let lines = block {
                if let path = lines.first.flatMap({ value(of: "# file: ", in: $0) }) {
                    folders[folder, default: [:]][String(path)] = lines.joined(separator: "\n")
                }
                block = nil
            } else {
                block?.append(line)
            }
        }
        return folders
    }

    private static func value(of prefix: String, in line: Substring) -> Substring? {
        line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : nil
    }
}
