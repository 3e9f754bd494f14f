import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecImport
import TelexCompiler

/// What all imports have in common.
struct ImportOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder of the spec; created if missing.", valueName: "folder"))
    var output: String

    @Option(help: ArgumentHelp("The file of the report.", valueName: "file"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "The Swift name of the API, instead of one of its title.", valueName: "name"))
    var api: String?

    @Option(
        help: ArgumentHelp(
            "Only operations with this tag, id, or beginning of the path (`/users`).",
            valueName: "choice"))
    var include: [String] = []

    @Option(
        help: ArgumentHelp(
            "No operations with this tag, id, or beginning of the path.", valueName: "choice"))
    var exclude: [String] = []

    @Flag(help: "Let replies that break the description only be reported (`validate: warn`).")
    var tolerant = false

    @Flag(help: "Overwrite a folder with files that are yours, or that you have changed.")
    var force = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        try requireFolder(output, "--output")
        if let api, api.wholeMatch(of: #/[A-Z][A-Za-z0-9]*/#) == nil {
            throw ValidationError("--api is a Swift name, such as MyShop.")
        }
    }

    /// Reads files, translates them, and writes the spec.
    ///
    /// - Parameters:
    ///   - files: The files, with the names by which they refer to each other.
    ///   - translate: Makes a spec of the files.
    func run(
        _ files: [(path: String, name: String)],
        by translate: ([SourceFile], DescriptionImport.Options) -> DescriptionImport
    ) throws {
        var sources = SourceMap()
        var report = Report()
        for file in files { read(file.path, named: file.name, into: &sources, &report) }
        try reporting.stop(report)
        if sources.files.map(\.bytes.count).reduce(0, +) > 1 << 20, Console.isTerminal {
            let names = files.prefix(3).map(\.path).joined(separator: ", ")
            Console.printError("reading \(names)…\n")
        }
        var options = DescriptionImport.Options()
        options.selection = OperationSelection(including: include, excluding: exclude)
        options.api = api
        options.isTolerant = tolerant
        let result = translate(sources.files, options)
        try reporting.stop(Report(result.diagnostics, sources))
        let folder = ImportedFolder(path: output)
        do {
            try folder.write(
                result.files, report: result.page(sources), at: self.report, replacing: force)
        } catch {
            report.add(error.code, error.message, at: error.path, help: error.help)
            return try reporting.finish(report)
        }
        summarize(result)
        let check = TelexCompiler.check(SpecFolderReader.read(output))
        reporting.show(Report(check))
        let hasLosses = reporting.strict && !result.report.losses.isEmpty
        if hasLosses || reporting.fails(check.diagnostics) { throw ExitCode.failure }
    }

    private func read(
        _ path: String, named name: String, into sources: inout SourceMap, _ report: inout Report
    ) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            _ = sources.add(path: name, bytes: Array(data))
        } catch {
            report.add(
                .unreadable, "cannot be read: \(error.localizedDescription)", at: path,
                help: "check the path")
        }
    }

    private func summarize(_ result: DescriptionImport) {
        let losses = result.report.counts
        var text = "\(result.methodCount) methods, \(result.modelCount) models\n"
        if !losses.isEmpty {
            let total = losses.map(\.count).reduce(0, +)
            let page = report ?? output + "/import-report.md"
            text += total == 1 ? "1 detail is" : "\(total) details are"
            text += " not in the spec; see \(page):\n"
        }
        for (kind, count) in losses {
            let number = String(repeating: " ", count: max(0, 7 - "\(count)".count)) + "\(count)"
            text += "\(number)  \(kind.title)\n"
        }
        Console.printError(text)
    }
}
