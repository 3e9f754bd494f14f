import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecFormatting
import SpecIR
import SpecSyntax
import TelexCompiler

/// `telex fmt`
struct Fmt: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the files of a spec in their one form.",
        discussion: """
            Keys get the order of the reference pages, what fits a line of 100 characters stands in \
            braces, and texts have one style of quotes. Comments stay. The values are the same before \
            and after; files with mistakes of YAML and with aliases are reported and stay as they are. \
            There are no options.

              telex fmt specs/vk
              telex fmt specs/vk --check      # for CI: fails if a file is not formatted
              telex fmt specs/vk --diff       # shows what would change
            """)

    @Argument(help: ArgumentHelp("The folder of a spec, or of several.", valueName: "folder"))
    var folder: String

    @Flag(help: "Write nothing, and fail if a file is not formatted.")
    var check = false

    @Flag(help: "Write nothing, and show what would change.")
    var diff = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws { try requireFolder(folder, "The folder") }

    func run() throws {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let read = SpecFolderReader.read(folder)
        let files = read.files.filter { OutputName.isSpec($0.relativePath) }
        var changed: [(path: String, bytes: [UInt8])] = []
        var differences = ""
        let roots = SpecRoots(files.map(\.relativePath))
        for file in files.sorted(by: { $0.relativePath < $1.relativePath }) {
            let source = sources.add(path: file.shownPath, bytes: file.bytes)
            guard let schema = roots.schema(of: file.relativePath),
                let text = SpecFormatter.format(source, as: schema, into: &bag),
                !text.utf8.elementsEqual(file.bytes)
            else { continue }
            if check {
                bag.report(
                    .unformatted, "the file is not formatted", at: source.start,
                    help: "run `telex fmt \(folder)`")
            }
            differences +=
                UnifiedDiff(
                    path: file.shownPath, old: source.text(of: source.all), new: text
                ).text
            changed.append((file.shownPath, Array(text.utf8)))
        }
        var report = Report(bag, sources)
        if roots.isEmpty, read.problems.isEmpty { report.addMissingSpec(in: folder) }
        for problem in read.problems {
            report.add(problem.code, problem.message, at: problem.shownPath, help: problem.help)
        }
        if diff { Console.print(differences) }
        if !check, !diff {
            do throws(OutputError) {
                try SpecFiles.write(changed)
            } catch {
                report.add(.unwritable, error.message, at: error.path)
            }
        }
        try reporting.finish(report)
    }
}
