import Foundation
import TestSupport
import Testing

@Suite("Public descriptions become specs that compile without a warning")
struct RealDescriptionTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data/openapi")

    private static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// The descriptions are megabytes of their owners' text, so they are not part of the package.
    @Test(
        "public descriptions lose no operation, and the report explains each difference",
        .enabled(if: exists("discord-3.1.json"), "the descriptions are not beside the package"),
        arguments: [
            ("discord-3.1.json", 242, 500), ("openai-3.1.yaml", 294, 900),
            ("slack-2.0.json", 174, 40),
        ])
    func real(name: String, methods: Int, models: Int) async throws {
        try await onThreadForLongTests {
            let bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
            let imported = Imported([(path: name, bytes: bytes)])
            #expect(imported.errors == "")
            #expect(imported.diagnostics == "")
            #expect(imported.result.methodCount == methods)
            #expect(imported.result.modelCount >= models)
            let differences = imported.result.report.losses.filter {
                $0.kind.title.hasPrefix("differs")
            }
            #expect(differences.map(\.detail) == [])
        }
    }

    /// What a vendor changes in a year: a path, a parameter, fields, a new and a removed operation.
    private static let patches = [
        ("\"/applications/@me\": {", "\"/applications/@mine\": {"),
        ("\"name\": \"wait\"", "\"name\": \"wait_for\""),
        ("\"operationId\": \"get_gateway\"", "\"operationId\": \"open_gateway\""),
        ("\"shards\": {", "\"splinters\": {"),
    ]

    @Test(
        "a changed public description is merged with an edited spec",
        .enabled(if: exists("discord-3.1.json"), "the descriptions are not beside the package"))
    func update() async throws {
        try await onThreadForLongTests {
            let file = Self.folder.appendingPathComponent("discord-3.1.json")
            var text = try String(contentsOf: file, encoding: .utf8)
            let base = Imported([(path: "discord.json", bytes: Array(text.utf8))])
            for (old, new) in Self.patches {
                try #require(text.contains(old), "\(old)")
                text = text.replacingOccurrences(of: old, with: new)
            }
            let theirs = Imported([(path: "discord.json", bytes: Array(text.utf8))])
            func files(_ imported: Imported) -> [String: String] {
                Dictionary(
                    imported.result.files.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })
            }
            let untouched = Merged(base: files(base), ours: files(base), theirs: files(theirs))
            #expect(untouched.files == files(theirs))
            // A comment in each file, and a setting of each method: nothing is as it was written.
            let ours = files(base).mapValues { text in
                "# edited\n"
                    + text.replacing(
                        #/\n    (get|post|put|patch|delete): [a-z"/][^\n]*\n/#,
                        with: { "\($0.output.0)    retry: none  # mine\n" })
            }
            let merged = Merged(base: files(base), ours: ours, theirs: files(theirs))
            #expect(merged.problems == "")
            #expect(merged.conflicts == "", "no entry was changed on both sides")
            #expect(merged.result.counts.added >= 1)
            #expect(merged.result.counts.changed >= 3)
            #expect(merged.result.counts.kept >= 150)
            let words = Set(
                merged.files.values.flatMap { $0.split(whereSeparator: \.isWhitespace) })
            #expect(words.isSuperset(of: ["/applications/@mine", "splinters:", "wait_for:"]))
            #expect(Imported.diagnostics(of: merged.files) == "")
            let again = Merged(base: files(theirs), ours: merged.files, theirs: files(theirs))
            #expect(again.result.changes.isEmpty)
        }
    }
}
