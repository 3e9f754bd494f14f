import Foundation
import SpecIR
import TestSupport
import Testing

@testable import SpecSyntax

@Suite("The tables of keys on the pages")
struct KeyTableTests {
    private static let catalogue = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/TelexCompiler/TelexCompiler.docc")

    /// The cells of the rows of a table, whose head begins with a text.
    private func rows(_ head: String, of page: String) throws -> [[String]] {
        let text = try SpecPage(Self.catalogue.appending(path: "\(page).md")).text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix(head) }, "\(head)")
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private func words(_ cell: String) -> [String] {
        cell.matches(of: #/`([^`]+)`/#).map { String($0.output.1) }
    }

    @Test(
        "the tables of keys on the pages have the keys that the compiler accepts, each once",
        arguments: [
            ("APIFile", "| key | value | default |", MappingSchema.api),
            ("SpecFiles", "| key | value |", .group), ("Methods", "| key | value |", .method),
        ] as [(String, String, MappingSchema)])
    func keys(page: String, head: String, schema: MappingSchema) throws {
        let keys = try rows(head, of: page).flatMap { words($0[0]) }
        #expect(keys.sorted() == schema.keys.sorted())
    }

    @Test("the tables of keys on the pages say for each setting in which files it may stand")
    func places() throws {
        let schemas = [MappingSchema.api, .group, .method]
        let rows = try rows("| setting | `api.yaml` | group | method |", of: "Cascade")
        for row in rows where words(row[0]) != ["conforms"] && words(row[0]) != ["server"] {
            for key in words(row[0]) {
                #expect(
                    row.dropFirst().map { !$0.isEmpty } == schemas.map { $0.keys.contains(key) },
                    "\(key)")
            }
        }
        let documentation: Set = ["doc", "link"]
        let shared = schemas.flatMap(\.keys).reduce(into: [:]) { $0[$1, default: 0] += 1 }
            .filter { $0.value > 1 && !documentation.contains($0.key) }
        let shown = rows.flatMap { words($0[0]) }
        #expect(Set(shared.keys).subtracting(shown) == [])
        #expect(Set(shown).count == shown.count)
        let cells = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0) })
        let auth = words(cells["`auth`"]?[2] ?? "").filter { $0 != "none" }
        #expect(
            Set(auth) == Set(MappingSchema.methodAuth.keys + Parser.authWords).subtracting(["none"])
        )
        #expect(words(cells["`limits`"]?[3] ?? "") == MappingSchema.methodLimits.keys)
    }

    /// A setting with two keys, and a text of each.
    private static let parts: [(setting: String, one: String, other: String)] = [
        ("success", "absent: error", "status: 201"), ("errors", "message: text", "code: code"),
        ("timeout", "attempt: 20s", "total: 60s"), ("retry", "attempts: 2", "on: [503]"),
        ("validate", "mode: warn", "sample: 10%"), ("cache", "fresh: 5s", "stale-if-error: 1h"),
        ("backoff", "factor: 3", "jitter: 20%"),
    ]

    @Test(
        "the tables of keys on the pages name the settings that cascade key by key",
        arguments: parts.map(\.setting))
    func keyByKey(setting: String) throws {
        let (_, one, other) = try #require(Self.parts.first { $0.setting == setting })
        func method(_ group: String, _ method: String) throws -> SpecIR.Method {
            func entry(_ keys: String) -> String {
                if keys.isEmpty { return "" }
                return setting == "backoff"
                    ? "retry: { backoff: { \(keys) } }" : "\(setting): { \(keys) }"
            }
            let own = method.isEmpty ? "" : ", " + entry(method)
            let analysis = Analysis(
                users: "\(entry(group))\nmethods: { get: { get: a, returns: int\(own) } }\n")
            return try #require(analysis.method("users.get"), "\(analysis)")
        }
        let text = try SpecPage(Self.catalogue.appending(path: "Cascade.md")).text
        let sentence = try #require(text.firstMatch(of: #/(?m)^(`success`.*) cascade key by key/#))
        let isMerged = try method(one, other) == method("", "\(one), \(other)")
        #expect(words(String(sentence.output.1)).contains(setting) == isMerged)
        #expect(try method(one, other) != method("", one))
    }
}
