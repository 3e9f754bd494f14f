import Foundation
import ProcessSupport
import TestSupport
import Testing

/// Compares what generated readers accept with what Python's `jsonschema` accepts.
@Suite("Generated readers")
struct DifferentialTests {
    private static let modelCount = 250
    private static let fieldCount = 8
    private static let documentCount = 12

    /// A model with fields of random types.
    private struct GeneratedModel {
        let fields: [(name: String, type: GeneratedSchema, isNeeded: Bool)]

        init(using random: inout SeededGenerator) {
            fields = (0..<DifferentialTests.fieldCount).map { index in
                (
                    "f\(index)", .random(2, using: &random),
                    Int.random(in: 0..<3, using: &random) > 0
                )
            }
        }

        var yaml: String {
            let lines = fields.map { GeneratedSchema.yaml($0.name, $0.type, $0.isNeeded) }
            return lines.map { "      \($0)\n" }.joined()
        }

        var schema: String {
            let needed = fields.filter(\.isNeeded).map { "\"\($0.name)\"" }.joined(separator: ",")
            let members = fields.map { "\"\($0.name)\":\($0.type.json)" }
            return "{\"$required\":[\(needed)],\(members.joined(separator: ","))}"
        }

        func document(using random: inout SeededGenerator) -> String {
            var members: [String] = []
            for field in fields where Int.random(in: 0..<12, using: &random) > 0 {
                members.append("\"\(field.name)\": \(field.type.value(&random))")
            }
            return "{\(members.joined(separator: ", "))}"
        }
    }

    @Test(
        "readers accept and refuse what `jsonschema` does, for thousands of schemas and values",
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"),
        .enabled("needs `python3 -m venv` and the package `jsonschema` from PyPI") {
            try await SchemaValidator.installed.value != nil
        })
    func verdicts() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-differential-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let validator = try #require(try await SchemaValidator.installed.value)
        var random = SeededGenerator(29)
        let models = (0..<Self.modelCount).map { _ in GeneratedModel(using: &random) }
        var documents: [String] = []
        for (index, model) in models.enumerated() {
            for _ in 0..<Self.documentCount {
                documents.append("\(index)\t\(model.document(using: &random))")
            }
        }
        let expected = try await validator.verdicts(models.map(\.schema), documents, in: folder)
        let found = try await Self.telex(models, documents, in: folder)
        try #require(expected.count == documents.count && found.count == documents.count)
        for (index, document) in documents.enumerated() where expected[index] != found[index] {
            Issue.record(
                """
                \(document)
                jsonschema refuses [\(expected[index])], Telex refuses [\(found[index])] of
                \(models[index / Self.documentCount].yaml)
                """)
        }
        // Both verdicts are common, or the comparison says little.
        let refused = expected.map { $0.split(separator: " ").count }.reduce(0, +)
        let verdicts = documents.count * Self.fieldCount
        #expect(refused > verdicts / 5 && refused < verdicts * 4 / 5, "\(refused) of \(verdicts)")
    }

    /// Returns the keys of each document that the generated readers refuse.
    private static func telex(
        _ models: [GeneratedModel], _ documents: [String], in folder: URL
    ) async throws -> [String] {
        let declarations = models.enumerated().map { index, model in
            "  M\(index):\n    public: true\n    fields:\n\(model.yaml)"
        }
        let spec = TestSpec(files: [
            "api.yaml": "telex: 1\napi: Client\nservers: { main: https://a.example/ }\n",
            "things.yaml": "models:\n" + declarations.joined(),
        ])
        var files = try spec.emitted()
        files["main.swift"] = program(models.count)
        let input = folder.appendingPathComponent("documents").path
        let report = try await SwiftToolchain.run(files, ["\(input)"])
        try #require(report.isSuccess, "\(report.text)")
        return report.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    private static func program(_ count: Int) -> String {
        let readers = (0..<count).map { "    { read(M\($0).self, $0) }," }
        return """
            import Foundation
            import TelexJSON

            func read<Model: JSONReadable>(_ model: Model.Type, _ bytes: [UInt8]) -> String {
                let limits = JSONLimits(violations: 1_000)
                let report = JSONReader.read(bytes, limits: limits) { json -> Model? in
                    json.value()
                }.report
                let keys = report.violations.map { String($0.path.prefix { $0 != "." && $0 != "[" }) }
                return Set(keys).sorted().joined(separator: " ")
            }

            let readers: [([UInt8]) -> String] = [
            \(readers.joined(separator: "\n"))
            ]
            let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
            for line in text.split(separator: "\\n") {
                let parts = line.split(separator: "\\t", maxSplits: 1)
                print(readers[Int(parts[0]) ?? 0](Array(parts[1].utf8)))
            }
            """
    }
}

extension SchemaValidator {
    /// Returns the keys of each document whose values are invalid, missing ones included.
    ///
    /// - Parameters:
    ///   - schemas: For each model a JSON object: the schema of each key, and under `$required` the
    ///     keys that documents need.
    ///   - documents: Lines of the model's index, a tab, and a JSON object.
    fileprivate func verdicts(_ schemas: [String], _ documents: [String], in folder: URL)
        async throws
        -> [String]
    {
        for (name, lines) in ["schemas": schemas, "documents": documents] {
            let text = lines.joined(separator: "\n")
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        return try await run(Self.script, in: folder)
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
