import Testing

/// `Int` has 32 bits on some watches, where a larger literal does not compile.
@Suite("An integer beyond 32 bits has a type in generated code")
struct WideIntegerTests {
    @Test(
        "Bounds and sizes count as the nearest `Int`, and durations are exact",
        arguments: [
            ("{ type: int, max: 5000000000 }", "5_000_000_000 as Int64"),
            ("{ type: int, min: -5000000000, max: 0 }", "(clamping: -5_000_000_000 as Int64), 0"),
            ("{ type: uint, below: 5000000000 }", "UInt(clamping: 5_000_000_000 as UInt64)"),
            ("{ type: int, above: 2147483647 }", ".above(2_147_483_647)"),
            ("{ type: string, max-length: 5000000000 }", "Int(clamping: 5_000_000_000 as Int64)"),
            ("{ type: Duration, default: 5000000000 }", ".seconds(5_000_000_000 as Int64)"),
            ("{ type: Duration, default: 5000000.5 }", ".milliseconds(5_000_000_500 as Int64)"),
            ("{ type: Duration, default: 2147483647 }", ".seconds(2_147_483_647)"),
        ])
    func written(field: String, code: String) throws {
        let spec = TestSpec(files: [
            "api.yaml": "telex: 1\napi: Test\nservers: { a: https://example.com/ }\n",
            "things.yaml": """
            methods: { put: { put: x, json: { value: \(field) } } }
            models: { Thing: { value: \(field) } }
            """,
        ])
        let text = try #require(try spec.emitted()["Things.swift"])
        #expect(text.contains(code), "\(text)")
    }

    @Test("Sizes of files and limits of replies count as the nearest `Int`, too")
    func limits() throws {
        let spec = TestSpec(files: [
            "api.yaml": """
            telex: 1
            api: Test
            servers: { a: https://example.com/ }
            limits: { response: 5GB }
            """,
            "things.yaml": """
            methods: { put: { put: x, multipart: { file: { type: file, max-size: 6GB } } } }
            """,
        ])
        let files = try spec.emitted()
        #expect(
            files["API.swift"]?.contains("bytes: Int(clamping: 5_000_000_000 as Int64)") == true)
        #expect(files["Things.swift"]?.contains(", Int(clamping: 6_000_000_000 as Int64)") == true)
    }
}
