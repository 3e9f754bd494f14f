import TestSupport
import Testing

@Suite("What is no description is refused with its place")
struct BadDescriptionTests {
    @Test(
        "what is no description is refused with an error that says what is expected",
        arguments: [
            ("", "T0013"), ("a: 1\n", "T1002"), ("openapi: 4.0.0\npaths: {}\n", "T1002"),
            ("openapi: 3.0.0\npaths: {}\n", "T1002"), ("[1, 2", "T1001"), ("{\"a\": 1,}", "T1001"),
            ("{\"a\": 'b'}", "T1001"), ("{\"a\": \"\\x\"}", "T1001"), ("{} x", "T1001"),
            ("{\"a\": 01x}", "T1001"), ("openapi: [", "T0004"),
            (String(repeating: "[", count: 5_000), "T0010"),
        ])
    func refused(text: String, code: String) {
        let imported = Imported([code == "T1001" ? "api.json" : "api.yaml": text])
        #expect(imported.errors.contains("[\(code)]"), "\(imported.errors)")
        #expect(imported.result.files.isEmpty)
    }

    @Test("a description whose bytes differ anywhere is refused, or becomes a spec that compiles")
    func mutated() async throws {
        let cases = try GoldenFolder().cases(endingIn: ".description")
        try #require(!cases.isEmpty)
        await onThreadForLongTests {
            var generator = SeededGenerator(7)
            for (name, bytes) in cases {
                for _ in 0..<120 { check(Self.mutated(bytes, &generator), name) }
            }
        }
    }

    private static let special = Array("{}[]:,-?|&*!'\"#%@`$/\n ~<>0".utf8)
    private static let words = [
        "null", "true", "[]", "{}", "string", "object", "array", "integer", "$ref", "-1", "1e99",
        "\"\"", "id", "oneOf", "allOf", "type", "Error", "self",
    ]

    /// The bytes with one byte or one word replaced or left out.
    private static func mutated(
        _ bytes: [UInt8], _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = bytes
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = special.randomElement(using: &generator) ?? 0
        case 1: bytes.remove(at: place)
        default:
            let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
            let start = bytes[..<place].lastIndex { !isLetter($0) }.map { $0 + 1 } ?? 0
            let end = bytes[place...].firstIndex { !isLetter($0) } ?? bytes.count
            let word = words.randomElement(using: &generator) ?? ""
            bytes.replaceSubrange(start..<max(start, end), with: Array(word.utf8))
        }
        return bytes
    }

    private func check(_ bytes: [UInt8], _ name: String) {
        let imported = Imported([(path: name, bytes: bytes)])
        let isRefused = imported.result.diagnostics.hasErrors
        #expect(isRefused == imported.result.files.isEmpty)
        if !isRefused, imported.diagnostics != "" {
            Issue.record("\(imported.diagnostics)\n\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(
        "the import of long chains of references ends",
        arguments: ["$ref", "allOf", "oneOf", "items"])
    func chains(key: String) {
        var schemas: [String] = []
        for index in 0..<3_000 {
            let next = "{ $ref: \"#/components/schemas/S\(index + 1)\" }"
            let schema =
                switch key {
                case "$ref": next
                case "items": "{ type: array, items: \(next) }"
                default:
                    "{ \(key): [\(next), { type: object, properties: { a\(index): { type: string } } }] }"
                }
            schemas.append("S\(index): \(schema)")
        }
        let imported = Imported(
            replying: "{ $ref: \"#/components/schemas/S0\" }",
            "{ " + (schemas + ["S3000: { type: string }"]).joined(separator: ",\n  ") + " }")
        #expect(imported.errors == "")
    }

    @Test("the import of unions of each other, also inside allOf, ends")
    func unions() {
        let schemas = (0..<60).flatMap { index -> [String] in
            let (level, place) = (index / 6, index % 6)
            let next = (0..<6).map {
                "{ $ref: \"#/components/schemas/U\((level + 1) % 10 * 6 + $0)\" }"
            }
            let base = "{ $ref: \"#/components/schemas/U\((level + 2) % 10 * 6 + place)\" }"
            let own = "{ type: object, required: [f\(index)], properties: { f\(index): {} } }"
            return [
                "U\(index): { oneOf: [\(next.joined(separator: ", ")), "
                    + "{ $ref: \"#/components/schemas/O\(index)\" }] }",
                "O\(index): { allOf: [\(base), \(own)] }",
            ]
        }
        let imported = Imported(
            replying: "{ $ref: \"#/components/schemas/U0\" }",
            "{ " + schemas.joined(separator: ",\n  ") + " }")
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
    }

    @Test("objects that nothing tells apart, and that contain each other, become one model")
    func circles() {
        let imported = Imported(
            replying:
                "{ anyOf: [{ $ref: \"#/components/schemas/A\" }, { $ref: \"#/components/schemas/B\" }] }",
            """
            { A: { type: object, properties: { next: { $ref: "#/components/schemas/A" }, x: { type: integer } } },
              B: { type: object, properties: { next: { $ref: "#/components/schemas/B" }, x: { type: string } } } }
            """)
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        #expect(imported.result.modelCount < 10)
    }

    @Test(
        "schemas inside each other become models, up to a limit",
        arguments: [
            ("{ type: object, properties: { a: ", " } }"), ("{ type: array, items: ", " }"),
            ("{ type: object, additionalProperties: ", " }"),
            ("{ anyOf: [{ type: object, required: [b], properties: { b: {} } }, ", "] }"),
            ("{ allOf: [{ type: object, properties: { b: {} } }, ", "] }"),
        ])
    func nested(start: String, end: String) async {
        await onThreadForLongTests {
            let count = 60
            let schema =
                String(repeating: start, count: count) + "{ type: string }"
                + String(repeating: end, count: count)
            let imported = Imported(replying: schema)
            #expect(imported.errors == "")
            #expect(imported.diagnostics == "")
        }
    }
}
