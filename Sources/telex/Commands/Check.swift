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
              telex check specs/vk --fix
            """)

    @Argument(help: ArgumentHelp("The folder that contains api.yaml.", valueName: "spec-folder"))
    var folder: String

    @Flag(help: "Correct what has one remedy, such as a misspelt key, and report the rest.")
    var fix = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws { try requireFolder(folder, "The spec folder") }

    func run() throws {
        let read = SpecFolderReader.read(folder)
        guard fix else { return try reporting.finish(Report(TelexCompiler.check(read))) }
        let (fixed, count) = SpecFixer.fixed(read)
        var report = Report(TelexCompiler.check(fixed))
        let changed = zip(read.files, fixed.files).filter { $0.bytes != $1.bytes }
        do throws(OutputError) {
            try SpecFiles.write(changed.map { ($1.shownPath, $1.bytes) })
            if count > 0 {
                Console.printError("fixed \(count) mistake\(count == 1 ? "" : "s")\n")
            }
        } catch {
            report.add(.unwritable, error.message, at: error.path)
        }
        try reporting.finish(report)
    }
}
