import SpecDiagnostics

/// Syntax errors that libyaml reports one line too late.
extension YAMLProblemReport {
    /// A key without its colon starts a multi-line scalar that libyaml reads up to the next colon.
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

    /// A line after `key: text` with deeper indentation continues that text.
    private func tooDeep(_ mark: Int, from line: Int, behind before: Int) -> Diagnostic? {
        guard indentation(line) > indentation(before) else { return nil }
        return Diagnostic(
            .yamlSyntax, "a `:` is not allowed here", at: character(mark),
            help: "keys of one mapping start in the same column; a text with `: ` needs quotes")
    }

    /// A Unicode space in place of an ASCII one, in the line of the problem or the line before.
    func lookalike(_ mark: Int, _ context: Int) -> Diagnostic? {
        for line in [source.lineBefore(mark), source.line(at: mark), source.line(at: context)] {
            guard let line, let found = YAMLLookalike(inLine: code(in: line)) else { continue }
            return Diagnostic(
                .lookalike, found.message, at: file.span(line).part(found.place), help: found.help)
        }
        return nil
    }

    /// The text of a line before its comment.
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

    /// The span of a line without surrounding spaces.
    private func text(of line: Range<Int>) -> Span {
        let start = line.lowerBound + indentation(line.lowerBound)
        return file.span(start..<source.trimmedEnd(of: start..<line.upperBound))
    }
}
