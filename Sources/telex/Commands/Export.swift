import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecExport
import TelexCompiler

/// `telex export`
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Describe the API of a spec in another format.",
        subcommands: [ExportOpenAPI.self])
}

/// `telex export openapi`
struct ExportOpenAPI: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi",
        abstract: "Describe the API of a spec in OpenAPI 3.1.",
        discussion: """
            What OpenAPI has no word for is under x-telex, so that `telex import openapi` makes the \
            same spec of the description. Constants of the spec are in it, also sensitive ones.

              telex export openapi specs/vk --output openapi.yaml
              telex export openapi specs/vk --plain --json
            """)

    @Argument(help: ArgumentHelp("The folder that contains api.yaml.", valueName: "spec-folder"))
    var folder: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file; by default, standard output. A name that ends in .json asks for JSON.",
            valueName: "file"))
    var output: String?

    @Flag(help: "Write JSON instead of YAML.")
    var json = false

    @Flag(help: "Leave x-telex out.")
    var plain = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws { try requireFolder(folder, "The spec folder") }

    func run() throws {
        let compilation = TelexCompiler.check(SpecFolderReader.read(folder))
        var report = Report(compilation)
        guard let api = compilation.api else { return try reporting.finish(report) }
        let export = OpenAPIExport(
            compilation.spec, api: api, sources: compilation.sources, hasExtensions: !plain)
        let isJSON = json || output?.lowercased().hasSuffix(".json") == true
        let text = isJSON ? export.json : export.yaml
        if let output {
            do {
                try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
            } catch {
                report.add(
                    .unwritable, "cannot be written: \(error.localizedDescription)", at: output)
                return try reporting.finish(report)
            }
        } else {
            Console.print(text)
        }
        summarize(export.extras, compilation.sources)
        if reporting.strict, !export.extras.kinds.isEmpty { throw ExitCode.failure }
        try reporting.finish(report)
    }

    /// Names what is in no standard word, with the first place of each.
    private func summarize(_ extras: ExtraMembers, _ sources: SourceMap) {
        guard !extras.kinds.isEmpty else { return }
        let total = extras.kinds.map(\.count).reduce(0, +)
        let place = plain ? "are left out" : "are in `x-telex`"
        var text = "\(total) details that OpenAPI has no word for \(place):\n"
        for kind in extras.kinds {
            let count = String(repeating: " ", count: max(0, 7 - "\(kind.count)".count))
            let line = sources.position(of: kind.first).line
            text += "\(count)\(kind.count)  \(kind.key), first at "
            text += "\(sources[kind.first.file].path):\(line)\n"
        }
        Console.printError(text)
    }
}
