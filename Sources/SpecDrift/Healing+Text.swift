import SpecComparison
import SpecDiagnostics
import TelexCompiler

extension Healing {
    /// A file that the edits change.
    public struct ChangedFile: Sendable {
        /// Its path, as messages show it.
        public let path: String
        /// Its content before.
        public let old: [UInt8]
        /// Its content with the edits.
        public let new: [UInt8]
    }

    /// The files that the edits change.
    public func changedFiles(of old: SpecFolder) -> [ChangedFile] {
        folder.files.compactMap { file in
            guard let before = old.files.first(where: { $0.relativePath == file.relativePath }),
                before.bytes != file.bytes
            else { return nil }
            return ChangedFile(path: file.shownPath, old: before.bytes, new: file.bytes)
        }
    }

    /// The edits in one line each, what is left, what the edits do to apps, and their difference,
    /// which `git apply` reads.
    public func text(from old: SpecFolder) -> String {
        var text = changes.map { change in
            let place = change.place.map { "  (\($0))" } ?? ""
            return TerminalText.escaped(
                "\(change.subject): \(change.reason) → \(change.result)\(place)") + "\n"
        }.joined()
        if report.hasDrift {
            text += (text.isEmpty ? "" : "\n") + "what takes a decision:\n\n" + report.text
        }
        guard !changes.isEmpty else {
            return text.isEmpty ? "the spec says what the traffic has\n" : text
        }
        let (before, after) = (TelexCompiler.check(old), TelexCompiler.check(folder))
        if let one = before.api, let other = after.api {
            let places = [before, after].map { SubjectPlaces(of: $0.spec, in: $0.sources) }
            let changes = ChangeReport(
                APIComparison(one, other).changes, old: places[0], new: places[1])
            text += "\nwhat the edits do to apps:\n\n" + changes.text
        }
        let differences = changedFiles(of: old).map { file in
            UnifiedDiff(
                path: file.path, old: String(decoding: file.old, as: UTF8.self),
                new: String(decoding: file.new, as: UTF8.self)
            ).text
        }
        return text + "\n" + differences.joined()
    }
}
