import SpecComparison
import SpecDiagnostics
import SpecIR
import TelexCompiler

/// Edits of a spec that make it say what traffic has.
public struct Healing: Sendable {
    /// One edit.
    public struct Change: Sendable {
        /// What it is about: `User.age`.
        public let subject: String
        /// What the traffic has.
        public let reason: String
        /// What becomes of the declaration: `int | null`.
        public let result: String
        /// Where it is declared.
        public let place: String?
    }

    /// The folder with all edits.
    public private(set) var folder: SpecFolder
    /// The edits, in the order in which they were found.
    public private(set) var changes: [Change] = []
    /// What is left after them.
    public private(set) var report: DriftReport

    /// Each round sees what the edits of the last one have uncovered.
    private static let rounds = 20

    /// Edits a spec until its traffic has no deviation that an edit removes. An edit that does not
    /// compile is left out.
    ///
    /// - Parameters:
    ///   - folder: The spec.
    ///   - options: What counts as drift.
    ///   - traffic: Compares all traffic. It is called once for each round.
    /// - Returns: Nil for a spec with errors.
    public init?(
        _ folder: SpecFolder, _ options: DriftCheck.Options,
        traffic: (inout DriftCheck) -> Void
    ) {
        let first = TelexCompiler.check(folder)
        guard var check = DriftCheck(first, options), let api = first.api else { return nil }
        traffic(&check)
        self.folder = folder
        report = check.report()
        var (compilation, current) = (first, api)
        var refused: Set<String> = []
        for _ in 0..<Self.rounds {
            let open = Self.open(report).filter { !refused.contains($0.id) }
            if open.isEmpty { break }
            var healer = SpecHealer(compilation, current)
            var new: [Change] = []
            var healed: [Open] = []
            for item in open {
                guard let result = healer.heal(item.finding, of: item.method.name) else { continue }
                healed.append(item)
                if !result.result.isEmpty { new.append(Change(item, result)) }
            }
            if healed.isEmpty { break }
            var next = healer.healed(self.folder)
            if TelexCompiler.check(next).api == nil {
                (next, new) = (self.folder, [])
                for item in healed {
                    let base = TelexCompiler.check(next)
                    guard let api = base.api else { break }
                    var healer = SpecHealer(base, api)
                    guard let result = healer.heal(item.finding, of: item.method.name) else {
                        continue
                    }
                    let one = healer.healed(next)
                    if TelexCompiler.check(one).api == nil {
                        refused.insert(item.id)
                    } else {
                        next = one
                        if !result.result.isEmpty { new.append(Change(item, result)) }
                    }
                }
            }
            compilation = TelexCompiler.check(next)
            guard let api = compilation.api, var check = DriftCheck(compilation, options) else {
                break
            }
            self.folder = next
            current = api
            changes += new
            traffic(&check)
            report = check.report()
        }
    }

    fileprivate struct Open {
        let method: DriftReport.Method
        let finding: DriftReport.Finding
        var id: String { "\(method.name) \(finding.path) \(finding.rule) \(finding.kinds)" }
    }

    /// The deviations of replies.
    private static func open(_ report: DriftReport) -> [Open] {
        report.methods.flatMap { method in
            method.findings.filter { !$0.isRequest && !$0.isNote }
                .map { Open(method: method, finding: $0) }
        }
    }
}

extension Healing.Change {
    fileprivate init(_ item: Healing.Open, _ result: (subject: String, result: String)) {
        let finding = item.finding
        let what =
            switch finding.rule {
            case "required": "missing"
            case "type" where finding.kinds == [.null]: "null"
            case SpecNoteRule.undeclared, "closed": "not declared"
            default: finding.found.joined(separator: " or ")
            }
        let total = item.method.replies
        let count = finding.count.grouped
        reason =
            total > 1 ? "\(what) in \(count) of \(total.grouped) replies" : "\(what) in \(count) reply"
        (subject, self.result) = (result.subject, result.result)
        place = finding.place
    }
}

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
