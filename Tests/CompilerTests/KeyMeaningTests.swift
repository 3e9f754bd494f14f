import Foundation
import TestSupport
import Testing

@testable import SpecSyntax

@Suite("The meanings of keys")
struct KeyMeaningTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let catalogue = root.appending(
        path: "Sources/TelexCompiler/TelexCompiler.docc")
    private static let file = root.appending(
        path: "Sources/SpecSyntax/Schema/KeyMeanings+Text.swift")

    /// A table of a page: the columns of keys and of meanings, and the words before a meaning.
    private struct Table {
        let schema: MappingSchema
        let page: String
        let head: String
        var columns = (key: 0, meaning: 1)
        var words = ""
    }

    private static let tables = [
        Table(schema: .api, page: "APIFile", head: "| key | value | default |"),
        Table(schema: .group, page: "SpecFiles", head: "| key | value |"),
        Table(schema: .method, page: "Methods", head: "| key | value |"),
        Table(schema: .until, page: "Methods", head: "| `until:` | meaning |"),
        Table(schema: .type, page: "Types", head: "| key | the type is |"),
        Table(
            schema: .type, page: "Types", head: "| key | for | meaning |", columns: (0, 2)),
        Table(
            schema: .type, page: "Rules", head: "| for | rule | argument | the value … |",
            columns: (1, 3), words: "the value "),
        Table(schema: .rule, page: "Rules", head: "| key | meaning |"),
        Table(schema: .success, page: "RepliesAndErrors", head: "| key | condition | default |"),
        Table(schema: .errors, page: "RepliesAndErrors", head: "| key | meaning | default |"),
        Table(schema: .login, page: "ReplyShapes", head: "| key | meaning | default |"),
        Table(schema: .limits, page: "QueuesAndLimits", head: "| `limits:` in `api.yaml` |"),
        Table(
            schema: .timeout, page: "Running", head: "| `timeout:` |",
            words: "the longest time "),
        Table(schema: .retry, page: "Running", head: "| `retry:` |"),
        Table(schema: .stream, page: "DownloadsAndStreams", head: "| key of `stream` |"),
        Table(schema: .validation, page: "Validation", head: "| key of `validate` |"),
        Table(schema: .refresh, page: "SpecAuthentication", head: "| key of the request |"),
    ]

    private static func text(of page: String) throws -> String {
        try SpecPage(catalogue.appending(path: "\(page).md")).text
    }

    /// The rows of the first table with this head that names a key of the mapping.
    private static func rows(of table: Table) throws -> [[String]] {
        let lines = try text(of: table.page)
            .split(separator: "\n", omittingEmptySubsequences: false)
        for start in lines.indices where lines[start].hasPrefix(table.head) {
            let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map(cells)
            if !keys(rows[0], of: table).isEmpty { return [cells(lines[start])] + rows }
        }
        Issue.record("\(table.page) has no table \(table.head)")
        return []
    }

    private static func cells(_ line: Substring) -> [String] {
        line.replacing("\\|", with: "\u{1}").dropFirst().dropLast()
            .split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|") }
    }

    private static func keys(_ cells: [String], of table: Table) -> [String] {
        cells[table.columns.key].matches(of: #/`([^`:]+)(?::[^`]*)?`/#).map { String($0.1) }
            .filter { table.schema.keys.contains($0) || table.schema.more.contains($0) }
    }

    /// A cell without references to pages. Where it is nothing else, the summary of the page stands.
    private static func sentence(_ cell: String) throws -> String {
        if let page = cell.wholeMatch(of: #/see <doc:(\w+)>/#)?.1 {
            let summary = try text(of: String(page)).split(separator: "\n")[1]
            return summary.prefix(1).lowercased() + summary.dropFirst().dropLast()
        }
        return cell.replacing(
            #/[,.;:]? *\(?(?:[Ss]ee )?<doc:\w+>\)?(?:(?:, | and )<doc:\w+>)*/#, with: ""
        ).replacing(", see below", with: "")
    }

    private static func expected() throws -> String {
        var text = ""
        var last = ""
        for table in tables {
            let rows = try rows(of: table)
            let hasDefault = rows.first?.last?.hasSuffix("default") == true
            if table.schema.name != last { text += table.schema.name + "\n" }
            last = table.schema.name
            for row in rows.dropFirst() {
                let keys = keys(row, of: table)
                var meaning = table.words + (try sentence(row[table.columns.meaning]))
                if hasDefault, let value = row.last, !value.isEmpty {
                    meaning += value == "required" ? "; required" : "; by default: \(value)"
                }
                guard !keys.isEmpty, !meaning.isEmpty else { continue }
                text += "  \(keys.joined(separator: " ")) = \(meaning)\n"
            }
        }
        return text
    }

    @Test("the meanings of keys are the sentences of the reference pages")
    func sentences() throws {
        let expected = try Self.expected()
        if ProcessInfo.processInfo.environment["TELEX_UPDATE_GOLDENS"] == "1" {
            let literal = expected.split(separator: "\n").map { "        \($0)\n" }.joined()
            let code = """
                extension KeyMeanings {
                    /// A line for each mapping, and one for each of its keys, or for several.
                    static let text = #\"""
                \(literal)
                        \"""#
                }

                """
            try Data(code.utf8).write(to: Self.file)
        }
        #expect(KeyMeanings.text == expected)
    }

    @Test("the meanings of keys leave out no key of an API, a group, a method or a type")
    func allKeys() {
        for schema in [MappingSchema.api, .group, .method, .type] {
            for key in schema.keys {
                #expect(KeyMeanings.meaning(of: key, in: schema.name) != nil, "\(key)")
            }
        }
    }
}
