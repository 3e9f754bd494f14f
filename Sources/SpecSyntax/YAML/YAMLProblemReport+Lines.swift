import SpecDiagnostics

/// Problems that libyaml meets a line too late.
extension YAMLProblemReport {
    /// A key without its colon begins a text that goes on in the next line, up to the colon there.
    func missingColon(_ problem: YAMLProblem, _ mark: Int) -> Diagnostic? {
        guard problem.text == Wording.strayColon, let before = source.lineBefore(mark) else {
            return nil
        }
        let line = source.line(at: mark).lowerBound
        guard !endsKey(file.text(of: file.span(line..<mark))) else { return nil }
        let place = text(of: before)
        let key = file.text(of: place)
        if endsKey(key) { return tooDeep(mark, from: line, behind: before.lowerBound) }
        guard !key.contains(where: "{}[],\"'#".contains), !key.hasPrefix("-") else { return nil }
        return Diagnostic(
            .yamlSyntax, "expected `:` after a key", at: place, help: "write `\(key):`")
    }

    /// A line behind `key: text` that begins further right goes on with that text.
    private func tooDeep(_ mark: Int, from line: Int, behind before: Int) -> Diagnostic? {
        guard indentation(line) > indentation(before) else { return nil }
        return Diagnostic(
            .yamlSyntax, "a `:` cannot stand here", at: character(mark),
            help: "keys of one mapping start in the same column; a text with `: ` needs quotes")
    }

    /// A space that YAML does not know as one, where the line of the problem or the one before it should
    /// have a usual one.
    func lookalike(_ mark: Int, _ context: Int) -> Diagnostic? {
        for line in [source.lineBefore(mark), source.line(at: mark), source.line(at: context)] {
            guard let line, let found = YAMLLookalike(inLine: code(in: line)) else { continue }
            return Diagnostic(
                .lookalike, found.message, at: file.span(line).part(found.place), help: found.help)
        }
        return nil
    }

    /// What stands in a line before a comment.
    private func code(in line: Range<Int>) -> String {
        let text = file.text(of: file.span(line))
        guard !text.hasPrefix("#"), let comment = text.firstRange(of: " #") else {
            return text.hasPrefix("#") ? "" : text
        }
        return String(text[..<comment.lowerBound])
    }

    /// Whether a key ends somewhere in a text.
    private func endsKey(_ text: String) -> Bool { text.contains(": ") || text.hasSuffix(":") }

    private func indentation(_ line: Int) -> Int {
        file.bytes[line...].prefix { $0 == 0x20 }.count
    }

    /// What stands in a line, without the blanks around it.
    private func text(of line: Range<Int>) -> Span {
        let start = line.lowerBound + indentation(line.lowerBound)
        return file.span(start..<source.trimmedEnd(of: start..<line.upperBound))
    }
}
