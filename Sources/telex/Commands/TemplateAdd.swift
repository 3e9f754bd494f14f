import ArgumentParser
import SpecDiagnostics
import SpecTemplateRules
import TelexCompiler

/// What the commands have in common that write templates.
struct TemplateOutput: ParsableArguments {
    @Option(help: ArgumentHelp("The spec folder of the methods.", valueName: "folder"))
    var spec = "."

    @Flag(help: "Replace a template that exists, and keep its rules.")
    var replace = false

    @Flag(help: "Propose formats, enumerations and bounds of types in comments.")
    var propose = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws { try requireFolder(spec, "--spec") }

    /// Reads the spec; a spec with errors ends the run.
    func bench() throws -> TemplateBench {
        let bench = TemplateBench(
            SpecFolderReader.read(spec), at: spec, proposes: propose)
        if bench.compilation.api == nil { try reporting.finish(Report(bench.compilation)) }
        return bench
    }

    /// Writes the templates, and shows what they contradict and the mistakes that were found
    /// before.
    func finish(_ bench: TemplateBench, _ report: Report) throws {
        var result = Report()
        do {
            result = try bench.write()
        } catch {
            result.add(.unwritable, error.message, at: error.path)
        }
        result.add(report)
        try reporting.finish(result)
    }
}

/// `telex template add`
struct TemplateAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Make the template of a method from its replies.",
        discussion: """
            Writes templates/METHOD.json. A key that some replies lack gets the rule isOptional, and \
            so does one that the declared type lets be missing. The values of secret keys are \
            replaced. Where the replies contradict the declared type, the contradictions are \
            reported and the exit code is 1. If the method declares no type, the types of the \
            replies are printed.

              telex template add users.get reply.json other.json --spec specs/shop
            """)

    @Argument(help: "The method, with or without its group.")
    var method: String

    @Argument(help: ArgumentHelp("Replies in files.", valueName: "reply"))
    var replies: [String]

    @OptionGroup var output: TemplateOutput

    func run() throws {
        var bench = try output.bench()
        var report = Report()
        let files = replies.compactMap { ReplyFile.read($0, into: &report) }
        if let name = bench.compilation.methodName(method) {
            if files.count == replies.count {
                bench.add(name, files.map(\.node), replacing: output.replace, into: &report)
            }
        } else {
            report.addUnknownMethod(method, in: bench.compilation, at: output.spec)
        }
        try output.finish(bench, report)
    }
}
