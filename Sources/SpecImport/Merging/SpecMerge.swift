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
        /// Those with an edit, and no change of the new import.
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
    /// The given files, and the merged ones.
    public private(set) var sources: SourceMap

    private let base: SpecTree
    private let theirs: SpecTree
    private var ours: SpecTree
    /// The files that are as the last import wrote them, line breaks aside.
    private var unedited: Set<String> = []
    private let isPartial: Bool
    /// The methods, models and settings with conflicts.
    private var contested: Set<[String]> = []

    /// Merges.
    ///
    /// - Parameters:
    ///   - base: What the last import wrote.
    ///   - ours: What the folder has now.
    ///   - theirs: What the new import would write.
    ///   - sources: The map of the files.
    public init(
        base: [SpecFile], ours: [SpecFile], theirs: [SpecFile], in sources: SourceMap
    ) {
        self.sources = sources
        isPartial = false
        self.base = SpecTree(base, into: &problems)
        self.ours = SpecTree(ours, into: &problems)
        self.theirs = SpecTree(theirs, into: &problems)
        guard !problems.hasErrors else { return }
        for (path, file) in self.ours.files {
            let now = file.source.bytes.filter { $0 != 0x0D }
            if self.base.files[path]?.source.bytes == now { unedited.insert(path) }
        }
        mergeFiles()
        reportRemoved()
        count()
    }

    /// Merges an overlay, which has only what it changes, and null where it removes something.
    init(_ files: [SpecFile], overlay: YAMLNode, in sources: SourceMap) {
        self.sources = sources
        isPartial = true
        base = SpecTree(files, into: &problems)
        ours = base
        theirs = SpecTree(overlay: overlay, of: base)
        mergeFiles()
    }

    private mutating func mergeFiles() {
        for path in unedited.union(theirs.entries.keys).union(theirs.settings.keys) {
            if unedited.contains(path) || ours.files[path] == nil && destination(of: path) == path {
                isPartial ? create(path) : take(path)
            }
        }
        for path in ours.files.keys.sorted() where !unedited.contains(path) { merge(path) }
    }

    // MARK: Places

    /// The file into which one of the new import is merged. One that was renamed is where its first
    /// method or model is.
    private func destination(of path: String) -> String {
        guard ours.files[path] == nil, base.files[path] != nil else { return path }
        let places = base.entries[path, default: []].compactMap { ours.parts[$0.part]?.file }
        return places.first { base.files[$0] == nil } ?? path
    }

    /// The file of the last import that one is, or was before it was renamed.
    private func origin(of path: String) -> String {
        if base.files[path] != nil || theirs.files[path] != nil { return path }
        return base.files.keys.sorted().first { destination(of: $0) == path } ?? path
    }

    /// Whether the new import adds a method or model to the file in which it has it: not one that is
    /// merged where it stands, or that was removed.
    private func isAdded(_ part: SpecTree.Part) -> Bool {
        guard let file = ours.parts[part]?.file else { return base.parts[part] == nil }
        return unedited.contains(file)
    }

    // MARK: Results

    /// Reports what was removed, and the new import changed.
    private mutating func reportRemoved() {
        var merge = EntryMerge([], in: sources, isPartial: false)
        for (part, place) in theirs.parts where ours.parts[part] == nil {
            guard let before = base.parts[part]?.value else { continue }
            merge.missing(base: before, theirs: place.value, as: part.role, at: [part.name])
        }
        report(merge.conflicts)
    }

    private mutating func report(_ found: [EntryMerge.Conflict]) {
        counts.conflicts += found.count
        for conflict in found {
            contested.formUnion([Array(conflict.path.prefix(1)), Array(conflict.path.prefix(2))])
            conflicts.report(
                isPartial ? .overlayEntry : .mergeConflict, conflict.message, at: conflict.span,
                help: conflict.help)
        }
    }

    private mutating func count() {
        for part in Set(base.parts.keys).union(theirs.parts.keys) {
            count(
                base: base.parts[part]?.value, ours: ours.parts[part]?.value,
                theirs: theirs.parts[part]?.value,
                as: part.role, at: [part.name])
        }
        for path in Set(base.files.keys).union(theirs.files.keys) {
            let sides = [(base, path), (ours, destination(of: path)), (theirs, path)].map { side in
                side.0.settings[side.1, default: []]
            }
            for name in Set((sides[0] + sides[2]).map(\.name)) {
                let values = sides.map { side in side.first { $0.name == name }?.value }
                let role = SpecRole.file.ofValue(name, isShort: false)
                count(
                    base: values[0], ours: values[1], theirs: values[2], as: role, at: [path, name])
            }
        }
    }

    private mutating func count(
        base: YAMLNode?, ours: YAMLNode?, theirs: YAMLNode?, as role: SpecRole,
        at path: [String]
    ) {
        if contested.contains(path) || ours.means(theirs, as: role) { return }
        if base.means(theirs, as: role) {
            counts.kept += 1
        } else if theirs == nil {
            counts.removed += 1
        } else if base == nil {
            counts.added += 1
        } else {
            counts.changed += 1
        }
    }
}

