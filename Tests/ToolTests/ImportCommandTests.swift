import ProcessSupport
import Testing

@Suite("telex import openapi")
struct ImportCommandTests {
    private static let description = """
        openapi: 3.0.3
        info: { title: Shop, version: "1" }
        servers: [{ url: https://shop.example }]
        paths:
          /goods:
            get:
              tags: [goods]
              operationId: listGoods
              responses:
                "200":
                  description: ok
                  content: { application/json: { schema: { type: array, items: { type: string, pattern: "(?=a)" } } } }
          /users:
            get: { tags: [users], operationId: listUsers, responses: { "204": { description: ok } } }

        """

    private static func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("shop.yaml", description)
        return sandbox
    }

    @Test("telex import openapi writes a spec that compiles, and a report of what is lost")
    func writes() async throws {
        let sandbox = try Self.sandbox()
        let run = try await TelexTool.run(
            "import", "openapi", "shop.yaml", "--output", "specs/shop", in: sandbox)
        #expect(run.status == 0)
        #expect(run.output == "")
        #expect(
            run.errors == """
                2 methods, 0 models
                not in the spec: 1 looser
                      1  pattern outside the dialect (shop.yaml:12:97)
                see specs/shop/import-report.md

                """)
        #expect(
            try sandbox.names("specs/shop") == [
                ".telex-import", ".telex-schema", "api.yaml", "goods.yaml", "import-report.md",
                "users.yaml",
            ])
        #expect(try sandbox.names("specs") == ["shop"])
        #expect(try sandbox.read("specs/shop/import-report.md").contains("shop.yaml:12:"))
        let check = try await TelexTool.run("check", "specs/shop", "--strict", in: sandbox)
        #expect(check.status == 0)
    }

    @Test("telex import removes a killed run's temporary folder beside the spec, and no other")
    func leftovers() async throws {
        let sandbox = try Self.sandbox()
        for name in [".shop.999999999.telex", ".other.999999999.telex"] {
            try sandbox.write("specs/\(name)/api.yaml", "")
        }
        _ = try await TelexTool.run(
            "import", "openapi", "shop.yaml", "--output", "specs/shop", in: sandbox)
        #expect(try sandbox.names("specs") == [".other.999999999.telex", "shop"])
    }

    @Test("telex import openapi chooses operations, and puts the report where it is asked to")
    func options() async throws {
        let sandbox = try Self.sandbox()
        let run = try await TelexTool.run(
            "import", "openapi", "shop.yaml", "-o", "spec", "--include", "/goods", "--exclude",
            "listUsers", "--report", "lost.md", "--api", "MyShop", "--tolerant", "--strict",
            in: sandbox)
        #expect(run.status == 1, "a loss fails with --strict")
        #expect(
            try sandbox.names("spec") == [
                ".telex-import", ".telex-schema", "api.yaml", "goods.yaml",
            ])
        #expect(try sandbox.names("").contains("lost.md"))
        let api = try sandbox.read("spec/api.yaml")
        #expect(api.contains("api: MyShop\n"))
        #expect(api.contains("validate: warn\n"))
    }

    @Test("telex import openapi never overwrites a folder, unless --force says so")
    func overwriting() async throws {
        let sandbox = try Self.sandbox()
        try sandbox.write("spec/users.yaml", "mine")
        let run = try await TelexTool.run(
            "import", "openapi", "shop.yaml", "-o", "spec", in: sandbox)
        #expect(run.status == 1)
        #expect(
            run.errors.hasPrefix(
                "spec:1:1: error: the folder has `users.yaml`, which no import wrote"))
        #expect(try sandbox.names("spec") == ["users.yaml"])
        let forced = try await TelexTool.run(
            "import", "openapi", "shop.yaml", "-o", "spec", "--force", in: sandbox)
        #expect(forced.status == 0)
        #expect(try sandbox.read("spec/users.yaml").contains("\nmethods:\n"))
        let file = try await TelexTool.run(
            "import", "openapi", "shop.yaml", "-o", "shop.yaml", in: sandbox)
        #expect(file.errors.contains("a file of this name exists [T0808]"))
    }

    @Test("telex import openapi replaces what an earlier import wrote, unless it was changed")
    func again() async throws {
        let sandbox = try Self.sandbox()
        let arguments = ["import", "openapi", "shop.yaml", "-o", "spec"]
        #expect(try await TelexTool.run(arguments, in: sandbox).status == 0)
        let fewer = try await TelexTool.run(arguments + ["--exclude", "users"], in: sandbox)
        #expect(fewer.status == 0)
        #expect(
            try sandbox.names("spec") == [
                ".telex-import", ".telex-schema", "api.yaml", "goods.yaml", "import-report.md",
            ])
        try sandbox.replace("goods", by: "wares", in: "spec/goods.yaml")
        let changed = try await TelexTool.run(arguments, in: sandbox)
        #expect(changed.status == 1)
        #expect(changed.errors.contains("the folder has `goods.yaml`"))
        #expect(try sandbox.read("spec/goods.yaml").contains("wares"))
    }

    @Test("telex import openapi writes nothing of a description with an error")
    func errors() async throws {
        let sandbox = try Self.sandbox()
        let missing = try await TelexTool.run(
            "import", "openapi", "no.yaml", "-o", "spec", in: sandbox)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("no.yaml:1:1: error: cannot be read"))
        try sandbox.write("broken.json", "{\"openapi\": \"3.0.0\",}")
        let broken = try await TelexTool.run(
            "import", "openapi", "broken.json", "-o", "spec", in: sandbox)
        #expect(broken.status == 1)
        #expect(broken.errors.hasPrefix("broken.json:1:21: error: this is no JSON"))
        let none = try await TelexTool.run(
            "import", "openapi", "shop.yaml", "-o", "spec", "--include", "nothing", in: sandbox)
        #expect(none.errors.contains("the description has no operations to import [T1002]"))
        #expect(try !sandbox.names("").contains("spec"))
    }
}
