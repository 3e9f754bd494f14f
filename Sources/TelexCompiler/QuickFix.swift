import SpecDiagnostics

/// A change of a text, by byte offsets.
public struct FileEdit: Sendable {
    /// The bytes that are replaced.
    public let range: Range<Int>
    /// What stands in their place.
    public let text: String

    /// Creates a change.
    public init(range: Range<Int>, text: String) {
        self.range = range
        self.text = text
    }
}

/// A change that removes a diagnostic: one that its help names in words. The compiler has checked the
/// changed text, so a help that only sounds like a change is none.
public struct QuickFix: Sendable {
    /// What it does, in a few words.
    public let title: String
    /// The change of the diagnostic's file.
    public let edit: FileEdit

    /// Whether the help names exactly this, so that it is right even if it reveals another error.
    private let isCertain: Bool

    private init(title: String, range: Range<Int>, text: String, isCertain: Bool = false) {
        self.title = title
        self.isCertain = isCertain
        edit = FileEdit(range: range, text: text)
    }

    /// The most changes that are tried for one diagnostic; each is a check of the spec.
    private static let most = 6

    /// The changes that remove a diagnostic and leave no more errors.
    ///
    /// - Parameters:
    ///   - diagnostic: A diagnostic of the compilation.
    ///   - compilation: The result for the folder.
    ///   - folder: The folder with the text as it is.
    public static func all(
        for diagnostic: Diagnostic, of compilation: Compilation, in folder: SpecFolder
    ) -> [QuickFix] {
        let file = compilation.sources[diagnostic.span.file]
        guard let index = folder.files.firstIndex(where: { $0.shownPath == file.path }) else {
            return []
        }
        return candidates(for: diagnostic, in: file).prefix(most).filter { fix in
            var changed = folder
            changed.files[index].bytes.replaceSubrange(fix.edit.range, with: fix.edit.text.utf8)
            let after = TelexCompiler.check(changed).diagnostics
            let isBetter = after.errorCount < compilation.diagnostics.errorCount
            return after.lacks(diagnostic, of: compilation.diagnostics)
                && (isBetter || fix.isCertain || diagnostic.severity == .warning)
        }
    }

    private static func candidates(
        for diagnostic: Diagnostic, in file: SourceFile
    ) -> [QuickFix] {
        var fixes = diagnostic.edits.map { edit in
            QuickFix(
                title: edit.text.isEmpty ? "Remove it" : "Change to `\(edit.text)`",
                range: Int(edit.span.start)..<Int(edit.span.end), text: edit.text, isCertain: true)
        }
        guard fixes.isEmpty, let help = diagnostic.help else { return fixes }
        let span = Int(diagnostic.span.start)..<Int(diagnostic.span.end)
        let written = file.text(of: diagnostic.span)
        fixes += help.matches(of: #/the equivalent is `([^`]+)`/#).map {
            QuickFix(
                title: "Change to `\($0.1)`", range: span, text: String($0.1), isCertain: true)
        }
        let examples = help.matches(of: #/`([^`]+)`/#).map { String($0.output.1) }
            .filter { !$0.contains("…") && $0 != written }
        if help.hasPrefix("write "), !written.isEmpty {
            // An example that has the text in it is about this text.
            fixes += examples.filter { $0.contains(written) }.map {
                QuickFix(title: "Change to `\($0)`", range: span, text: $0)
            }
        }
        if help.contains("remove the quotes") {
            let inner = String(written.dropFirst().dropLast())
            fixes.append(QuickFix(title: "Remove the quotes", range: span, text: inner))
        }
        let line = file.lineRange(file.position(of: span.lowerBound).line)
        let entries = examples.filter { $0.contains(": ") }
        if help.hasPrefix("add "), !entries.isEmpty {
            fixes.append(addition(of: entries, before: line, in: file))
        }
        if help.hasPrefix("indent ") {
            let start = line.lowerBound..<line.lowerBound
            fixes.append(QuickFix(title: "Indent the line", range: start, text: "  "))
        }
        let isFirst =
            !written.isEmpty && file.path.hasSuffix("ml")
            && file.bytes[line.lowerBound..<span.lowerBound].allSatisfy { $0 == 0x20 }
        if isFirst, help.contains("remove") || help.contains("is enough") || help.contains("keep") {
            let entry = entry(at: span.lowerBound, in: file)
            fixes.append(QuickFix(title: "Remove the entry `\(written)`", range: entry, text: ""))
        }
        return fixes
    }

    /// New lines before a line, indented like it.
    private static func addition(
        of entries: [String], before line: Range<Int>, in file: SourceFile
    ) -> QuickFix {
        let indentation = file.bytes[line].prefix { $0 == 0x20 }.count
        let text = entries.map { String(repeating: " ", count: indentation) + $0 + "\n" }
        return QuickFix(
            title: "Add " + entries.map { "`\($0)`" }.joined(separator: ", "),
            range: line.lowerBound..<line.lowerBound, text: text.joined())
    }

    /// The line of a place with the lines that are indented below it.
    private static func entry(at offset: Int, in file: SourceFile) -> Range<Int> {
        let first = file.position(of: offset).line
        let indentation = file.bytes[file.lineRange(first)].prefix { $0 == 0x20 }.count
        var next = first + 1
        while next <= file.lineCount {
            let line = file.bytes[file.lineRange(next)]
            let own = line.prefix { $0 == 0x20 }.count
            if own < line.count, own <= indentation { break }
            next += 1
        }
        let end = next <= file.lineCount ? file.lineRange(next).lowerBound : file.bytes.count
        return file.lineRange(first).lowerBound..<end
    }
}

extension DiagnosticBag {
    /// Whether a diagnostic of an earlier bag is gone, and no error has come for it.
    fileprivate func lacks(_ diagnostic: Diagnostic, of before: DiagnosticBag) -> Bool {
        func count(_ bag: DiagnosticBag) -> Int {
            bag.all.count { $0.code == diagnostic.code && $0.message == diagnostic.message }
        }
        return errorCount <= before.errorCount && count(self) < count(before)
    }
}
