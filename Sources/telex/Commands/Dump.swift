import ArgumentParser
import TelexCompiler

/// `telex dump`
struct Dump: ParsableCommand {
    enum Stage: String, ExpressibleByArgument, CaseIterable {
        case ast, ir
    }

    static let configuration = CommandConfiguration(
        abstract: "Print the AST or the IR of a spec.",
        discussion: """
            ast is the spec as written, each value with its line and column; ir is the lowered \
            spec, with all names decided and all settings inherited. For debugging; the format may \
            change between versions.

              telex dump ir specs/vk
            """)

    @Argument(help: "ast or ir.")
    var stage: Stage

    @Argument(help: ArgumentHelp("The folder that contains api.yaml.", valueName: "spec-folder"))
    var folder: String

    @OptionGroup var reporting: ReportOptions

    func validate() throws { try requireFolder(folder, "The spec folder") }

    func run() throws {
        let compilation = TelexCompiler.check(SpecFolderReader.read(folder))
        switch stage {
        case .ast: Console.print(TreeText(compilation.spec, in: compilation.sources).text)
        case .ir:
            if let api = compilation.api {
                Console.print(TreeText(api, in: compilation.sources).text)
            }
        }
        try reporting.finish(Report(compilation))
    }
}
