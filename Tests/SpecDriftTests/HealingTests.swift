import SpecDiagnostics
import SpecDrift
import SpecIR
import TelexCompiler
import TestSupport
import Testing

@Suite("Healing")
struct HealingTests {
    @Test("healing shows its edits, what they do to apps, and their difference")
    func text() throws {
        let folder = RecordedShop.folder()
        let healing = try RecordedShop.heal(RecordedShop.drifted, strict: true)
        #expect(
            try GoldenFolder("Healing").problems(with: ["heal.txt": healing.text(from: folder)]) == [])
    }

    @Test("healing keeps all comments, and the spec compiles")
    func comments() throws {
        let healing = try RecordedShop.heal(RecordedShop.drifted, strict: true)
        let text = healing.folder.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        for comment in ["# People of the shop.", "# what others see", "# Where it all began."] {
            #expect(text.contains(comment))
        }
        #expect(TelexCompiler.check(healing.folder).api != nil)
    }

    @Test("after healing, the same traffic has no deviation but those that take a decision")
    func fixedPoint() throws {
        let healing = try RecordedShop.heal(RecordedShop.drifted, strict: true)
        let again = try RecordedShop.check(RecordedShop.drifted, strict: true, healing.folder)
        #expect(Self.rules(again) == ["json"])
        #expect(try RecordedShop.heal(RecordedShop.drifted, strict: true, healing.folder).changes.isEmpty)
    }

    /// The rules of findings in replies.
    private static func rules(_ report: DriftReport) -> Set<String> {
        Set(report.methods.flatMap(\.findings).filter { !$0.isRequest && !$0.isNote }.map(\.rule))
    }

    @Test("healing changes nothing where the traffic is as the spec says")
    func none() throws {
        let healing = try RecordedShop.heal([RecordedShop.drifted[0]])
        #expect(healing.changes.isEmpty)
        #expect(healing.changedFiles(of: RecordedShop.folder()).isEmpty)
        #expect(
            healing.text(from: RecordedShop.folder()) == "the spec says what the traffic has\n")
    }

    /// Types as specs write them, with a reply that breaks each.
    private static let breaks: [(type: String, good: String, bad: [String])] = [
        ("int", "1", ["null", "1.5", "\"5\"", "\"x\"", "true", "[]", "{}"]),
        ("string", "\"a\"", ["null", "5", "true", "{}"]), ("bool", "true", ["null", "1", "\"a\""]),
        ("double", "1.5", ["null", "\"2.5\"", "\"x\""]), ("uint", "1", ["-1", "null", "0.5"]),
        ("int32", "1", ["4294967296", "null", "1.5"]), ("uuid",
            "\"6f1c1d3e-8b1a-4c39-9d3b-5f0e3c1d2a4b\"", ["\"x\"", "null"]),
        ("url", "\"https://a.example/\"", ["null"]), ("[int]", "[1]", ["null", "[null]", "[1.5]"]),
        ("\"[string]?\"", "[]", ["[1]", "null"]), ("\"{string: int}\"", "{}", ["null", "{\"a\": null}"]),
        ("{ type: int, min: 3, max: 9 }", "4", ["2", "10", "null", "-7"]),
        ("{ type: string, min-length: 2, max-length: 3 }", "\"ab\"", ["\"\"", "\"abcdef\"", "null"]),
        ("{ type: string, pattern: '^a+$' }", "\"a\"", ["\"b\""]),
        ("{ type: string, format: email, max-length: 20 }", "\"a@b.example\"", ["\"b\""]),
        ("{ enum: [a, b] }", "\"a\"", ["\"c\"", "null", "\"d e\""]),
        ("{ type: int, enum: { one: 1, two: 2 } }", "1", ["3", "null"]),
        ("{ type: [int], max-items: 2 }", "[1]", ["[1, 2, 3]", "null"]),
        ("{ type: [int], unique: true }", "[1]", ["[1, 1]"]),
        ("{ x: int, y: int? }", "{\"x\": 1}", ["null", "{}", "{\"x\": null}", "{\"x\": 1, \"z\": [1]}"]),
        ("{ type: Date, as: unix }", "17", ["null", "\"x\""]), ("Item", "{\"n\": 1}", ["null", "{}"]),
        ("[Item]", "[{\"n\": 1}]", ["[{}]", "[null]", "null", "[{\"n\": 1.5}]"]),
        ("Name", "\"a\"", ["\"abcdef\"", "null"]), ("Item | string", "\"a\"", ["null"]),
    ]

    @Test("healing lets every type have what traffic has, in block and in flow style")
    func everyType() throws {
        let api = "telex: 1\napi: Things\nservers: { a: https://shop.example/v1 }\n"
        var random = SeededGenerator(5)
        for isFlow in [false, true] {
            for _ in 0..<6 {
                let fields = Self.breaks.enumerated().shuffled(using: &random)
                let lines = fields.map { "f\($0.offset): \($0.element.type)" }
                let model =
                    isFlow
                    ? "  Thing: { \(lines.joined(separator: ", ")) }\n"
                    : "  Thing:\n" + lines.map { "    \($0)  # \($0.prefix(3))\n" }.joined()
                let group =
                    "methods:\n  get: { get: users, returns: Thing }\nmodels:\n\(model)"
                    + "  Item: { n: int }\n  Name: { type: string, max-length: 5 }\n"
                let folder = SpecFolder(
                    shownPath: "t",
                    files: [("api.yaml", api), ("things.yaml", group)].map {
                        SpecFolder.File(
                            relativePath: $0.0, shownPath: $0.0, bytes: Array($0.1.utf8))
                    })
                let entries = (0..<12).map { _ in
                    let members = fields.compactMap { index, field -> String? in
                        guard Int.random(in: 0..<20, using: &random) > 0 else { return nil }
                        let isBad = Int.random(in: 0..<3, using: &random) == 0
                        let value = isBad ? field.bad.randomElement(using: &random) : nil
                        return "\"f\(index)\": \(value ?? field.good)"
                    }
                    return RecordedShop.entry("GET", "users", "{\(members.joined(separator: ", "))}")
                }
                let healing = try RecordedShop.heal(entries, strict: true, folder)
                let report = try RecordedShop.check(entries, strict: true, healing.folder)
                #expect(
                    Self.rules(report) == [],
                    "\(group)\n\(healing.text(from: folder).prefix(6000))")
                if !isFlow {
                    let text = healing.folder.files.map { String(decoding: $0.bytes, as: UTF8.self) }
                    for field in fields {
                        #expect(text.joined().contains("# f\(field.offset)".prefix(5)))
                    }
                }
            }
        }
    }
}