// MARK: - Files

extension SpecMerge {
    /// Takes a file of the new import, without what is elsewhere, or was removed.
    private mutating func take(_ path: String) {
        let name = ours.files[path]?.path ?? path
        let parts = theirs.entries[path, default: []]
        let added = parts.filter { isAdded($0.part) }
        guard let file = theirs.files[path], parts.isEmpty || !added.isEmpty else {
            if ours.files[path] != nil { changes[name] = .some(nil) }
            return
        }
        var editor = MappingEditor(file.source.bytes)
        var emptied: Set<Int> = []
        for (index, section) in file.root.entries.enumerated() {
            let own = parts.filter { $0.part.section == section.key.text }.map(\.part)
            let gone = own.indices.filter { !isAdded(own[$0]) }
            if !own.isEmpty, gone.count == own.count {
                emptied.insert(index)
            } else {
                editor.change(section.value, removing: Set(gone), adding: [])
            }
        }
        editor.change(file.root, removing: emptied, adding: [])
        let bytes = editor.edits.result
        if ours.files[path] == nil || bytes != base.files[path]?.source.bytes {
            changes[name] = bytes
        }
    }

    /// Makes a file of what an overlay adds.
    private mutating func create(_ path: String) {
        var merge = EntryMerge([], in: sources, isPartial: true)
        let entries = SpecTree.sections.compactMap { section in
            let own = theirs.entries[path, default: []].filter {
                $0.part.section == section && isWhole($0.part, entry: $0.entry, merge: &merge)
            }
            return own.isEmpty
                ? nil : DraftEntry(section, .block(own.map { DraftEntry($0.entry, in: sources) }))
        }
        changes[path] = Array(SpecDraftWriter.text(entries).utf8)
        report(merge.conflicts)
    }

    /// Whether a new method or model says all of itself; reported for one of an overlay that does
    /// not.
    private func isWhole(
        _ part: SpecTree.Part, entry: YAMLEntry, merge: inout EntryMerge
    ) -> Bool {
        let member = SpecMember(entry)
        if !isPartial || member.isWhole(as: part.role, isName: true) { return true }
        let names = base.parts.keys.filter { $0.section == part.section }.map(\.name)
        merge.stray(member, among: names, in: "`\(part.section)`")
        return false
    }

