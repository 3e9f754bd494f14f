import Foundation
import ProcessSupport
import Testing

@Suite("Exported descriptions")
struct ValidityTests {
    private static let specs = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("specs")

    /// The Python that has `openapi-spec-validator`, which has the schemas of the specification. It
    /// stays in the build folder; nil if there is no Python, or no network.
    private static let validator = Task<String?, any Error> {
        let environment = SwiftToolchain.root.appendingPathComponent(".build/openapi-validator")
        let made = try await Run.program(
            "/usr/bin/env", ["python3", "-m", "venv", environment.path])
        guard made.status == 0 else { return nil }
        let python = environment.appendingPathComponent("bin/python").path
        let options = ["--quiet", "--disable-pip-version-check", "--retries", "1"]
        let installed = try await Run.program(
            python, ["-m", "pip", "install"] + options + ["openapi-spec-validator==0.9.0"])
        return installed.status == 0 ? python : nil
    }

    /// Prints the errors of each file, and whether YAML and JSON say the same.
    private static let script = """
        import json, sys, yaml
        from openapi_spec_validator import OpenAPIV31SpecValidator

        def without(value):
            if isinstance(value, dict):
                return {k: without(v) for k, v in value.items() if k != "x-telex"}
            return [without(v) for v in value] if isinstance(value, list) else value

        for name in sys.argv[1:]:
            one = yaml.safe_load(open(name + ".yaml", encoding="utf-8"))
            other = json.load(open(name + ".json", encoding="utf-8"))
            if without(one) != without(other):
                print(name, "differs in YAML and JSON")
            for error in OpenAPIV31SpecValidator(one).iter_errors():
                print(name, list(error.absolute_path)[:8], error.message[:300])
        print("done", len(sys.argv) - 1)
        """

    @Test(
        "exported descriptions are valid OpenAPI 3.1, and the same in YAML and JSON",
        .enabled("needs `python3 -m venv` and the package `openapi-spec-validator` from PyPI") {
            try await validator.value != nil
        })
    func areValid() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let python = try #require(try await Self.validator.value)
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.specs.path)
            .filter { !$0.hasPrefix(".") }.sorted()
        try #require(names.count >= 10)
        for name in names {
            let export = try Exported(folder: Self.specs.appendingPathComponent(name)).export
            let file = folder.appendingPathComponent(name)
            try Data(export.yaml.utf8).write(to: file.appendingPathExtension("yaml"))
            try Data(export.json.utf8).write(to: file.appendingPathExtension("json"))
        }
        try Data(Self.script.utf8).write(to: folder.appendingPathComponent("check.py"))
        let run = try await Run.program(python, ["check.py"] + names, in: folder)
        #expect(run.output == "done \(names.count)\n", "\(run.errors)")
    }
}
