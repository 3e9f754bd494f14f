import Foundation
import ProcessSupport
import SpecDiagnostics
import SpecIR
import TestSupport
import Testing

@testable import SpecSyntax

@Suite("The JSON Schema of spec files")
struct SchemaTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let catalogue = root.appending(
        path: "Sources/TelexCompiler/TelexCompiler.docc")
    private static let needed: Comment =
        "needs `python3 -m venv` and the package `jsonschema` from PyPI"

    /// A file of a spec.
    private struct Document {
        let name: String
        let file: String
        let text: String
        var schema: JSONSchema { JSONSchema(ofFile: file) }
    }

    /// The files of `specs`, and the examples of the pages.
    private static func documents() throws -> [Document] {
        let specs = root.appending(path: "specs")
        var documents: [Document] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: specs.path).sorted() {
            let steps = path.split(separator: "/")
            guard steps.count > 1, OutputName.isSpec(path) else { continue }
            documents.append(
                Document(
                    name: path, file: steps.dropFirst().joined(separator: "/"),
                    text: try String(contentsOf: specs.appending(path: path), encoding: .utf8)))
        }
        for page in SpecPage.names(in: catalogue) {
            let folders = try SpecPage(catalogue.appending(path: "\(page).md")).folders
            for (folder, files) in folders.sorted(by: { $0.key < $1.key }) {
                for (file, text) in files.sorted(by: { $0.key < $1.key })
                where OutputName.isSpec(file) {
                    documents.append(
                        Document(name: "\(page) \(folder) \(file)", file: file, text: text))
                }
            }
        }
        return documents
    }

    /// A parsed file, and what the parser alone says of it.
    private static func parse(
        _ text: String, as schema: JSONSchema
    ) -> (root: YAMLNode?, bytes: SourceFile, bag: DiagnosticBag) {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let path = schema == .api ? "api.yaml" : "users.yaml"
        let source = sources.add(path: path, text: text)
        let root = YAMLReader.read(source, into: &bag)
        bag = DiagnosticBag()
        _ = SpecParser.parse(
            [SpecFile(path: path, source: source)], hasUnreadableAPI: true, into: &bag)
        return (root, source, bag)
    }

    /// The first problem of each document by the schemas; nil for a valid one.
    private static func problems(
        of documents: [(schema: JSONSchema, root: YAMLNode)]
    ) async throws -> [String?] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "telex-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for schema in JSONSchema.allCases {
            try Data(schema.text.utf8).write(to: folder.appending(path: schema.rawValue))
        }
        let lines = documents.map { "[\"\($0.schema.rawValue)\", \($0.root.json)]\n" }
        try Data(lines.joined().utf8).write(to: folder.appending(path: "documents"))
        let validator = try #require(try await SchemaValidator.installed.value)
        let result = try await validator.run(
            """
            import json
            from jsonschema import Draft7Validator
            schemas = {}
            for name in ["api", "group"]:
                schema = json.load(open(name))
                Draft7Validator.check_schema(schema)
                schemas[name] = Draft7Validator(schema)
            for line in open("documents", encoding="utf-8"):
                name, document = json.loads(line)
                error = next(schemas[name].iter_errors(document), None)
                place = "/".join(str(step) for step in error.absolute_path) if error else ""
                print(f"{place}: {error.message[:200]}".replace("\\n", " ") if error else "")
            """, in: folder)
        return result.map { $0.isEmpty ? nil : $0 }
    }

    @Test(
        "the JSON Schema accepts all files of this repository's specs and all examples of the pages",
        .enabled(needed) { try await SchemaValidator.installed.value != nil })
    func valid() async throws {
        let documents = try Self.documents()
        #expect(documents.count > 150)
        let parsed = try documents.map { document in
            (document.schema, try #require(Self.parse(document.text, as: document.schema).root))
        }
        let problems = try await Self.problems(of: parsed)
        try #require(problems.count == documents.count)
        for (document, problem) in zip(documents, problems) {
            #expect(problem == nil, "\(document.name)")
        }
    }

    /// A file with one other value.
    private struct Mutant {
        let place: String
        let original: Document
        let text: String
        let root: YAMLNode
        /// The errors of the parser.
        let codes: [String]
    }

    /// What the compiler says of a text in place of a document.
    private static func messages(of text: String, as document: Document) -> Set<String> {
        var files = [document.file: text]
        if document.schema == .group { files["api.yaml"] = Analysis.smallAPI }
        return Set(Analysis(files).bag.all.map { "\($0.code.id) \($0.message)" })
    }

    /// Values of every kind, of which most are wrong at a place.
    private static let values = [
        "true", "7", "-1", "1.5", "word", "\"\"", "", "[]", "{}", "[7, word]", "a b!",
        "[User]", "{ zzz: 1 }", "5s", "a.b", "{ type: zzz, 1: 2 }",
    ]

    /// The values of a document with their places, without names that the author chose.
    private static func places(
        _ node: YAMLNode, _ path: String
    ) -> [(path: String, node: YAMLNode)] {
        switch node.kind {
        case .scalar: []
        case .sequence: node.items.flatMap { [("\(path)/-", $0)] + places($0, "\(path)/-") }
        case .mapping:
            node.entries.flatMap { entry in
                let key = isKnown(entry.key.text) ? entry.key.text : "*"
                return [("\(path)/\(key)", entry.value)] + places(entry.value, "\(path)/\(key)")
            }
        }
    }

    /// The last steps of a place: what is above them makes no difference.
    private static func end(of path: String) -> String {
        path.split(separator: "/").suffix(3).joined(separator: "/")
    }

    private static func isKnown(_ key: String) -> Bool {
        MappingSchema.api.accepts(key) || MappingSchema.group.accepts(key)
            || MappingSchema.method.accepts(key) || TypeNames.isAttribute(key)
    }

    /// The codes of mistakes that the schema does not see, as the page lists them. Those are left out
    /// that no value here causes where the schema is meant to see them.
    private static func listedCodes() throws -> Set<String> {
        let text = try SpecPage(catalogue.appending(path: "EditorSchema.md")).text
        return Set(text.matches(of: /T[0-9]{4}/).map { String($0.output) })
            .subtracting(["T0107", "T0110", "T0112"])
    }

    @Test(
        "the JSON Schema refuses what the parser refuses, besides the differences of its page",
        .enabled(needed) { try await SchemaValidator.installed.value != nil })
    func refusals() async throws {
        var seen: Set<String> = []
        var mutants: [Mutant] = []
        // A large file takes long to be parsed again and again.
        for document in try Self.documents() where document.text.utf8.count < 2500 {
            // One that needs other files is not checked as a whole.
            guard Self.messages(of: document.text, as: document).isEmpty else { continue }
            let (root, source, _) = Self.parse(document.text, as: document.schema)
            for (path, node) in Self.places(try #require(root), document.schema.rawValue)
            where seen.insert(Self.end(of: path)).inserted {
                // Tests beside this one get their turns.
                await Task.yield()
                for (index, value) in Self.values.enumerated() where (index + seen.count) % 3 == 0 {
                    var bytes = source.bytes
                    bytes.replaceSubrange(
                        Int(node.span.start)..<Int(node.span.end), with: Array((" " + value).utf8))
                    let text = String(decoding: bytes, as: UTF8.self)
                    let mutant = Self.parse(text, as: document.schema)
                    // A text that is no YAML has no verdict of the schema.
                    guard let root = mutant.root else { continue }
                    mutants.append(
                        Mutant(
                            place: "\(path): \(value)", original: document, text: text, root: root,
                            codes: mutant.bag.all.filter { $0.severity == .error }.map(\.code.id)))
                }
            }
        }
        #expect(mutants.count > 300)
        let problems = try await Self.problems(of: mutants.map { ($0.original.schema, $0.root) })
        try #require(problems.count == mutants.count)
        let listed = try Self.listedCodes()
        for (mutant, problem) in zip(mutants, problems) {
            await Task.yield()
            if problem == nil {
                let missed = Set(mutant.codes).subtracting(listed)
                #expect(missed == [], "\(mutant.place)")
            } else if mutant.codes.isEmpty {
                let messages = Self.messages(of: mutant.text, as: mutant.original)
                #expect(messages != [], "\(mutant.place): \(problem ?? "")")
            }
        }
    }
}

extension YAMLNode {
    /// The value as JSON, by the core schema of YAML.
    fileprivate var json: String {
        switch kind {
        case .mapping:
            "{" + entries.map { "\($0.key.text.quoted): \($0.value.json)" }.joined(separator: ", ")
                + "}"
        case .sequence: "[" + items.map(\.json).joined(separator: ", ") + "]"
        case .scalar:
            isNull ? "null" : boolean.map(String.init) ?? numberText ?? text.quoted
        }
    }
}

extension String {
    /// As a string of JSON.
    fileprivate var quoted: String {
        String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self)
    }
}
