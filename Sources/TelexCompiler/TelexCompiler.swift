import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import SwiftEmitter

/// A folder of specs, read into memory.
public struct SpecFolder: Sendable {
    /// One file of the folder.
    public struct File: Sendable {
        /// Its path relative to the folder, with `/`.
        public var relativePath: String
        /// Its path as people are shown it.
        public var shownPath: String
        /// Its content.
        public var bytes: [UInt8]

        /// Creates a file.
        public init(relativePath: String, shownPath: String, bytes: [UInt8]) {
            self.relativePath = relativePath
            self.shownPath = shownPath
            self.bytes = bytes
        }
    }

    /// The YAML files.
    public var files: [File]

    /// Creates a folder.
    public init(files: [File]) {
        self.files = files
    }
}

/// What the compiler made of a folder.
public struct Compilation: Sendable {
    /// The files, for rendering diagnostics.
    public let sources: SourceMap
    /// What is wrong, in order of place.
    public let diagnostics: DiagnosticBag
    /// What was written.
    public let spec: Spec
    /// What it means; `nil` if there are errors.
    public let api: API?
    /// The generated files; empty if there are errors, or if none were asked for.
    public let files: [GeneratedFile]
}

/// The compiler: pure over source files.
public enum TelexCompiler {
    /// Checks a folder.
    public static func check(_ folder: SpecFolder) -> Compilation {
        run(folder, emits: false)
    }

    /// Checks a folder and writes Swift.
    public static func compile(_ folder: SpecFolder) -> Compilation {
        run(folder, emits: true)
    }

    private static func run(_ folder: SpecFolder, emits: Bool) -> Compilation {
        let ordered = folder.files.sorted { $0.relativePath < $1.relativePath }
        var sources = SourceMap()
        let files = ordered.map {
            SpecFile(
                path: $0.relativePath, source: sources.add(path: $0.shownPath, bytes: $0.bytes))
        }
        var bag = DiagnosticBag()
        let spec = SpecParser.parse(files, into: &bag)
        let api = SpecAnalyzer.analyze(spec, into: &bag)
        let generated = emits ? api.map(SwiftEmitter.emit) : nil
        return Compilation(
            sources: sources, diagnostics: bag, spec: spec, api: api, files: generated ?? [])
    }
}
