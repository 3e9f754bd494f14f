import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecIR
import SpecSyntax

extension JSONSchema: ExpressibleByArgument {}

/// `telex schema`
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the JSON Schema of spec files, or write it beside them for editors.",
        discussion: """
            api is the schema of api.yaml, group that of every other YAML file. Both are of draft-07.

            With --write, they become FOLDER/.telex-schema/api.json and group.json, and each file of \
            a spec in the folder begins with the line by which editors find its schema. Commit \
            them; a new version of telex writes them again. `telex new` and `telex import` have \
            written them already.

              telex schema group > group.json
              telex schema --write specs
            """)

    @Argument(help: "api or group.")
    var file: JSONSchema?

    @Option(
        help: ArgumentHelp("The folder of a spec, or of several.", valueName: "folder"))
    var write: String?

    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        if let write { try requireFolder(write, "--write") }
        guard (file == nil) != (write == nil) else {
            throw ValidationError("Name api or group, or a folder with --write.")
        }
    }

    func run() throws {
        if let file { return Console.print(file.text) }
        guard let write else { return }
        var report = Report()
        let files = specFiles(in: write, &report)
        if !report.bag.hasErrors {
            do throws(OutputError) {
                let schemas = EditorSchema.files.map {
                    ("\(write)/\($0.name)", Array($0.text.utf8))
                }
                try SpecFiles.write(schemas + files)
            } catch {
                report.add(.unwritable, error.message, at: error.path)
            }
        }
        try reporting.finish(report)
    }

    /// The files of all specs in a folder that have to change, with their new content.
    private func specFiles(
        in folder: String, _ report: inout Report
    ) -> [(path: String, bytes: [UInt8])] {
        let read = SpecFolderReader.read(folder)
        for problem in read.problems {
            report.add(problem.code, problem.message, at: problem.shownPath, help: problem.help)
        }
        let specs = read.files.filter { OutputName.isSpec($0.relativePath) }
        let roots = SpecRoots(specs.map(\.relativePath))
        if roots.isEmpty, read.problems.isEmpty { report.addMissingSpec(in: folder) }
        return specs.compactMap { file in
            guard let schema = roots.schema(of: file.relativePath) else { return nil }
            let old = String(decoding: file.bytes, as: UTF8.self)
            let levels = file.relativePath.split(separator: "/").count - 1
            let new = EditorSchema.text(old, of: schema, levels: levels)
            // What is no UTF-8 stays as it is.
            guard new != old, old.utf8.elementsEqual(file.bytes) else { return nil }
            return (file.shownPath, Array(new.utf8))
        }
    }
}
