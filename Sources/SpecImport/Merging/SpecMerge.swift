import SpecDiagnostics
import SpecSyntax

/// Merges a new import into a spec that was edited since the last one.
///
/// Methods and models are found in the whole folder, so that they may be moved to other files. A
/// file that was not edited becomes that of the new import; in all others, only the text of what
/// the new import changed is changed.
public struct SpecMerge {
    /// How many methods, models and settings were merged in which way.
    public struct Counts: Hashable, Sendable {
        /// New ones.
        public var added = 0
        /// Those with a change of the new import.
        public var changed = 0
        /// Those that the new import no longer has.
        public var removed = 0
        /// Those with an edit that the new import says nothing about.
        public var kept = 0
        /// Changes that contradict an edit.
        public var conflicts = 0

        /// No numbers.
        public init() {}
    }

    /// The files that change, by path in the folder; nil for one that is removed.
    public private(set) var changes: [String: [UInt8]?] = [:]
    /// The numbers for a summary.
    public private(set) var counts = Counts()
    /// Mistakes in the YAML of a file, after which nothing is merged.
    public private(set) var problems = DiagnosticBag()
    /// Conflicts, at their places in the merged files.
    public private(set) var conflicts = DiagnosticBag()
    /// The files of both.
    public private(set) var sources = SourceMap()

    private let base: SpecTree
    private let theirs: SpecTree
    private var ours: SpecTree
    /// The files that are as the last import wrote them, line breaks aside.
    private var unedited: Set<String> = []

    /// Merges.
    ///
    /// - Parameters:
    ///   - base: What the last import wrote.
    ///   - ours: What the folder has now.
    ///   - theirs: What the new import would write.
    public init(base: [SpecText], ours: [SpecText], theirs: [SpecText]) {
        self.base = SpecTree(base, into: &sources, &problems)
        self.ours = SpecTree(ours, into: &sources, &problems)
        self.theirs = SpecTree(theirs, into: &sources, &problems)
        guard !problems.hasErrors else { return }
        for (path, file) in self.ours.files {
            let now = file.source.bytes.filter { $0 != 0x0D }
            if self.base.files[path]?.source.bytes == now { unedited.insert(path) }
        }
        mergeUnedited()
        for path in self.ours.files.keys.sorted() where !unedited.contains(path) { merge(path) }
    }

    // MARK: Places

    /// The file into which one of the new import is merged. One that was renamed is where its first
    /// method or model is.
    private func destination(of path: String) -> String {
        guard ours.files[path] == nil, base.files[path] != nil else { return path }
        let places = base.parts(in: path).compactMap { ours.parts[$0]?.file }
        return places.first { base.files[$0] == nil } ?? path
    }

    /// The file of the last import that one is, or was before it was renamed.
    private func origin(of path: String) -> String {
        if base.files[path] != nil || theirs.files[path] != nil { return path }
        return base.files.keys.sorted().first { destination(of: $0) == path } ?? path
    }

    /// Whether a method or model is merged where it is, and not where the new import has it.
    private func staysInPlace(_ part: SpecTree.Part) -> Bool {
        ours.parts[part].map { !unedited.contains($0.file) } ?? false
    }

    /// Whether a method or model of the last import was removed since.
    private func wasRemoved(_ part: SpecTree.Part) -> Bool {
        ours.parts[part] == nil && base.parts[part] != nil
    }
}

// MARK: - Files that were not edited

extension SpecMerge {
    /// Takes the files of the new import for those that were not edited, and for new ones.
    private mutating func mergeUnedited() {
        for path in unedited.union(theirs.files.keys) {
            if unedited.contains(path) || ours.files[path] == nil && destination(of: path) == path {
                take(path)
            }
        }
        var removed = EntryMerge([], in: sources)
        for (part, place) in theirs.parts where ours.parts[part] == nil {
            if let before = base.parts[part]?.value {
                _ = removed.counted {
                    $0.missing(
                        before, place.value, as: part.role, EntryMerge.Path(name: part.name))
                    return false
                }
            } else {
                counts.added += 1
            }
        }
        for (part, place) in base.parts {
            if let file = ours.parts[part]?.file, unedited.contains(file) {
                count(place.value, theirs.parts[part]?.value, part.role)
            }
        }
        for path in unedited {
            let (old, new) = (base.settings(in: path), theirs.settings(in: path))
            for member in old {
                let role = SpecRole.file.ofValue(member.name, isShort: false)
                count(member.value, new.first { $0.name == member.name }?.value, role)
            }
            counts.added += new.count { member in !old.contains { $0.name == member.name } }
        }
        counts.kept += removed.counts.kept
        report(removed.conflicts)
    }

    private mutating func count(_ base: YAMLNode, _ theirs: YAMLNode?, _ role: SpecRole) {
        if theirs == nil {
            counts.removed += 1
        } else if !base.means(theirs, as: role) {
            counts.changed += 1
        }
    }

