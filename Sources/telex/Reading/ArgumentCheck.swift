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

    /// The error of a repeated option, of which the last one would win.
    private static func repeatedOption(_ arguments: [String]) -> String? {
        var seen: Set<String> = []
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            guard let (name, hasValue) = option(argument) else { continue }
            guard seen.insert(name).inserted else { return "The option \(name) is given twice." }
            if !hasValue { _ = rest.popFirst() }
        }
        return nil
    }

    /// The long name of an option with a value, and whether the value is in the same argument.
    private static func option(_ argument: String) -> (name: String, hasValue: Bool)? {
        if argument.hasPrefix("-o") { return ("--output", argument != "-o") }
        let name = String(argument.prefix { $0 != "=" })
        let options = [
            "--output", "--spec", "--against", "--format", "--color", "--report", "--api",
            "--allow", "--write", "--used-by", "--port", "--host", "--seed", "--delay",
            "--token-life", "--limit", "--upstream", "--record",
        ]
        guard options.contains(name) else { return nil }
        return (name, name != argument)
    }
}
