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
            given, too; nothing is loaded from servers.

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

    @Flag(help: "Overwrite a folder that has files of yours.")
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
                result.files, report: ("import-report.md", result.page(sources)), at: self.report,
                replacing: force)
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

/// The folder of an imported spec.
struct ImportedFolder {
    struct Problem: Error {
        let code: DiagnosticCode
        let path: String
        let message: String
        var help: String?
    }

    /// Its path, as given and as shown.
    let path: String

    /// Writes all files to a folder beside it first, which then takes its place, so that a failure
    /// leaves everything as it was.
    func write(
        _ files: [(name: String, text: String)], report: (name: String, text: String),
        at reportPath: String?, replacing: Bool
    ) throws(Problem) {
        let url = URL(fileURLWithPath: path)
        let manager = FileManager.default
        if manager.fileExists(atPath: path), !replacing { try checkEmpty(url) }
        let temporary = url.deletingLastPathComponent().appendingPathComponent(
            ".\(url.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier).telex")
        defer { try? manager.removeItem(at: temporary) }
        do {
            try manager.createDirectory(at: temporary, withIntermediateDirectories: true)
            for (name, text) in files {
                try Data(text.utf8).write(to: temporary.appendingPathComponent(name))
            }
            let page =
                reportPath.map { URL(fileURLWithPath: $0) }
                ?? temporary.appendingPathComponent(report.name)
            try Data(report.text.utf8).write(to: page)
            try move(temporary, to: url)
        } catch {
            throw Problem(
                code: .unwritable, path: path,
                message: "cannot be written: \(error.localizedDescription)")
        }
    }

    private func checkEmpty(_ url: URL) throws(Problem) {
        guard FolderWalk.isFolder(url) else {
            throw Problem(
                code: .notEmpty, path: path, message: "a file of this name exists",
                help: "name a folder that does not exist yet")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        guard names.contains(where: { !$0.hasPrefix(".") }) else { return }
        throw Problem(
            code: .notEmpty, path: path, message: "the folder is not empty",
            help: "name another folder, or write `--force` to overwrite the files in it")
    }

    /// Moves the files into the folder; those of its own that have other names stay.
    private func move(_ temporary: URL, to url: URL) throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: url.path) else {
            return try manager.moveItem(at: temporary, to: url)
        }
        for name in try manager.contentsOfDirectory(atPath: temporary.path) {
            let (from, to) = (
                temporary.appendingPathComponent(name), url.appendingPathComponent(name)
            )
            guard rename(from.path, to.path) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
    }
}
