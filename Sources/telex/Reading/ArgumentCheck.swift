import ArgumentParser
import SpecDiagnostics

/// Checks arguments for errors that ArgumentParser accepts, or reports without help.
enum ArgumentCheck {
    /// Returns the error of the tool's arguments; nil if there is none.
    static func problem(of arguments: [String]) -> String? {
        unknownCommand(arguments) ?? repeatedOption(arguments)
    }

    /// The error of a first argument that is not a command.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        let commands = Telex.configuration.subcommands.map { $0._commandName } + ["help"]
        guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first) else {
            return nil
        }
        let near = nearest(to: first, among: commands).map { " Did you mean '\($0)'?" } ?? ""
        return "There is no command '\(first)'.\(near)"
    }

    /// The options that a command may be given more than once.
    private static let repeatable: Set = [
        "--exclude", "--fault", "--from", "--include", "--overlay", "--variable",
    ]

    /// The error of a repeated option, of which the last one would win.
    private static func repeatedOption(_ arguments: [String]) -> String? {
        var seen: Set<String> = []
        for argument in arguments.prefix(while: { $0 != "--" }) {
            let name = argument.hasPrefix("-o") ? "--output" : String(argument.prefix { $0 != "=" })
            guard name.hasPrefix("--"), !repeatable.contains(name) else { continue }
            guard seen.insert(name).inserted else { return "The option \(name) is given twice." }
        }
        return nil
    }
}