    /// Takes a file of the new import, without what is elsewhere, or was removed.
    private mutating func take(_ path: String) {
        let name = ours.files[path]?.path ?? path
        guard let file = theirs.files[path] else {
            changes[name] = .some(nil)
            return
        }
        var editor = MappingEditor(file.source.bytes)
        var goneSections: Set<Int> = []
        var sectionCount = 0
        for (index, entry) in file.root.entries.enumerated()
        where SpecTree.sections.contains(entry.key.text) {
            let parts = theirs.parts(in: path, entry.key.text).map(\.part)
            let gone = parts.indices.filter { staysInPlace(parts[$0]) || wasRemoved(parts[$0]) }
            sectionCount += 1
            if gone.count == parts.count {
                goneSections.insert(index)
            } else {
                editor.change(entry.value, removing: Set(gone), adding: [])
            }
        }
        if sectionCount > 0, goneSections.count == sectionCount {
            if ours.files[path] != nil { changes[name] = .some(nil) }
            return
        }
        editor.change(file.root, removing: goneSections, adding: [])
        let bytes = editor.edits.result
        if ours.files[path] == nil || bytes != base.files[path]?.source.bytes {
            changes[name] = bytes
        }
    }
}

// MARK: - Files that were edited

extension SpecMerge {
    /// Merges into a file that was edited, or that no import wrote.
    private mutating func merge(_ path: String, wasLengthened: Bool = false) {
        guard let file = ours.files[path] else { return }
        var merge = EntryMerge(file.source.bytes, in: sources)
        let (gone, added) = changes(in: path, file.root, &merge)
        if !merge.lengthening.edits.isEmpty {
            // The entries of a type in the long form can be changed one by one.
            return mergeAgain(path, merge.lengthening.edits.result)
        }
        counts.add(merge.counts)
        if gone.count == file.root.entries.count, added.isEmpty {
            changes[file.path] = .some(nil)
            return report(merge.conflicts)
        }
        merge.editor.change(file.root, removing: gone, adding: added, isSpaced: true)
        let edits = merge.editor.edits
        let source = sources.add(path: file.source.path, bytes: edits.result)
        if !edits.isEmpty || wasLengthened {
            changes[file.path] = source.bytes
            _ = YAMLReader.read(source, into: &problems)
        }
        report(
            merge.conflicts.map { conflict in
                var conflict = conflict
                if conflict.span.file == file.source.id {
                    let (start, end) = (conflict.span.start, conflict.span.end)
                    conflict.span = source.span(
                        edits.place(of: Int(start))..<edits.place(of: Int(end)))
                }
                return conflict
            })
    }

    private mutating func mergeAgain(_ path: String, _ bytes: [UInt8]) {
        guard let file = ours.files[path] else { return }
        let source = sources.add(path: file.source.path, bytes: bytes)
        guard let root = YAMLReader.read(source, into: &problems) else { return }
        ours.files[path]?.source = source
        ours.files[path]?.root = root
        merge(path, wasLengthened: true)
    }

    /// The changes of a file's entries, after those inside them have been made.
    private func changes(
        in path: String, _ root: YAMLNode, _ merge: inout EntryMerge
    ) -> (gone: Set<Int>, added: [MappingEditor.Addition]) {
        let origin = origin(of: path)
        var (gone, added) = merge.changes(
            of: root, base: base.settings(in: origin), theirs: theirs.settings(in: origin),
            as: { SpecRole.file.ofValue($0, isShort: false) }, at: EntryMerge.Path(name: path),
            isCounted: true)
        for section in SpecTree.sections {
            let own = partChanges(in: path, section, &merge)
            let block = DraftValue.block(own.added.map(\.entry))
            let index = root.entries.firstIndex { $0.key.text == section }
            if let index, root.entries[index].value.kind == .mapping {
                let mapping = root.entries[index].value
                if own.gone.count == mapping.entries.count, own.added.isEmpty {
                    gone.insert(index)
                } else {
                    merge.editor.change(
                        mapping, removing: own.gone, adding: own.added, isSpaced: true)
                }
            } else if let index, !own.added.isEmpty {
                merge.editor.replace(root.entries[index], by: block, inFlow: false)
            } else if !own.added.isEmpty {
                added.append((root.entries.indices.last, DraftEntry(section, block)))
            }
        }
        return (gone, added)
    }

    private func partChanges(
        in path: String, _ section: String, _ merge: inout EntryMerge
    ) -> (gone: Set<Int>, added: [MappingEditor.Addition]) {
        var gone: Set<Int> = []
        var indices: [SpecTree.Part: Int] = [:]
        for (index, (part, entry)) in ours.parts(in: path, section).enumerated()
        where ours.parts[part]?.file == path {
            indices[part] = index
            let isGone = merge.counted {
                $0.merge(
                    base.parts[part]?.value, entry, theirs.parts[part]?.value, as: part.role,
                    at: EntryMerge.Path(name: part.name), inFlow: false)
            }
            if isGone { gone.insert(index) }
        }
        var added: [MappingEditor.Addition] = []
        for file in theirs.files.keys.sorted() where destination(of: file) == path {
            var last: Int?
            for (part, entry) in theirs.parts(in: file, section) {
                if let index = indices[part] {
                    last = index
                } else if !staysInPlace(part), !wasRemoved(part) {
                    added.append((last, DraftEntry(entry, in: sources)))
                }
            }
        }
        return (gone, added)
    }

    private mutating func report(_ found: [EntryMerge.Conflict]) {
        counts.conflicts += found.count
        for conflict in found {
            conflicts.report(
                .mergeConflict, conflict.message, at: conflict.span, help: conflict.help)
        }
    }
}

extension SpecMerge.Counts {
    fileprivate mutating func add(_ other: Self) {
        added += other.added
        changed += other.changed
        removed += other.removed
        kept += other.kept
    }
}