    /// Merges into a file that was edited, or that no import wrote.
    private mutating func merge(_ path: String, wasLengthened: Bool = false) {
        guard let file = ours.files[path] else { return }
        var merge = EntryMerge(file.source.bytes, in: sources, isPartial: isPartial)
        let (gone, added) = changes(in: path, file.root, &merge)
        if !merge.lengthening.edits.isEmpty {
            // The entries of a type in the long form can be changed one by one.
            let bytes = merge.lengthening.edits.result
            let source = sources.add(path: file.source.path, bytes: bytes)
            guard let root = YAMLReader.read(source, into: &problems) else { return }
            ours.files[path]?.source = source
            ours.files[path]?.root = root
            return self.merge(path, wasLengthened: true)
        }
        if gone.count == file.root.entries.count, added.isEmpty, !gone.isEmpty {
            changes[file.path] = .some(nil)
            return report(merge.conflicts)
        }
        merge.editor.change(file.root, removing: gone, adding: added, isSpaced: true)
        let edits = merge.editor.edits
        let source = sources.add(path: file.source.path, bytes: edits.result)
        if !edits.isEmpty || wasLengthened || !added.isEmpty {
            changes[file.path] = source.bytes
            requireMappings(file.root, merge.editor)
            var bag = DiagnosticBag()
            _ = YAMLReader.read(source, into: &bag)
            if let mistake = bag.all.first {
                problems.report(
                    .mergeConflict, "a merge would leave a mistake: \(mistake.message)",
                    at: file.source.start, help: "write the values of aliases out")
            }
        }
        report(
            merge.conflicts.map { conflict in
                var conflict = conflict
                if conflict.span.file == file.source.id {
                    let (start, end) = (Int(conflict.span.start), Int(conflict.span.end))
                    conflict.span = source.span(edits.place(of: start)..<edits.place(of: end))
                }
                return conflict
            })
    }

    /// Reports what has no entries that can be changed and added.
    private mutating func requireMappings(_ root: YAMLNode, _ editor: MappingEditor) {
        let fixed = root.entries.first { entry in
            SpecTree.sections.contains(entry.key.text)
                && (!editor.canChange(entry, inFlow: editor.isFlow(root))
                    || entry.value.kind != .mapping && !entry.value.isNull)
        }
        if root.kind == .mapping, fixed == nil { return }
        problems.report(
            .mergeConflict, "nothing can be merged into this value",
            at: fixed?.key.span ?? root.span,
            help: "write it as a mapping, without an anchor or an alias")
    }

    /// The changes of a file's entries, after those inside them have been made.
    private func changes(
        in path: String, _ root: YAMLNode, _ merge: inout EntryMerge
    ) -> (gone: Set<Int>, added: [MappingEditor.Addition]) {
        let origin = origin(of: path)
        var (gone, added) = merge.changes(
            of: root, base: base.settings[origin, default: []],
            theirs: theirs.settings[origin, default: []], as: .file, at: [path])
        for section in SpecTree.sections {
            let own = partChanges(in: path, root: root, section: section, merge: &merge)
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
                merge.editor.replace(
                    root.entries[index], by: block, inFlow: merge.editor.isFlow(root))
            } else if !own.added.isEmpty {
                added.append((root.entries.indices.last, DraftEntry(section, block)))
            }
        }
        return (gone, added)
    }

    private func partChanges(
        in path: String, root: YAMLNode, section: String, merge: inout EntryMerge
    ) -> (gone: Set<Int>, added: [MappingEditor.Addition]) {
        var gone: Set<Int> = []
        var indices: [SpecTree.Part: Int] = [:]
        let parts = ours.entries[path, default: []].map(\.part).filter { $0.section == section }
        let isFlow = root.value(of: section).map { merge.editor.isFlow($0) } ?? false
        // The values are those of the root, which is newer than the tree once types are lengthened.
        for (index, entry) in (root.value(of: section)?.entries ?? []).enumerated()
        where ours.parts[parts[index]]?.file == path {
            let part = parts[index]
            indices[part] = index
            let new = theirs.parts[part]?.value
            // What an overlay does not name is no part of its base.
            let old = isPartial ? new.map { _ in entry.value } : base.parts[part]?.value
            let isGone = merge.merge(
                base: old, ours: entry, theirs: new?.isNull == true ? nil : new, as: part.role,
                at: [part.name],
                inFlow: isFlow)
            if isGone { gone.insert(index) }
        }
        var added: [MappingEditor.Addition] = []
        for file in theirs.entries.keys.sorted() where destination(of: file) == path {
            var last: Int?
            for (part, entry) in theirs.entries[file, default: []] where part.section == section {
                if let index = indices[part] {
                    last = index
                } else if isAdded(part), isWhole(part, entry: entry, merge: &merge) {
                    let end = isPartial ? parts.indices.last : nil
                    added.append((last ?? end, DraftEntry(entry, in: sources)))
                }
            }
        }
        return (gone, added)
    }
}
