import SpecDiagnostics

/// Applies the remedies that diagnostics carry.
public enum SpecFixer {
    /// Rounds, since a remedy of the syntax shows mistakes behind it.
    private static let rounds = 10

    /// A folder without the mistakes whose remedy is known, and how many there were. An edit stays only
    /// if fewer diagnostics are left with it, and not more errors.
    public static func fixed(_ folder: SpecFolder) -> (folder: SpecFolder, count: Int) {
        var (folder, count) = (folder, 0)
        for _ in 0..<rounds {
            let before = TelexCompiler.check(folder)
            let fixes = distinct(before.diagnostics.all)
            if fixes.isEmpty { break }
            let all = folder.applying(fixes.flatMap(\.edits), in: before.sources)
            if isBetter(TelexCompiler.check(all), than: before, by: fixes) {
                (folder, count) = (all, count + fixes.count)
                continue
            }
            // One of them does no good: each is tried alone, the last ones first, so that the places of
            // the others stay.
            var current = before
            let known = count
            for fix in fixes.reversed() {
                let one = folder.applying(fix.edits, in: before.sources)
                let after = TelexCompiler.check(one)
                guard isBetter(after, than: current, by: [fix]) else { continue }
                (folder, current, count) = (one, after, count + 1)
            }
            if count == known { break }
        }
        return (folder, count)
    }

    /// Those with a remedy that does not overlap another one, in order of their places.
    private static func distinct(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        var last: Span?
        return diagnostics.filter { diagnostic in
            guard let edit = diagnostic.edits.first, diagnostic.edits.count == 1 else {
                return false
            }
            if let last, last.file == edit.span.file, edit.span.start < last.end { return false }
            last = edit.span
            return true
        }
    }

    /// Whether all mistakes of a kind are gone that were fixed, and no error has come. Behind an error,
    /// warnings may appear that are no worse.
    private static func isBetter(
        _ after: Compilation, than before: Compilation, by fixes: [Diagnostic]
    ) -> Bool {
        let (new, old) = (after.diagnostics, before.diagnostics)
        let errors = fixes.count { $0.severity == .error }
        return new.errorCount <= old.errorCount - errors
            && (errors > 0 || new.warningCount <= old.warningCount - fixes.count)
    }
}

extension SpecFolder {
    /// The folder with changed files.
    fileprivate func applying(_ edits: [Diagnostic.Edit], in sources: SourceMap) -> SpecFolder {
        var result = self
        for edit in edits.sorted(by: { $0.span > $1.span }) {
            let path = sources[edit.span.file].path
            guard let index = result.files.firstIndex(where: { $0.shownPath == path }) else {
                continue
            }
            let range = Int(edit.span.start)..<Int(edit.span.end)
            guard range.upperBound <= result.files[index].bytes.count else { continue }
            result.files[index].bytes.replaceSubrange(range, with: Array(edit.text.utf8))
        }
        return result
    }
}
