import Foundation
import SpecDiagnostics
import SpecExport
import SpecIR
import SpecImport
import TelexCompiler
import Testing

/// A spec that was exported.
struct Exported {
    /// The IR of the spec.
    let api: API
    let export: OpenAPIExport

    /// Exports files of a spec, by path.
    init(_ files: [String: String], hasExtensions: Bool = true) throws {
        let compilation = Self.compile(files.mapValues { Array($0.utf8) })
        let errors = LineRenderer().render(compilation.diagnostics, in: compilation.sources)
        api = try #require(compilation.api, "\(errors.prefix(2000))")
        export = OpenAPIExport(
            compilation.spec, api: api, sources: compilation.sources, hasExtensions: hasExtensions)
    }

    /// Exports a folder.
    init(folder: URL) throws {
        let paths = FileManager.default.subpaths(atPath: folder.path) ?? []
        let files = try paths.filter(OutputName.isInput).map { path in
            (path, try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8))
        }
        try self.init(Dictionary(uniqueKeysWithValues: files))
    }

    private static func compile(_ files: [String: [UInt8]]) -> Compilation {
        TelexCompiler.check(
            SpecFolder(
                shownPath: "",
                files: files.map {
                    SpecFolder.File(relativePath: $0.key, shownPath: $0.key, bytes: $0.value)
                }))
    }

    // MARK: Back

    /// What an import of a description gives.
    struct Restored {
        let result: DescriptionImport
        let sources: SourceMap

        init(_ text: String, named name: String) {
            var sources = SourceMap()
            _ = sources.add(path: name, text: text)
            self.sources = sources
            result = DescriptionImport(openAPI: sources.files)
        }

        /// The errors of the import, a line each.
        var errors: String { LineRenderer().render(result.diagnostics, in: sources) }

        /// The text of a file; empty without it.
        func file(_ name: String) -> String {
            result.files.first { $0.name == name }?.text ?? ""
        }

        /// The spec, compiled.
        var compilation: Compilation {
            Exported.compile(
                Dictionary(
                    result.files.map { ($0.name, Array($0.text.utf8)) },
                    uniquingKeysWith: { first, _ in first }))
        }
    }

    /// Expects that an import gives the same IR, and loses nothing.
    func expectRoundTrip(_ name: String = "", isJSON: Bool = false) {
        let file = isJSON ? "openapi.json" : "openapi.yaml"
        let restored = Restored(isJSON ? export.json : export.yaml, named: file)
        #expect(restored.errors == "", "\(name)")
        #expect(restored.result.report.losses.map(\.detail) == [], "\(name)")
        let compilation = restored.compilation
        let errors = LineRenderer().render(compilation.diagnostics, in: compilation.sources)
        #expect(compilation.api != nil, "\(name): \(errors.prefix(2000))")
        // Without the two values, which are too long to read.
        let isSame = compilation.api == api
        #expect(isSame, "\(name): the IR differs; compare both with `telex dump ir`")
    }
}
