import SpecDiagnostics

/// Changes with their places, as text and for tools.
public struct ChangeReport: Sendable, Encodable {
    /// A line of a version of the spec.
    public struct Place: Sendable, Encodable {
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
        /// The place where it is told: the new one, unless it is gone.
        var shown: Place?

        private enum CodingKeys: CodingKey {
            case kind, subject, change, old, new
        }
    }

    /// The changes, the worst first.
    public let changes: [Item]
    /// The step from the version of the old spec to that of the new one.
    public let step: VersionStep

    /// Finds the places of changes in both versions.
    public init(_ changes: [Change], old: SubjectPlaces, new: SubjectPlaces) {
        step = VersionStep(for: changes)
        self.changes = changes.map { change in
            let (before, after) = (old.place(of: change.subject), new.place(of: change.subject))
            let places = [before, after].map { $0.map { Place(file: $0.path, line: $0.line) } }
            let isGone = (before?.depth ?? 0) > (after?.depth ?? 0)
            return Item(
                kind: change.kind, subject: change.subject, change: change.sentence,
                old: places[0], new: places[1], shown: isGone ? places[0] : places[1])
        }
    }

    /// The changes by kind, one a line, and the version step.
    public var text: String {
        let groups = Change.Kind.allCases.map { kind in
            let items = changes.filter { $0.kind == kind }
            return items.isEmpty ? "" : "\(kind.title):\n" + items.map(Self.line).joined() + "\n"
        }
        return groups.joined() + "suggested version step: \(step.rawValue)\n"
    }

    private static func line(_ item: Item) -> String {
        let place = item.shown.map { "\($0.file):\($0.line): " } ?? ""
        return "  " + TerminalText.escaped("\(place)\(item.subject): \(item.change)") + "\n"
    }
}

extension Change.Kind: Encodable {}

extension VersionStep: Encodable {}
