/// Placeholders in the notation of URI templates (RFC 6570) and of web frameworks.
enum PlaceholderNotation {
    /// How a placeholder of a path is written.
    static let help = "a placeholder reads `{name}`"

    /// The help for a text in braces; nil for a name.
    static func help(for text: Substring) -> String? {
        guard text.isEmpty || text.contains(where: { "+#?&*/{:. ".contains($0) }) else {
            return nil
        }
        let notations = [
            (#/#(.+)/#, "write `{+$1}` to keep the slashes of the value, `{$1}` to escape them"),
            (#/[?&](.+)/#, "declare the parameters of a query under `query`"),
            (#/(.+)\*/#, "write `{$1}`: it is one value, so join the items of a list in Swift"),
            (#/(.+)\?/#, "write `{$1}`, and give it a `default` or declare a second method"),
            (#/([^:]+):.*/#, "write `{$1}`, and its rules under `path`: `$1: { pattern: … }`"),
        ]
        // A longer text is no placeholder of another notation.
        for (notation, help) in notations where text.utf8.count <= 200 {
            guard let match = text.wholeMatch(of: notation) else { continue }
            return help.replacing("$1", with: match.1)
        }
        return text.isEmpty || text.contains(where: { "+/{:. ".contains($0) }) ? help : nil
    }
}
