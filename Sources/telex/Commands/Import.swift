import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecImport
import TelexCompiler

/// `telex import`
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a spec folder of a description in another format.",
        subcommands: [ImportOpenAPI.self])
}

/// `telex import openapi`
struct ImportOpenAPI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Make a spec folder of an OpenAPI description (2.0, 3.0, 3.1).",
        discussion: """
            Reads JSON and YAML. What a spec cannot say is reported by kind and place: a summary on \
            standard error, and the whole in import-report.md. Files that a `$ref` names have to be \
            given, too; nothing is loaded from servers. A second import replaces what the first one \
            wrote, unless it was changed.

              telex import openapi openapi.yaml --output Specs
              telex import openapi api.json models.json --output Specs --include users --include /orders
            """)

    @Argument(help: ArgumentHelp("The files of the description.", valueName: "file"))
    var files: [String]

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

    func run() throws {
        var sources = SourceMap()
        var report = Report()
        for path in files { read(path, into: &sources, &report) }
        try reporting.stop(report)
        if sources.files.map(\.bytes.count).reduce(0, +) > 1 << 20, Console.isTerminal {
            Console.printError("reading \(files.joined(separator: ", "))…\n")
        }
        var options = OpenAPIImport.Options()
        options.selection = OperationSelection(including: include, excluding: exclude)
        options.api = api
        options.isTolerant = tolerant
        let result = OpenAPIImport(sources.files, options: options)
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

    private func read(_ path: String, into sources: inout SourceMap, _ report: inout Report) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            _ = sources.add(path: path, bytes: Array(data))
        } catch {
            report.add(
                .unreadable, "cannot be read: \(error.localizedDescription)", at: path,
                help: "check the path")
        }
    }

    private func summarize(_ result: OpenAPIImport) {
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
