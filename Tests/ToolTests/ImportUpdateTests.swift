import Foundation
import ProcessSupport
import Testing

@Suite("telex import --update and --overlay")
struct ImportUpdateTests {
    private static func description(limit: String, more: String = "") -> String {
        """
        openapi: 3.0.3
        info: { title: Shop, version: "1" }
        servers: [{ url: https://shop.example }]
        paths:
          /goods:
            get:
              tags: [goods]
              operationId: listGoods
              parameters: [{ name: limit, in: query, schema: \(limit) }]
              responses:
                "200":
                  description: ok
                  content: { application/json: { schema: { type: array, items: { type: string } } } }
          /users:
            get: { tags: [users], operationId: listUsers, responses: { "204": { description: ok } } }
        \(more)
        """
    }

    private static let update = [
        "import", "openapi", "shop.yaml", "-o", "spec", "--update", "--format", "line",
    ]

    /// A folder with an import in `spec`.
    private static func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("shop.yaml", description(limit: "{ type: integer }"))
        let run = try await TelexTool.run(
            "import", "openapi", "shop.yaml", "-o", "spec", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
        return sandbox
    }

    /// The content of all files of the spec, hidden ones too.
    private static func content(_ sandbox: Sandbox) throws -> [String: String] {
        let folder = sandbox.place("spec")
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where try folder.appendingPathComponent(name).resourceValues(
            forKeys: [.isRegularFileKey]
        ).isRegularFile == true {
            files[name] = try sandbox.read("spec/\(name)")
        }
        return files
    }

    // MARK: Failures

