import Foundation

/// A text for people, with code in it.
struct Page {
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    let text: String

    /// - Parameter path: Where the page is in this package.
    init(_ path: String) throws {
        text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The code between each pair of fences.
    func blocks(of language: String) -> [String] {
        text.components(separatedBy: "```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
    }

    /// The lines of each piece of code: between its fences, or between empty lines there.
    func pieces(of language: String) -> [[String]] {
        blocks(of: language).flatMap(Self.pieces)
    }

    /// The lines of each piece of a block: between empty lines.
    static func pieces(_ block: String) -> [[String]] {
        block.components(separatedBy: "\n\n").map(lines).filter { !$0.isEmpty }
    }

    /// The lines without indentation and trailing comments, but for empty ones.
    static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let code = line.firstRange(of: "  //").map { line[..<$0.lowerBound] } ?? line
            let words = code.trimmingCharacters(in: .whitespaces)
            return words.isEmpty ? nil : words
        }
    }

    /// The lines of all files of a type in a folder.
    static func files(_ type: String, in folder: String) throws -> [[String]] {
        try names(type, in: folder).map { lines(try Page("\(folder)/\($0)").text) }
    }

    static func names(_ type: String, in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path())
            .filter { $0.hasSuffix(".\(type)") }.sorted()
    }
}

extension [String] {
    /// Whether the lines of a piece follow one another in these, with a few others between.
    func hold(_ piece: [String]) -> Bool {
        indices.contains { start in
            var rest = self[start...]
            for (number, line) in piece.enumerated() {
                guard let place = rest.prefix(number == 0 ? 1 : 7).firstIndex(of: line) else {
                    return false
                }
                rest = rest[(place + 1)...]
            }
            return true
        }
    }
}
