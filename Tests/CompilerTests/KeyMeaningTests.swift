import Foundation
import TestSupport
import Testing

@testable import SpecSyntax

@Suite("The meanings of keys")
struct KeyMeaningTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A table of a page.
    private struct Table: Sendable {
        let page: String
        /// How its head begins; of several such tables, the number of this one.
        let head: String
        var number = 0
        /// The name of the mapping that its keys belong to.
        let mapping: String
        /// The sentence, of the cells by their numbers.
        let sentence: @Sendable ([String]) -> String
        /// The column of the keys.
        var keys = 0
    }

    private static func standard(_ cells: [String], _ index: Int) -> String {
        let value = index < cells.count ? cells[index] : ""
        return value.isEmpty || value == "none"
            ? "" : value == "required" ? "; required" : "; by default \(value)"
    }

    private static let tables = [
        Table(page: "APIFile", head: "| key | value | default |", mapping: "`api.yaml`") {
            $0[1] + standard($0, 2)
        },
        Table(page: "SpecFiles", head: "| key | value |", mapping: "a group") { $0[1] },
        Table(page: "Methods", head: "| key | value |", mapping: "a method") { $0[1] },
        Table(page: "Methods", head: "| `until:` | meaning |", mapping: "`until`") { $0[1] },
        Table(page: "Types", head: "| key | the type is |", mapping: "a type") { $0[1] },
        Table(page: "Types", head: "| key | for | meaning |", mapping: "a type") {
            "\($0[2]); for \($0[1])"
        },
        Table(page: "Types", head: "| word | JSON |", mapping: "the types") {
            "\($0[1]); in Swift \($0[2])"
        },
        Table(
            page: "Rules", head: "| for | rule | argument |", mapping: "the rules",
            sentence: { "the value \($0[3]); takes \($0[2])" }, keys: 1),
        Table(page: "Rules", head: "| key | meaning |", mapping: "a rule") { $0[1] },
        Table(
            page: "CrossRules", head: "| rule | the value | holds if |",
            mapping: "a rule between fields"
        ) { "\($0[1]); holds if \($0[2])" },
        Table(page: "Running", head: "| `timeout:` |", mapping: "`timeout`") {
            "the longest time " + $0[1] + standard($0, 2)
        },
        Table(page: "Running", head: "| `retry:` |", mapping: "`retry`") {
            $0[1] + standard($0, 2)
        },
        Table(page: "QueuesAndLimits", head: "| `limits:` in", mapping: "`limits`") { $0[1] },
        Table(page: "RepliesAndErrors", head: "| key | condition |", mapping: "`success`") {
            $0[1] + standard($0, 2)
        },
        Table(page: "RepliesAndErrors", head: "| key | meaning |", mapping: "`errors`") {
            $0[1] + standard($0, 2)
        },
        Table(page: "ReplyShapes", head: "| key | meaning |", number: 1, mapping: "`login`") {
            $0[1] + standard($0, 2)
        },
        Table(page: "SpecAuthentication", head: "| key of the request |", mapping: "`refresh`") {
            $0[1] + standard($0, 2)
        },
        Table(page: "Validation", head: "| key of `validate` |", mapping: "`validate`") {
            $0[1] + standard($0, 2)
        },
        Table(page: "DownloadsAndStreams", head: "| key of `stream` |", mapping: "`stream`") {
            $0[1]
        },
    ]

    /// The keys of a table with their sentences, in order.
    private static func meanings(_ table: Table) throws -> [(key: String, text: String)] {
        let lines = try text(of: table.page).split(
            separator: "\n", omittingEmptySubsequences: false)
        let heads = lines.indices.filter { lines[$0].hasPrefix(table.head) }
        let start = try #require(heads.dropFirst(table.number).first, "\(table.head)")
        var meanings: [(key: String, text: String)] = []
        for line in lines[(start + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.replacing("\\|", with: "\u{0}").dropFirst().dropLast()
                .split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces) }
            let sentence = table.sentence(try cells.map(Self.withoutReferences))
            for word in cells[table.keys].matches(of: /`([A-Za-z][A-Za-z0-9-]*)(?::[^`]*)?`/) {
                let key = String(word.1)
                if let index = meanings.firstIndex(where: { $0.key == key }) {
                    meanings[index].text += ". " + sentence
                } else {
                    meanings.append((key, sentence))
                }
            }
        }
        return meanings
    }

    /// A cell without references to pages. Where it is nothing else, the summary of the page stands.
    private static func withoutReferences(_ cell: String) throws -> String {
        if let page = cell.wholeMatch(of: /see <doc:(\w+)>/)?.1 {
            let summary = try text(of: String(page)).split(separator: "\n")[1]
            return summary.prefix(1).lowercased() + summary.dropFirst().dropLast()
        }
        let reference = #/[,.;:]? *\(?(?:[Ss]ee )?<doc:\w+>\)?(?:(?:, | and )<doc:\w+>)*/#
        return cell.replacing(reference, with: "").replacing(", see below", with: "")
    }

    private static func text(of page: String) throws -> String {
        try SpecPage(
            root.appending(path: "Sources/TelexCompiler/TelexCompiler.docc/\(page).md")
        ).text
    }

    /// The lines of a table of the source file.
    private static func lines(_ table: Table) throws -> [String] {
        var groups: [(keys: [String], text: String)] = []
        for (key, text) in try meanings(table) {
            if groups.last?.text == text {
                groups[groups.count - 1].keys.append(key)
            } else {
                groups.append(([key], text))
            }
        }
        return ["# \(table.mapping) (\(table.page))"]
            + groups.flatMap { wrapped($0.keys.joined(separator: " ") + ": " + $0.text) }
    }

    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > 88 {
                lines.append(line)
                line = "  " + word
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }

    @Test("the meanings of keys are the sentences of the pages")
    func table() throws {
        let file = Self.root.appending(path: "Sources/SpecSyntax/Parser/KeyMeanings+Table.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        let head = try #require(text.range(of: "#\"\"\"\n"))
        let rows = try Self.tables.flatMap(Self.lines).map { "        \($0)\n" }.joined()
        let expected = text[..<head.upperBound] + rows + "        \"\"\"#\n}\n"
        if ProcessInfo.processInfo.environment["TELEX_UPDATE_GOLDENS"] == "1" {
            try Data(expected.utf8).write(to: file)
        }
        #expect(text == expected)
    }

    @Test("the meanings of keys are found for the keys of files and types")
    func found() {
        let schemas = [MappingSchema.api, .group, .method, .type]
        for schema in schemas {
            for key in schema.keys {
                let meaning = KeyMeanings.all.meaning(of: key, in: schema.name)
                #expect(meaning?.text.isEmpty == false, "\(key) in \(schema.name)")
            }
        }
        #expect(KeyMeanings.all.meaning(of: "attempt", in: "`timeout`")?.page == "Running")
        #expect(KeyMeanings.all.meaning(of: "requests", in: "`limits` of a method") != nil)
        let rule = KeyMeanings.all.meaning(of: "max-items", in: "a type", takesRules: true)
        #expect(rule?.text.contains("elements") == true)
        #expect(KeyMeanings.all.meaning(ofType: "decimal")?.page == "Types")
        #expect(KeyMeanings.all.meaning(of: "nonsense", in: "a method") == nil)
    }
}
