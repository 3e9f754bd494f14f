import ArgumentParser
import TelexCompiler

/// `telex check`
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a spec folder without generating anything.",
        discussion: """
            Reports every mistake with its place. Examples:

              telex check specs/vk
              telex check specs/vk --strict --format sarif > telex.sarif
            """)

    @Argument(help: ArgumentHelp("The folder that contains api.yaml.", valueName: "spec-folder"))
    var folder: String

    @OptionGroup var reporting: ReportOptions

    func validate() throws { try requireFolder(folder, "The spec folder") }

    func run() throws {
        try reporting.finish(Report(TelexCompiler.check(SpecFolderReader.read(folder))))
    }
}
