import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecImport
import TelexCompiler

/// A step from a description to Swift, which a process of its own takes to be measured.
enum APIStep: String, CaseIterable, ExpressibleByArgument {
    case `import`, check, emit

    /// The name of the command that takes a step.
    static let command = "api-step"

    /// Reads files, and writes what they become.
    ///
    /// - Throws: `BenchmarkFailure` after an error or a warning, which has been printed.
    func run(from input: String, to output: String) throws {
        switch self {
        case .import:
            let result = try Self.imported(input)
            for file in result.files { try Self.write(file.text, "\(output)/\(file.name)") }
            let losses = result.report.losses.map(\.kind)
            let effects = ImportReport.Effect.allCases.map { effect in
                losses.count { $0.effect == effect }
            }
            let differences = losses.count { $0.title.hasPrefix("differs: ") }
            let numbers = [result.methodCount, result.modelCount] + effects + [differences]
            print(numbers.map(String.init).joined(separator: " "))
        case .check, .emit:
            let folder = SpecFolder(shownPath: input, files: try Self.specs(in: input))
            let result =
                self == .check ? TelexCompiler.check(folder) : TelexCompiler.compile(folder)
            try Self.requireNone(result.diagnostics, result.sources)
            for file in result.files { try Self.write(file.text, "\(output)/\(file.name)") }
        }
    }

    /// Imports a file in OpenAPI, or a folder with the schema of the VK API.
    private static func imported(_ path: String) throws -> DescriptionImport {
        var sources = SourceMap()
        let result: DescriptionImport
        if isFolder(path) {
            let names = try FileManager.default.subpathsOfDirectory(atPath: path)
            for name in names.filter(DescriptionImport.isPartOfVK).sorted() {
                _ = sources.add(path: name, bytes: try bytes("\(path)/\(name)"))
            }
            result = DescriptionImport(vk: sources.files)
        } else {
            _ = sources.add(path: path, bytes: try bytes(path))
            result = DescriptionImport(openAPI: sources.files)
        }
        try requireNone(result.diagnostics, sources)
        return result
    }

    private static func isFolder(_ path: String) -> Bool {
        let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey])
        return values?.isDirectory == true
    }

    private static func specs(in folder: String) throws -> [SpecFolder.File] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            SpecFolder.File(
                relativePath: name, shownPath: name, bytes: try bytes("\(folder)/\(name)"))
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw BenchmarkFailure("\(path) cannot be read")
        }
    }

    private static func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private static func requireNone(_ bag: DiagnosticBag, _ sources: SourceMap) throws {
        if bag.all.isEmpty { return }
        let text = TerminalRenderer().render(bag, in: sources)
        FileHandle.standardError.write(Data(text.utf8))
        throw BenchmarkFailure("there are diagnostics")
    }
}
