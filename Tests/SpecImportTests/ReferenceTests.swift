import SpecDiagnostics
import SpecImport
import Testing

@Suite("References lead to schemas of all files that are given")
struct ReferenceTests {
    private static func api(_ reference: String) -> String {
        """
        openapi: 3.0.3
        info: { title: Shop, version: "1" }
        servers: [{ url: https://shop.example/v1 }]
        paths:
          /x:
            get:
              operationId: get
              responses:
                "200":
                  description: ok
                  content: { application/json: { schema: { $ref: "\(reference)" } } }
        components:
          schemas:
            "a/b~c d": { type: object, properties: { id: { type: integer } } }
            Circle: { $ref: "#/components/schemas/Circle" }
            Node:
              type: object
              properties:
                next: { $ref: "#/components/schemas/Node" }
              required: [next]
        """
    }

    @Test("references with escapes of JSON pointers and percent signs lead to schemas")
    func escapes() {
        let imported = Imported(["api.yaml": Self.api("#/components/schemas/a~1b~0c%20d")])
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        #expect(imported.file("x.yaml").contains("returns: ABCD }\n"))
    }

    @Test("references lead to schemas of a file in another folder, which refers back")
    func files() {
        let imported = Imported([
            "specs/api.yaml": Self.api("../models/user.json#/definitions/User"),
            "models/user.json": """
            {"definitions": {"User": {"type": "object", "properties": {
                "name": {"type": "string", "example": "\\ud83d\\ude00"},
                "node": {"$ref": "../specs/./api.yaml#/components/schemas/Node"}
            }}}}
            """,
        ])
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        #expect(imported.file("x.yaml").contains("node: Node?"))
        #expect(imported.file("x.yaml").contains("example: \"\u{1F600}\""))
    }

    @Test("references in circles lead to schemas")
    func circles() {
        let circle = Imported(["api.yaml": Self.api("#/components/schemas/Circle")])
        #expect(circle.errors == "")
        #expect(circle.diagnostics == "")
        #expect(circle.losses["schema that refers to nothing but itself"] == 1)
        let node = Imported(["api.yaml": Self.api("#/components/schemas/Node")])
        #expect(node.diagnostics == "")
        #expect(node.losses["required object inside itself"] == 1)
    }

    @Test(
        "a reference that leads nowhere is any JSON and a loss",
        arguments: ["#/components/schemas/Nothing", "#no-pointer", "https://a.example/b.yaml#/A"])
    func dangling(reference: String) {
        let imported = Imported(["api.yaml": Self.api(reference)])
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        #expect(imported.losses["reference that leads nowhere"] == 1)
    }

    @Test("a reference to a file that is missing is an error, which names the file")
    func missingFile() {
        let imported = Imported(["api.yaml": Self.api("other.yaml#/A")])
        #expect(imported.errors.hasPrefix("api.yaml:11:"))
        #expect(imported.errors.contains("`other.yaml` is not among the files"))
        #expect(imported.errors.contains("[T1004]"))
        #expect(imported.result.files.isEmpty)
    }

    @Test("a file in the folder of the description is read when a reference names it")
    func following() throws {
        var sources = SourceMap()
        let root = sources.add(path: "specs/api.yaml", text: Self.api("parts/a.yaml#/A"))
        var asked: [String] = []
        let result = DescriptionImport(openAPI: [root]) { path in
            asked.append(path)
            return path == "specs/parts/a.yaml"
                ? sources.add(path: path, text: "A: { $ref: \"../../b.yaml\" }") : nil
        }
        #expect(asked == ["specs/parts/a.yaml"])
        #expect(LineRenderer().render(result.diagnostics, in: sources).contains("`b.yaml`"))
    }
}
