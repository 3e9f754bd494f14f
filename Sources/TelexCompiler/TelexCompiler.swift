import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import SwiftEmitter

/// Compiles spec files to Swift files or diagnostics. The compiler is pure: equal folders give
/// equal results on every machine, regardless of the order of their files.
public enum TelexCompiler {
    /// Checks a folder.
    public static func check(_ folder: SpecFolder) -> Compilation {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let files = add(folder, to: &sources)
        let spec = SpecParser.parse(files, hasUnreadableAPI: folder.hasUnreadableAPI, into: &bag)
        var result = Compilation(sources: sources, diagnostics: bag, spec: spec)
        if !folder.problems.isEmpty { result.spec.isComplete = false }
        TemplateTypes.add(to: &result.spec, &result.sources, into: &result.diagnostics)
        result.requireFiles(of: folder)
        result.reportProblems(of: folder)
        let api = SpecAnalyzer.analyze(result.spec, into: &result.diagnostics)
        if api != nil { result.requireDistinctOutputs(of: files) }
        LintPolicy.apply(result.spec, to: &result.diagnostics)
        result.api = result.diagnostics.hasErrors ? nil : api
        return result
    }

    /// Checks a folder and, if there are no errors, generates Swift.
    ///
    /// - Parameters:
    ///   - folder: The spec.
    ///   - parts: The number of Swift files that each spec file becomes, by its path, where a build
    ///     tool has declared them already. By default, it depends on the size of the spec file.
    public static func compile(_ folder: SpecFolder, parts: [String: Int]? = nil) -> Compilation {
        var result = check(folder)
        if let api = result.api {
            result.files = SwiftEmitter.emit(api, parts: parts ?? folder.parts)
                .sorted { $0.name < $1.name }
        }
        return result
    }

    private static func add(_ folder: SpecFolder, to sources: inout SourceMap) -> [SpecFile] {
        folder.files.sorted { $0.relativePath < $1.relativePath }.map { file in
            SpecFile(
                path: file.relativePath,
                source: sources.add(path: file.shownPath, bytes: file.bytes))
        }
    }
}

extension SpecFolder {
    /// The number of Swift files that each file becomes, by its path.
    fileprivate var parts: [String: Int] {
        var parts: [String: Int] = [:]
        for file in files {
            let path = file.relativePath
            parts[path] = OutputName.parts(forSpec: path, size: file.bytes.count)
        }
        return parts
    }

    /// Whether it has an `api.yaml` that could not be read.
    fileprivate var hasUnreadableAPI: Bool {
        problems.contains { problem in
            let name = problem.shownPath.split(separator: "/").last.map(String.init) ?? ""
            return problem.code == .unreadable && OutputName.isAPI(name)
        }
    }
}

extension Compilation {
    /// Reports a folder without files. The parser cannot, because it has no span.
    fileprivate mutating func requireFiles(of folder: SpecFolder) {
        guard folder.problems.isEmpty,
            !folder.files.contains(where: { OutputName.isSpec($0.relativePath) })
        else { return }
        let source = sources.add(path: folder.shownPath, bytes: [])
        diagnostics.report(
            .missingAPI, "the folder has no YAML files", at: source.start,
            help: "`telex new FOLDER` writes a folder to start from")
    }

    fileprivate mutating func reportProblems(of folder: SpecFolder) {
        for problem in folder.problems.sorted(by: { $0.shownPath < $1.shownPath }) {
            let source = sources.add(path: problem.shownPath, bytes: [])
            diagnostics.report(problem.code, problem.message, at: source.start, help: problem.help)
        }
    }

    /// Reports two spec files with the same Swift file name, ignoring case.
    fileprivate mutating func requireDistinctOutputs(of files: [SpecFile]) {
        var makers: [String: SpecFile] = [:]
        if let api = files.first(where: { OutputName.isAPI($0.path) }) {
            for name in OutputName.common(forSpecs: files.map(\.path)) {
                makers[name.lowercased()] = api
            }
        }
        for file in files
        where OutputName.isSpec(file.path) && !OutputName.isAPI(file.path) {
            let parts = OutputName.parts(forSpec: file.path, size: file.source.bytes.count)
            for name in OutputName.files(forSpec: file.path, parts: parts) {
                guard let first = makers.updateValue(file, forKey: name.lowercased()) else {
                    continue
                }
                diagnostics.report(
                    .outputCollision,
                    "`\(first.path)` and `\(file.path)` would both generate `\(name)`",
                    at: file.source.start,
                    notes: [Diagnostic.Note("the other file", at: first.source.start)],
                    help: "rename one of the two")
            }
        }
    }
}
