import Foundation
import Testing

/// The code on the pages is the code of the tests beside this file, and their YAML that of
/// `specs/gallery`.
@Suite("The pages of TelexRuntime")
struct PageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let root = folder.appending(path: "../../..").standardized
    private static let catalogue = root.appending(path: "Sources/TelexRuntime/TelexRuntime.docc")

    private static let pages = [
        "TelexRuntime", "OperationLifecycle", "Authentication", "Transfers", "TestingWithFaults",
        "Observation",
    ]

    @Test("are those that are tested")
    func names() throws {
        let names = try files(in: Self.catalogue, "md").map { $0.lastPathComponent }
        #expect(names.sorted() == Self.pages.map { "\($0).md" }.sorted())
    }

    @Test("show no code that no test runs", arguments: pages)
    func code(_ page: String) throws {
        let tests = try files(in: Self.folder, "swift").map(lines)
        let blocks = try blocks(of: "swift", in: page)
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(tests.contains { holds($0, block) }, "\(block.joined(separator: "\n"))")
        }
    }

    @Test("show no spec that is not compiled", arguments: pages)
    func specs(_ page: String) throws {
        let specs = try files(in: Self.root.appending(path: "specs/gallery"), "yaml").map(lines)
        for block in try blocks(of: "yaml", in: page) {
            #expect(specs.contains { holds($0, block) }, "\(block.joined(separator: "\n"))")
        }
    }

    private func files(in folder: URL, _ type: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == type }
    }

    private func lines(_ file: URL) throws -> [String] {
        lines(try String(contentsOf: file, encoding: .utf8))
    }

    /// The lines without indentation and trailing comments, but for empty ones.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let code = line.firstRange(of: "  //").map { line[..<$0.lowerBound] } ?? line
            let words = code.trimmingCharacters(in: .whitespaces)
            return words.isEmpty ? nil : words
        }
    }

    private func blocks(of language: String, in page: String) throws -> [[String]] {
        let file = Self.catalogue.appending(path: "\(page).md")
        return try String(contentsOf: file, encoding: .utf8)
            .components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }.map(lines)
    }

    /// Whether the lines of a block follow one another, with a few lines of the test's own between.
    private func holds(_ text: [String], _ block: [String]) -> Bool {
        text.indices.contains { start in
            var rest = text[start...]
            for (number, line) in block.enumerated() {
                guard let place = rest.prefix(number == 0 ? 1 : 7).firstIndex(of: line) else {
                    return false
                }
                rest = rest[(place + 1)...]
            }
            return true
        }
    }
}
