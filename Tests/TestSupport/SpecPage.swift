import Foundation

/// A page of documentation with specs in it.
public struct SpecPage: Sendable {
    /// The page's text.
    public let text: String

    /// Reads a page.
    ///
    /// - Parameter file: Where it is.
    /// - Throws: An error of the file system.
    public init(_ file: URL) throws {
        text = try String(contentsOf: file, encoding: .utf8)
    }

    /// The names of the pages in a folder, without `.md`.
    public static func names(in folder: URL) -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (files ?? []).filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.sorted()
    }

    /// The `api.yaml` of a folder for which the page shows none.
    private static let smallAPI = """
        telex: 1
        api: Example
        servers: { production: https://api.example.com/ }

        """

    /// The YAML blocks that begin with `# file: path` and the JSON blocks that begin with `// file:
    /// path`, by path, in the folder that the nearest comment `<!-- folder: name -->` above them
    /// names. Every folder has an `api.yaml`.
    public var folders: [String: [String: String]] {
        var folders: [String: [String: String]] = [:]
        for block in blocks {
            guard let mark = ["yaml": "# file: ", "json": "// file: "][block.language],
                let path = block.lines.first.flatMap({ Self.value(of: mark, in: $0) })
            else { continue }
            folders[block.folder, default: ["api.yaml": Self.smallAPI]][String(path)] = block.text
        }
        return folders
    }

    /// The first line of each block of a language.
    public func firstLines(of language: String) -> [String] {
        blocks.filter { $0.language == language }.map { String($0.lines.first ?? "") }
    }

    private struct Block {
        let language: Substring
        let folder: String
        var lines: [Substring] = []

        var text: String { lines.joined(separator: "\n") + "\n" }
    }

    private var blocks: [Block] {
        var blocks: [Block] = []
        var folder = ""
        var open: Block?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open { blocks.append(block) }
                open = open == nil ? Block(language: line.dropFirst(3), folder: folder) : nil
            } else if open != nil {
                open?.lines.append(line)
            } else if let name = Self.value(of: "<!-- folder: ", in: line) {
                folder = String(name.dropLast(" -->".count))
            }
        }
        return blocks
    }

    private static func value(of prefix: String, in line: Substring) -> Substring? {
        line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : nil
    }
}
