import ProcessSupport
import Testing

@Suite("telex export openapi")
struct ExportCommandTests {
    private static func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(
            "specs/shop/api.yaml",
            "telex: 1\napi: Shop\nservers: { production: https://shop.example/ }\ntimeout: 5s\n")
        try sandbox.write(
            "specs/shop/admin/goods.yaml",
            "methods:\n  list: { get: goods, timeout: 9s, returns: [string] }\n")
        return sandbox
    }

    @Test("telex export openapi writes a description of which an import makes the same spec")
    func roundTrip() async throws {
        let sandbox = try Self.sandbox()
        let run = try await TelexTool.run(
            "export", "openapi", "specs/shop", "--output", "openapi.json", in: sandbox)
        #expect(run.status == 0)
        #expect(run.output == "")
        #expect(
            run.errors == """
                2 details that OpenAPI has no word for are in `x-telex`:
                      2  timeout, first at specs/shop/admin/goods.yaml:2

                """)
        #expect(try sandbox.read("openapi.json").hasPrefix("{\n  \"openapi\": \"3.1.0\",\n"))
        for _ in 0..<2 {
            let back = try await TelexTool.run(
                "import", "openapi", "openapi.json", "--output", "specs/back", in: sandbox)
            #expect(back.status == 0, "\(back.errors)")
            #expect(back.errors == "1 methods, 0 models\n")
        }
        #expect(try sandbox.read("specs/back/admin/goods.yaml").contains("timeout: \"9s\""))
        let one = try await TelexTool.run("dump", "ir", "specs/shop", in: sandbox)
        let other = try await TelexTool.run("dump", "ir", "specs/back", in: sandbox)
        #expect(Self.lines(one.output) == Self.lines(other.output))
    }

    @Test("telex export openapi carries templates, and an update keeps those that were edited")
    func templates() async throws {
        let sandbox = try Self.sandbox()
        let name = "templates/admin.goods.list.json"
        try sandbox.write("specs/shop/\(name)", "[\"shoe\"]\n")
        let export = ["export", "openapi", "specs/shop", "-o", "openapi.yaml"]
        let update = ["import", "openapi", "openapi.yaml", "-o", "back"]
        #expect(try await TelexTool.run(export, in: sandbox).status == 0)
        #expect(try await TelexTool.run(update, in: sandbox).status == 0)
        #expect(try sandbox.read("back/\(name)") == "[\"shoe\"]\n")
        try sandbox.write("specs/shop/\(name)", "[\"boot\"]\n")
        _ = try await TelexTool.run(export, in: sandbox)
        #expect(try await TelexTool.run(update + ["--update"], in: sandbox).status == 0)
        #expect(try sandbox.read("back/\(name)") == "[\"boot\"]\n")
        try sandbox.write("back/\(name)", "[\"mine\"]\n")
        let again = try await TelexTool.run(update + ["--update"], in: sandbox)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try sandbox.read("back/\(name)") == "[\"mine\"]\n")
        let fresh = try await TelexTool.run(update, in: sandbox)
        #expect(fresh.status == 1)
        #expect(fresh.errors.contains("the folder has `\(name)`, which no import wrote"))
    }

    /// Sets are in no order.
    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n").sorted()
    }

    @Test("telex export openapi prints YAML, or JSON on request")
    func prints() async throws {
        let sandbox = try Self.sandbox()
        let yaml = try await TelexTool.run("export", "openapi", "specs/shop", in: sandbox)
        #expect(yaml.status == 0)
        #expect(yaml.output.hasPrefix("openapi: \"3.1.0\"\n"))
        let json = try await TelexTool.run("export", "openapi", "specs/shop", "--json", in: sandbox)
        #expect(json.output.hasPrefix("{\n"))
    }

    @Test("a detail in no standard word fails an export with --strict, and --plain leaves it out")
    func strict() async throws {
        let sandbox = try Self.sandbox()
        let run = try await TelexTool.run(
            "export", "openapi", "specs/shop", "--strict", "--plain", in: sandbox)
        #expect(run.status == 1)
        #expect(!run.output.contains("x-telex"))
        #expect(run.errors.hasPrefix("2 details that OpenAPI has no word for are left out:\n"))
    }

    @Test("telex export openapi describes no faulty spec, and tells why a file cannot be written")
    func errors() async throws {
        let sandbox = try Self.sandbox()
        let run = try await TelexTool.run(
            "export", "openapi", "specs/shop", "-o", "missing/openapi.yaml", in: sandbox)
        #expect(run.status == 1)
        #expect(run.errors.contains("missing/openapi.yaml:1:1: error: cannot be written"))
        try sandbox.write("specs/shop/bad.yaml", "methods: { find: { get: a, returns: Nobody } }\n")
        let bad = try await TelexTool.run("export", "openapi", "specs/shop", in: sandbox)
        #expect(bad.status == 1)
        #expect(bad.output == "")
        #expect(bad.errors.contains("specs/shop/bad.yaml:1:"))
    }
}
