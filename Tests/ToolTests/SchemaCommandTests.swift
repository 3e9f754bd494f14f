import Foundation
import Testing

@Suite("telex schema")
struct SchemaCommandTests {
    @Test(
        "telex schema prints a schema of draft-07 for each kind of file",
        arguments: ["api", "group"])
    func print(file: String) async throws {
        let run = try await TelexTool.run("schema", file, in: Sandbox())
        #expect(run.status == 0)
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(json?["$schema"] as? String == "http://json-schema.org/draft-07/schema#")
        let properties = json?["properties"] as? [String: [String: Any]]
        let key = file == "api" ? "servers" : "methods"
        #expect((properties?[key]?["description"] as? String)?.isEmpty == false)
    }

    @Test("telex schema needs either a kind of file or a folder")
    func arguments() async throws {
        let sandbox = try Sandbox.withSpec()
        for arguments in [[], ["api", "--write", "spec"], ["other"], ["--write", ""]] {
            let run = try await TelexTool.run(["schema"] + arguments, in: sandbox)
            #expect(run.status == 64, "\(arguments)")
        }
    }

    @Test(
        "telex schema --write names the schemas in each file of a spec, once, and in no other file")
    func write() async throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            "specs/a/api.yaml", "telex: 1\r\napi: A\r\nservers: { a: https://a.example/ }\r\n")
        try sandbox.write("specs/a/admin/users.yaml", "methods: { list: { get: users } }\n")
        try sandbox.write(
            "specs/a/goods.yaml",
            "# yaml-language-server: $schema=https://a.example/s.json\nmodels: { Good: { id: int } }\n"
        )
        try sandbox.write("specs/other.yaml", "a: 1\n")
        for _ in 0..<2 {
            let run = try await TelexTool.run("schema", "--write", "specs", in: sandbox)
            #expect(run.status == 0, "\(run.errors)")
        }
        let line = "# yaml-language-server: $schema="
        #expect(
            try sandbox.read("specs/a/api.yaml").hasPrefix(
                "\(line)../.telex-schema/api.json\r\n\r\ntelex: 1\r\n"))
        #expect(
            try sandbox.read("specs/a/admin/users.yaml")
                == "\(line)../../.telex-schema/group.json\n\nmethods: { list: { get: users } }\n")
        #expect(try sandbox.read("specs/a/goods.yaml").hasPrefix("\(line)https"))
        #expect(try sandbox.read("specs/other.yaml") == "a: 1\n")
        #expect(try sandbox.names("specs/.telex-schema") == ["api.json", "group.json"])
        let check = try await TelexTool.run("check", "specs/a", in: sandbox)
        #expect(check.status == 0, "\(check.errors)")
    }

    @Test("telex schema --write of a folder without a spec, or without permission, changes nothing")
    func failures() async throws {
        let sandbox = try Sandbox()
        try sandbox.write("specs/other.yaml", "a: 1\n")
        let none = try await TelexTool.run("schema", "--write", "specs", in: sandbox)
        #expect(none.status == 1)
        #expect(none.errors.contains("the folder has no spec"))
        #expect(try sandbox.names("specs") == ["other.yaml"])
        try sandbox.write("specs/api.yaml", "telex: 1\n")
        try sandbox.write("specs/.telex-schema", "a file")
        let blocked = try await TelexTool.run("schema", "--write", "specs", in: sandbox)
        #expect(blocked.status == 1)
        #expect(try sandbox.read("specs/api.yaml") == "telex: 1\n")
    }

    @Test("telex new and telex import write the schemas, and the lines that name them")
    func modelines() async throws {
        let sandbox = try Sandbox()
        #expect(try await TelexTool.run("new", "shop", in: sandbox).status == 0)
        try sandbox.write(
            "api.json",
            """
            {"openapi": "3.0.0", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://a.example/"}],
            "paths": {"/users": {"get": {"tags": ["users"], "responses": {"200": {"description": "x"}}}}}}
            """)
        for arguments in [[], ["--update"]] {
            let run = try await TelexTool.run(
                ["import", "openapi", "api.json", "--output", "imported"] + arguments, in: sandbox)
            #expect(run.status == 0, "\(run.errors)")
        }
        for file in ["shop/api.yaml", "imported/api.yaml"] {
            let line = "# yaml-language-server: $schema=.telex-schema/api.json\n"
            #expect(try sandbox.read(file).hasPrefix(line), "\(file)")
        }
        #expect(try sandbox.names("imported/.telex-schema") == ["api.json", "group.json"])
    }
}
