import Foundation
import TestSupport

/// Python's `jsonschema` in a virtual environment of its own, as a second opinion.
struct SchemaValidator {
    private let python: String

    /// Installs the package in `folder`; nil if there is no Python, or no network.
    init?(in folder: URL) async throws {
        let environment = folder.appendingPathComponent("python")
        let made = try await Run.program(
            "/usr/bin/env", ["python3", "-m", "venv", environment.path])
        guard made.status == 0 else { return nil }
        python = environment.appendingPathComponent("bin/python").path
        let options = ["--quiet", "--disable-pip-version-check", "--retries", "1"]
        let installed = try await Run.program(
            python, ["-m", "pip", "install"] + options + ["jsonschema==4.26.0"])
        guard installed.status == 0 else { return nil }
    }

    /// Returns the keys of each document whose values are invalid, missing ones included.
    ///
    /// - Parameters:
    ///   - schemas: For each model a JSON object: the schema of each key, and under `$required` the
    ///     keys that documents need.
    ///   - documents: Lines of the model's index, a tab, and a JSON object.
    func verdicts(_ schemas: [String], _ documents: [String], in folder: URL) async throws
        -> [String]
    {
        let files = ["schemas": schemas, "documents": documents, "check.py": [Self.script]]
        for (name, lines) in files {
            let text = lines.joined(separator: "\n")
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let run = try await Run.program(python, ["check.py"], in: folder)
        return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    private static let script = """
        import json
        from jsonschema import Draft202012Validator

        models = []
        for line in open("schemas", encoding="utf-8"):
            model = json.loads(line)
            needed = model.pop("$required")
            models.append((needed, {k: Draft202012Validator(v) for k, v in model.items()}))
        for line in open("documents", encoding="utf-8"):
            index, text = line.rstrip("\\n").split("\\t", 1)
            needed, validators = models[int(index)]
            document = json.loads(text)
            bad = {k for k in needed if k not in document}
            bad |= {k for k, v in document.items() if not validators[k].is_valid(v)}
            print(" ".join(sorted(bad)))
        """
}