    @Test("telex import --update needs the record of an import, and says what to do without it")
    func noRecord() async throws {
        let sandbox = try await Self.sandbox()
        try sandbox.remove("spec/.telex-import")
        let before = try Self.content(sandbox)
        let run = try await TelexTool.run(Self.update, in: sandbox)
        #expect(run.status == 1)
        #expect(
            run.errors == """
                spec:1:1: error: the folder has no record of an import [T1006]
                spec:1:1: note: help: leave `--update` out for a fresh folder, or write `--force` in its \
                place to overwrite the spec

                """)
        #expect(try Self.content(sandbox) == before)
    }

    @Test(
        "telex import --update and --overlay refuses a record that was changed or is incomplete",
        arguments: [
            ("goods.yaml", "limit", "limits", "was changed"),
            ("checksums", "goods.yaml ", "goods.yaml", "was changed"),
            ("checksums", "Written", "written", "was changed"),
            ("checksums", "goods.yaml", "wares.yaml", "cannot be read"),
        ])
    func damage(file: String, old: String, new: String, state: String) async throws {
        let sandbox = try await Self.sandbox()
        try sandbox.replace(old, by: new, in: "spec/.telex-import/\(file)")
        let before = try Self.content(sandbox)
        let run = try await TelexTool.run(Self.update, in: sandbox)
        #expect(run.status == 1)
        let name = state == "cannot be read" ? "wares.yaml" : file
        #expect(
            run.errors.hasPrefix(
                "spec/.telex-import/\(name):1:1: error: this file of the last import's record "
                    + "\(state) [T1006]\n"))
        #expect(try Self.content(sandbox) == before)
    }

    @Test("telex import --update merges nothing into a spec that is no YAML, nor with --force")
    func refusals() async throws {
        let sandbox = try await Self.sandbox()
        try sandbox.write("spec/own.yaml", "models: [\n")
        let before = try Self.content(sandbox)
        let run = try await TelexTool.run(Self.update, in: sandbox)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("spec/own.yaml:"), "\(run.errors)")
        #expect(try Self.content(sandbox) == before)
        let forced = try await TelexTool.run(Self.update + ["--force"], in: sandbox)
        #expect(forced.status == 64)
        #expect(forced.errors.contains("--update keeps edits, and --force overwrites them"))
    }

    @Test("an update fails with conflicts at their places in the merged file, and keeps the text")
    func conflict() async throws {
        let sandbox = try await Self.sandbox()
        try sandbox.write(
            "spec/goods.yaml",
            """
            # mine
            methods:
              goods.list:
                get: goods
                query: { limit: { type: int, max: 100 } }   # the server has a limit, too
                returns: [string]

            """)
        try sandbox.write(
            "shop.yaml",
            Self.description(limit: "{ type: string }").replacingOccurrences(
                of: "/goods:",
                with: "/first:\n    get: { tags: [goods], operationId: first, "
                    + "responses: { \"204\": { description: ok } } }\n  /goods:"))
        let run = try await TelexTool.run(Self.update, in: sandbox)
        #expect(run.status == 1)
        #expect(
            run.errors == """
                1 added, 1 conflict
                spec/goods.yaml:7:23: error: the description changed `query.limit.type` of \
                `goods.list` from `int?` to `string?`, and the spec has `int` [T1005]
                spec/goods.yaml:7:23: note: help: the spec stays as it is: write what is right

                """)
        #expect(
            try sandbox.read("spec/goods.yaml") == """
                # mine
                methods:
                  goods.first: { get: first }

                  goods.list:
                    get: goods
                    query: { limit: { type: int, max: 100 } }   # the server has a limit, too
                    returns: [string]

                """)
        let again = try await TelexTool.run(Self.update, in: sandbox)
        #expect(again.status == 0, "the new description is the record")
        #expect(again.errors == "1 kept as edited\n")
    }

    // MARK: Updates

    @Test("telex import --update keeps edits, takes changes, and changes nothing the second time")
    func update() async throws {
        let sandbox = try await Self.sandbox()
        try sandbox.replace(
            "goods.list: { get: goods,", by: "goods.list: # moved\n    { get: wares,",
            in: "spec/goods.yaml")
        try sandbox.write("spec/own.yaml", "methods:\n  get: { get: own }\n")
        try sandbox.write(
            "shop.yaml",
            Self.description(
                limit: "{ type: integer, maximum: 50 }",
                more: "  /news:\n    get: { tags: [news], operationId: getNews, "
                    + "responses: { \"204\": { description: ok } } }"))
        let run = try await TelexTool.run(Self.update + ["--exclude", "users"], in: sandbox)
        #expect(run.errors == "1 added, 1 changed, 1 removed\n")
        #expect(run.status == 0)
        let files = try Self.content(sandbox)
        #expect(
            files["goods.yaml"] == """
                # yaml-language-server: $schema=.telex-schema/group.json

                methods:
                  goods.list: # moved
                    { get: wares, query: { limit: { type: int?, max: 50 } }, returns: [string] }

                """)
        #expect(
            files.keys.sorted() == [
                ".telex-import/api.yaml", ".telex-import/checksums", ".telex-import/goods.yaml",
                ".telex-import/news.yaml", ".telex-schema/api.json", ".telex-schema/group.json",
                "api.yaml", "goods.yaml", "import-report.md",
                "news.yaml", "own.yaml",
            ])
        #expect(files[".telex-import/goods.yaml"]?.contains("get: goods") == true)
        let again = try await TelexTool.run(Self.update + ["--exclude", "users"], in: sandbox)
        #expect(again.status == 0)
        #expect(again.errors == "1 kept as edited\n")
        #expect(try Self.content(sandbox) == files)
    }

    @Test("an update without a change says so, also where version control changed line breaks")
    func carriageReturns() async throws {
        let sandbox = try await Self.sandbox()
        for (name, text) in try Self.content(sandbox) {
            try sandbox.write(
                "spec/\(name)", text.replacingOccurrences(of: "\n", with: "\r\n"))
        }
        let before = try sandbox.read("spec/goods.yaml")
        let run = try await TelexTool.run(Self.update, in: sandbox)
        #expect(run.errors == "nothing changed\n")
        #expect(try sandbox.read("spec/goods.yaml") == before)
    }

    @Test("`telex import --update` checks the merged spec as always")
    func check() async throws {
        let sandbox = try await Self.sandbox()
        try sandbox.replace("returns: [string]", by: "returns: Nothing", in: "spec/goods.yaml")
        let run = try await TelexTool.run(Self.update, in: sandbox)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("1 kept as edited\nspec/goods.yaml:"))
    }

    // MARK: Overlays

    @Test("telex import applies overlays one after the other, before the spec is recorded")
    func overlays() async throws {
        let sandbox = try await Self.sandbox()
        try sandbox.write("a.yaml", "methods: { goods.list: { query: { limit: { max: 9 } } } }\n")
        try sandbox.write("b.yaml", "methods: { goods.list: { query: { limit: { max: 8 } } } }\n")
        let options = ["--overlay", "a.yaml", "--overlay", "b.yaml"]
        let run = try await TelexTool.run(Self.update + options, in: sandbox)
        #expect(run.errors == "1 changed\n")
        let text = try sandbox.read("spec/goods.yaml")
        #expect(text.contains("limit: { type: int?, max: 8 }"))
        #expect(try sandbox.read("spec/.telex-import/goods.yaml") == text)
    }

    @Test("telex import writes nothing with an overlay that meets nothing, or is missing")
    func badOverlay() async throws {
        let sandbox = try await Self.sandbox()
        let before = try Self.content(sandbox)
        try sandbox.write("a.yaml", "methods: { goods.lst: { retry: none } }\n")
        for (file, error) in [
            ("a.yaml", "a.yaml:1:12: error: `methods` has no `goods.lst` [T1007]"),
            ("no.yaml", "no.yaml:1:1: error: cannot be read"),
        ] {
            let run = try await TelexTool.run(Self.update + ["--overlay", file], in: sandbox)
            #expect(run.status == 1)
            #expect(run.errors.hasPrefix(error), "\(run.errors)")
        }
        #expect(try Self.content(sandbox) == before)
    }
}
