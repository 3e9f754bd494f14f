import SpecDiagnostics
import SpecImport
import TelexCompiler

/// A description that was imported, and what the compiler says about the spec.
struct Imported {
    let result: DescriptionImport
    let sources: SourceMap

    /// Imports files of a description, by path; the first one is shown first in messages.
    init(
        _ files: KeyValuePairs<String, String>,
        _ options: DescriptionImport.Options = DescriptionImport.Options()
    ) {
        self.init(files.map { ($0.key, Array($0.value.utf8)) }, options)
    }

    init(
        _ files: [(path: String, bytes: [UInt8])],
        _ options: DescriptionImport.Options = DescriptionImport.Options()
    ) {
        self.init(files) { DescriptionImport(openAPI: $0, options: options) }
    }

    /// Imports files of the VK API's schema.
    init(
        vk files: [(path: String, bytes: [UInt8])],
        _ options: DescriptionImport.Options = DescriptionImport.Options()
    ) {
        self.init(files) { DescriptionImport(vk: $0, options: options) }
    }

    private init(
        _ files: [(path: String, bytes: [UInt8])],
        by translate: ([SourceFile]) -> DescriptionImport
    ) {
        var sources = SourceMap()
        for file in files { _ = sources.add(path: file.path, bytes: file.bytes) }
        self.sources = sources
        result = translate(sources.files)
    }

    /// The errors of the import, a line each.
    var errors: String { LineRenderer().render(result.diagnostics, in: sources) }

    /// The kinds of losses, each with its number.
    var losses: [String: Int] {
        Dictionary(
            result.report.counts.map { ($0.kind.title, $0.count) }, uniquingKeysWith: { $1 })
    }

    /// The text of a file of the spec; empty without it.
    func file(_ name: String) -> String { result.files.first { $0.name == name }?.text ?? "" }

    /// All files of the spec.
    var spec: String {
        result.files.map { "# file: \($0.name)\n\($0.text)" }.joined(separator: "\n")
    }

    /// The files of the spec, with further settings at the end of `api.yaml`.
    func files(adding settings: String = "") -> [String: String] {
        var files = Dictionary(
            result.files.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })
        files["api.yaml"]? += settings
        return files
    }

    /// What the compiler reports about the spec, warnings included.
    var diagnostics: String { Self.diagnostics(of: files()) }

    /// The folder of files, by path.
    static func folder(of files: [String: String]) -> SpecFolder {
        SpecFolder(
            shownPath: "",
            files: files.map {
                SpecFolder.File(
                    relativePath: $0.key, shownPath: $0.key, bytes: Array($0.value.utf8))
            })
    }

    /// What the compiler reports about files, by path.
    static func diagnostics(of files: [String: String]) -> String {
        let compilation = TelexCompiler.check(folder(of: files))
        return LineRenderer().render(compilation.diagnostics, in: compilation.sources)
    }

    /// Compiles the files of a spec.
    static func compiled(_ files: [(name: String, text: String)]) -> Compilation {
        TelexCompiler.check(
            folder(of: Dictionary(files.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })))
    }
}

extension Imported {
    /// Imports one operation, `GET /x`, whose reply has this schema.
    ///
    /// - Parameters:
    ///   - schema: A schema in braces.
    ///   - schemas: The schemas of `components` in braces, by name.
    init(
        replying schema: String, _ schemas: String = "{}",
        _ options: DescriptionImport.Options = DescriptionImport.Options()
    ) {
        let text = """
            openapi: 3.1.0
            info: { title: Shop, version: "1" }
            servers: [{ url: https://shop.example }]
            paths:
              /x:
                get:
                  operationId: get
                  responses:
                    "200": { description: ok, content: { application/json: { schema: \(schema) } } }
            components: { schemas: \(schemas) }
            """
        self.init(["api.yaml": text], options)
    }
}

extension Imported {
    /// Imports operations.
    ///
    /// - Parameters:
    ///   - paths: What is under `paths`, indented by two spaces.
    ///   - schemas: The schemas of `components` in braces, by name.
    ///   - version: The version of OpenAPI.
    init(paths: String, _ schemas: String = "{}", version: String = "3.0.3") {
        self.init([
            "api.yaml": """
            openapi: \(version)
            info: { title: Shop, version: "1" }
            servers: [{ url: https://shop.example }]
            components: { schemas: \(schemas) }
            paths:
            \(paths)
            """
        ])
    }

    /// Imports operations of OpenAPI 2.0, with the schemas of `definitions` in braces.
    init(paths2 paths: String, _ definitions: String = "{}") {
        self.init([
            "api.yaml": """
            swagger: "2.0"
            info: { title: Shop, version: "1" }
            host: shop.example
            definitions: \(definitions)
            paths:
            \(paths)
            """
        ])
    }

    /// Imports `POST /x` with a body.
    ///
    /// - Parameters:
    ///   - content: The content in braces, by media type.
    ///   - schemas: The schemas of `components` in braces, by name.
    ///   - version: The version of OpenAPI.
    init(sending content: String, _ schemas: String = "{}", version: String = "3.0.3") {
        self.init(
            paths: """
                  /x:
                    post:
                      operationId: send
                      requestBody: { required: true, content: \(content) }
                      responses: { "204": { description: ok } }
                """, schemas, version: version)
    }

    /// Imports `GET /x` with parameters, a list in brackets.
    init(parameters: String, _ schemas: String = "{}", path: String = "/x") {
        self.init(
            paths: """
                  "\(path)":
                    get:
                      operationId: get
                      parameters: \(parameters)
                      responses: { "204": { description: ok } }
                """, schemas)
    }

    /// The details of the losses of a kind, by its title.
    func details(_ title: String) -> [String] {
        result.report.losses.filter { $0.kind.title == title }.map(\.detail)
    }

    /// Whether the spec has a text, apart from its line breaks and indentation.
    func has(_ text: String) -> Bool {
        let words = spec.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.contains(text)
    }
}
