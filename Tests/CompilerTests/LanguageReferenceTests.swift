import Foundation
import SpecIR
import TestSupport
import Testing

@testable import SpecSemantics

@Suite("The specs of the documentation and of this repository")
struct LanguageReferenceTests {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let catalogue = root.appending(
        path: "Sources/TelexCompiler/TelexCompiler.docc")
    private static let pages = SpecPage.names(in: catalogue)

    private static func page(_ name: String) throws -> SpecPage {
        try SpecPage(catalogue.appending(path: "\(name).md"))
    }

    @Test("a page shows whole specs, and they have no mistakes", arguments: pages)
    func specs(name: String) throws {
        for (folder, files) in try Self.page(name).folders {
            let analysis = Analysis(files)
            #expect(analysis.rendered.isEmpty, "folder \(folder)")
            #expect(analysis.api != nil, "folder \(folder)")
        }
    }

    @Test("a block of YAML begins with its file, or with the one it is from", arguments: pages)
    func firstLines(name: String) throws {
        for line in try Self.page(name).firstLines(of: "yaml") {
            #expect(line.hasPrefix("# file: ") || line.hasPrefix("# from: specs/"), "\(line)")
        }
    }

    @Test("a page has at most 1,500 words", arguments: pages)
    func length(name: String) throws {
        let words = try Self.page(name).text.split(whereSeparator: \.isWhitespace)
        #expect(words.count <= 1500)
    }

    @Test("a page links to pages that there are", arguments: pages)
    func links(name: String) throws {
        for link in try Self.page(name).text.matches(of: /<doc:([^>]*)>/) {
            #expect(Self.pages.contains(String(link.1)), "\(link.0)")
        }
    }

    @Test("every page is listed")
    func topics() throws {
        #expect(Self.pages.count > 20)
        let text = try Self.page("TelexCompiler").text
        for name in Self.pages where name != "TelexCompiler" {
            #expect(text.contains("- <doc:\(name)>"), "\(name)")
        }
    }

    @Test("the page on names lists the names that models cannot have")
    func reservedNames() throws {
        let rows = try Self.page("Names").text.split(separator: "\n").filter {
            $0.hasPrefix("| Swift and Foundation") || $0.hasPrefix("| Telex, ")
        }
        let names = rows.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
        #expect(Set(names) == ReservedNames.types)
    }

    @Test("no page is called like one of another module")
    func uniqueNames() {
        for module in ["TelexRuntime", "TelexOAuth"] {
            let others = SpecPage.names(
                in: Self.root.appending(path: "Sources/\(module)/\(module).docc"))
            #expect(!others.isEmpty)
            #expect(Set(others).isDisjoint(with: Self.pages), "\(module)")
        }
    }

    @Test(
        "the specs of this repository have no errors and no warnings",
        arguments: ["backend", "gallery", "instagram", "vk"])
    func realSpec(name: String) throws {
        let folder = Self.root.appending(path: "specs/\(name)")
        var files: [String: String] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where OutputName.isInput(file) {
            files[file] = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        let analysis = Analysis(files)
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.api != nil)
    }
}
