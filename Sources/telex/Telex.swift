import ArgumentParser
import Foundation

/// The command line. Only this module does I/O.
@main
struct Telex: ParsableCommand {
    /// The version of the tool, as `telex --version` prints it.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "telex",
        abstract: "Compile YAML API specs to Swift clients.",
        discussion: """
            A spec folder holds api.yaml and one YAML file for each group of methods. All commands \
            take the folder, never a single file, and print nothing on success.

            A first spec, checked and compiled:

              telex new specs/shop
              telex check specs/shop
              telex generate specs/shop --output Sources/ShopClient

            Exit codes:
              0   success
              1   the spec has errors (with --strict: or warnings), the generated code is out of \
            date, a change breaks apps, traffic has drifted, or a file cannot be read or \
            written
              2   a spec that is compared has errors, or traffic cannot be read
              64  the command line is not valid
            """,
        version: version,
        subcommands: commands)

    /// The tool of the build plugin is compiled from a part of these files: an app with the plugin
    /// builds no more than it needs, and nothing that the app itself has in it.
    private static var commands: [any ParsableCommand.Type] {
        #if TELEX_PLUGIN
            [Generate.self]
        #else
            [
                Generate.self, Check.self, Explain.self, TemplateCommand.self, Dump.self, New.self,
                Import.self, Export.self, Breaking.self, Drift.self, LanguageServerCommand.self,
                Schema.self, Fmt.self, Mock.self, Inspect.self, CallCommand.self,
            ]
        #endif
    }

    /// Runs the command. The signals are ignored because a closed pipe (`telex dump … | head`) or a
    /// file size limit would otherwise kill the tool between two output files.
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        if let problem = ArgumentCheck.problem(of: Array(CommandLine.arguments.dropFirst())) {
            exit(withError: ValidationError(problem))
        }
        main(nil)
    }
}
