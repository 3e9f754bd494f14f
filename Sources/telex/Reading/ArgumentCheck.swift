import ArgumentParser
import SpecDiagnostics

/// Mistakes that ArgumentParser takes without a word, or without a remedy.
enum ArgumentCheck {
    /// What is wrong with the arguments of the tool; nil if nothing is.
    static func problem(of arguments: [String]) -> String? {
        unknownCommand(arguments) ?? repeatedOption(arguments)
    }

    /// A first word that is no command.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        let commands = Telex.configuration.subcommands.map { $0._commandName } + ["help"]
        guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first) else {
            return nil
        }
        let near = didYouMean(first, among: commands).map { " Did you mean '\($0)'?" } ?? ""
        return "There is no command '\(first)'.\(near)"
    }

    /// An option that is given twice, of which the last one would win.
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

    /// The long name of an option with a value, and whether that stands behind it in the same argument.
    private static func option(_ argument: String) -> (name: String, hasValue: Bool)? {
        if argument.hasPrefix("-o") { return ("--output", argument != "-o") }
        let name = String(argument.prefix { $0 != "=" })
        guard ["--output", "--spec", "--format", "--color"].contains(name) else { return nil }
        return (name, name != argument)
    }
}
