import SpecDiagnostics

extension ChangeReport {
    /// The changes as Markdown of GitHub and GitLab: a heading and a list for each kind.
    var markdown: String {
        let groups = Change.Kind.allCases.map { kind in
            let items = changes.filter { $0.kind == kind }
            guard !items.isEmpty else { return "" }
            let list = items.map { item in
                let place = item.shown.map { " (\(Self.code("\($0.file):\($0.line)")))" } ?? ""
                let uses = item.usesText.map { "; used: \(Self.code($0))" } ?? ""
                return "- \(Self.code(item.subject)): \(Self.escaped(item.change))\(place)\(uses)\n"
            }
            return "### \(kind.title.prefix(1).uppercased() + kind.title.dropFirst()): "
                + "\(items.count)\n\n\(list.joined())\n"
        }
        return groups.joined() + "Suggested version step: **\(step.rawValue)**\n"
    }

    /// A text as code. Its fence is longer than each row of backticks in it.
    private static func code(_ text: String) -> String {
        let text = TerminalText.escaped(text)
        var (longest, row) = (0, 0)
        for character in text {
            row = character == "`" ? row + 1 : 0
            longest = max(longest, row)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let space = longest > 0 ? " " : ""
        return fence + space + text + space + fence
    }

    /// A sentence, in which pairs of backticks mark code and nothing else has a meaning: text of a spec
    /// cannot become a link, an image, HTML or the mention of a person.
    private static func escaped(_ text: String) -> String {
        let parts = TerminalText.escaped(text).split(
            separator: "`", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { return code(text) }
        return parts.enumerated().map { index, part in
            index % 2 == 1 ? code(String(part)) : plain(part)
        }.joined()
    }

    private static func plain(_ text: Substring) -> String {
        text.reduce(into: "") { result, character in
            if character == "@" {
                result += "@<!-- -->"
            } else {
                if "\\*_{}[]()<>#+!|~&".contains(character) { result += "\\" }
                result.append(character)
            }
        }
    }
}

extension Change.Kind {
    /// The kind, as a heading.
    var title: String { self == .source ? "source-breaking" : rawValue }
}
