import SpecDiagnostics

/// Changes with their places, as text and for tools.
public struct ChangeReport: Sendable, Encodable {
    /// A line of a version of the spec.
    public struct Place: Sendable, Hashable, Encodable {
        /// The path as messages show it.
        public var file: String
        /// The line, from 1.
        public var line: Int
    }

    /// A change with its places.
    public struct Item: Sendable, Encodable {
        /// What the change does to an app.
        public var kind: Change.Kind
        /// What has changed.
        public var subject: String
        /// What has become of it.
        public var change: String
        /// Where it is in the old version, or what it would belong to.
        public var old: Place?
        /// Where it is in the new version, or what it belonged to.
        public var new: Place?
        /// The lines of the app that use it, if these were looked for; nil for a change of all calls.
        public var uses: [Place]?
        /// The place where it is told: the new one, unless it is gone.
        var shown: Place?

        private enum CodingKeys: CodingKey {
            case kind, subject, change, old, new, uses
        }
    }

    /// The changes, the worst first.
    public let changes: [Item]
    /// The number of all changes, if only those are here that touch the code of an app.
    public let total: Int?
    /// The step from the version of the old spec to that of the new one.
    public let step: VersionStep

    /// Finds the places of changes in both versions.
    ///
    /// - Parameter uses: The code of an app. With it, only changes that break it or change what it does
    ///   are here.
    public init(
        _ changes: [Change], old: SubjectPlaces, new: SubjectPlaces, usedBy uses: SourceUses? = nil
    ) {
        step = VersionStep(for: changes)
        total = uses == nil ? nil : changes.count
        self.changes = changes.compactMap { change in
            let (before, after) = (old.place(of: change.subject), new.place(of: change.subject))
            // Code uses what a new part belongs to.
            let isNew = (before?.depth ?? 0) < (after?.depth ?? 0)
            let found = uses?.places(of: change.subject, isNew: isNew)
            if uses != nil, ![.source, .behaviour].contains(change.kind) || found == [] {
                return nil
            }
            let places = [before, after].map { $0.map { Place(file: $0.path, line: $0.line) } }
            let isGone = (before?.depth ?? 0) > (after?.depth ?? 0)
            return Item(
                kind: change.kind, subject: change.subject, change: change.sentence,
                old: places[0], new: places[1], uses: found,
                shown: isGone ? places[0] : places[1])
        }
    }

    /// The changes by kind, one a line, and the version step.
    public var text: String {
        let groups = Change.Kind.allCases.map { kind in
            let items = changes.filter { $0.kind == kind }
            return items.isEmpty ? "" : "\(kind.title):\n" + items.map(Self.line).joined() + "\n"
        }
        let touching = total.map { total in
            "\(total) change\(total == 1 ? "" : "s"), \(changes.count) "
                + "touch\(changes.count == 1 ? "es" : "") your code\n"
        }
        return groups.joined() + (touching ?? "") + "suggested version step: \(step.rawValue)\n"
    }

    private static func line(_ item: Item) -> String {
        let place = item.shown.map { "\($0.file):\($0.line): " } ?? ""
        let line = "  " + TerminalText.escaped("\(place)\(item.subject): \(item.change)") + "\n"
        return line + (item.usesText.map { "    used: \(TerminalText.escaped($0))\n" } ?? "")
    }
}

extension ChangeReport.Item {
    /// `Profile.swift:88, :131; Wall.swift:7`
    var usesText: String? {
        guard let uses else { return nil }
        var files: [(name: String, lines: [Int])] = []
        for use in uses {
            if files.last?.name != use.file { files.append((use.file, [])) }
            files[files.count - 1].lines.append(use.line)
        }
        return files.map { file in
            "\(file.name):" + file.lines.map(String.init).joined(separator: ", :")
        }.joined(separator: "; ")
    }
}

extension Change.Kind: Encodable {}

extension VersionStep: Encodable {}
