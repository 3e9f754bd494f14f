import SpecDiagnostics
import SpecSyntax

/// Merges what a new import changed into entries of one file.
///
/// `base` is what the last import wrote, `ours` what stands there now, and `theirs` the new import.
/// What only one side changed has its value, and what both changed differently stays, as a conflict.
struct EntryMerge {
    /// A conflict at a place of the file.
    struct Conflict {
        /// Of the entry, or of what the new import has where the file has none.
        var span: Span
        let message: String
        let help: String
    }

    private let sources: SourceMap
    /// The changes of the text.
    var editor: MappingEditor
    /// Changes of types from short to long form, which have to be made before all others.
    private(set) var lengthening: MappingEditor
    private(set) var conflicts: [Conflict] = []
    private(set) var counts = SpecMerge.Counts()
    private var isChanged = false
    private var isKept = false

    init(_ bytes: [UInt8], in sources: SourceMap) {
        self.sources = sources
        editor = MappingEditor(bytes)
        lengthening = editor
    }

    /// The place of an entry: a method, a model or a file, and the keys in it.
    struct Path {
        var name: String
        var keys: [String] = []

        func adding(_ key: String) -> Path { Path(name: name, keys: keys + [key]) }

        var shown: String {
            keys.isEmpty ? "`\(name)`" : "`\(keys.joined(separator: "."))` of `\(name)`"
        }
    }

    /// Merges the value of a key that the file has.
    ///
    /// - Returns: Whether the entry has to be removed.
    mutating func merge(
        _ base: YAMLNode?, _ ours: YAMLEntry, _ theirs: YAMLNode?, as role: SpecRole,
        at path: Path, inFlow: Bool
    ) -> Bool {
        let value = ours.value
        let isUntouched = base.means(value, as: role)
        guard !base.means(theirs, as: role) else {
            if !isUntouched, base != nil { isKept = true }
            return false
        }
        if theirs.means(value, as: role) { return false }
        let canChange = editor.canChange(ours, inFlow: inFlow)
        if isUntouched, theirs == nil, canChange {
            isChanged = true
            return true
        }
        if canChange, role.hasNames || base != nil && theirs != nil,
            let isEmpty = mergeMembers(base, ours, theirs, role, path, isUntouched)
        {
            return isEmpty
        }
        if isUntouched, canChange, let theirs {
            editor.replace(ours, by: DraftValue(theirs, in: sources), inFlow: inFlow)
            isChanged = true
        } else {
            conflict(base, value, theirs, at: ours.key.span.joined(with: value.span), path)
        }
        return false
    }

    /// Merges the entries of mappings.
    ///
    /// - Returns: Whether all entries of the mapping have to be removed; nil: it is merged as a whole.
    private mutating func mergeMembers(
        _ base: YAMLNode?, _ ours: YAMLEntry, _ theirs: YAMLNode?, _ role: SpecRole,
        _ path: Path, _ isUntouched: Bool
    ) -> Bool? {
        let value = ours.value
        let isFlow = value.kind == .mapping && editor.isFlow(value)
        if isUntouched, isFlow || value.kind != .mapping || theirs?.kind == .scalar { return nil }
        let isLong =
            role == .type && [base, value, theirs].contains { $0?.isLongForm == true }
        guard let old = base.map({ $0.members(isLong: isLong) }) ?? [],
            let new = theirs.map({ $0.members(isLong: isLong) }) ?? [],
            isLong || value.kind == .mapping
        else { return nil }
        if isLong, !value.isLongForm {
            let draft = DraftValue(value, in: sources)
            return lengthening.lengthen(ours, in: draft) ? false : nil
        }
        let result = changes(
            of: value, base: old, theirs: new,
            as: { role.ofValue($0, isShort: role == .type && !isLong) }, at: path)
        if result.gone.count == value.entries.count, result.added.isEmpty { return true }
        editor.change(value, removing: result.gone, adding: result.added)
        return false
    }

    /// The changes of a mapping's entries, after those inside them have been made.
    ///
    /// - Parameter isCounted: Whether each entry counts.
    mutating func changes(
        of mapping: YAMLNode, base: [SpecMember], theirs: [SpecMember],
        as role: (String) -> SpecRole, at path: Path, isCounted: Bool = false
    ) -> (gone: Set<Int>, added: [MappingEditor.Addition]) {
        let entries = mapping.entries
        let isFlow = editor.isFlow(mapping)
        let old = Dictionary(base.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        let new = Dictionary(theirs.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        var indices: [String: Int] = [:]
        var gone: Set<Int> = []
        for (index, entry) in entries.enumerated() {
            let key = entry.key.text
            indices[key] = index
            let role = role(key)
            let body = { (merge: inout EntryMerge) in
                merge.merge(
                    old[key], entry, new[key], as: role, at: path.adding(key), inFlow: isFlow)
            }
            if isCounted ? counted(body) : body(&self) { gone.insert(index) }
        }
        var added: [MappingEditor.Addition] = []
        var last: Int?
        for member in theirs {
            if let index = indices[member.name] {
                last = index
            } else if let before = old[member.name] {
                let role = role(member.name)
                missing(before, member.value, as: role, path.adding(member.name))
            } else {
                added.append((last, DraftEntry(member, in: sources)))
                if isCounted { counts.added += 1 } else { isChanged = true }
            }
        }
        return (gone, added)
    }

    /// Merges what counts as one: a method, a model or a setting.
    ///
    /// - Returns: Whether it has to be removed.
    mutating func counted(_ body: (inout EntryMerge) -> Bool) -> Bool {
        (isChanged, isKept) = (false, false)
        let isGone = body(&self)
        if isKept { counts.kept += 1 }
        if isGone { counts.removed += 1 } else if isChanged { counts.changed += 1 }
        return isGone
    }

    /// Keeps an entry removed, unless the new import changed it.
    mutating func missing(
        _ base: YAMLNode, _ theirs: YAMLNode, as role: SpecRole, _ path: Path
    ) {
        if base.means(theirs, as: role) {
            isKept = true
        } else {
            conflict(base, nil, theirs, at: theirs.span, path)
        }
    }

    private mutating func conflict(
        _ base: YAMLNode?, _ ours: YAMLNode?, _ theirs: YAMLNode?, at span: Span, _ path: Path
    ) {
        func shown(_ node: YAMLNode?) -> String {
            node.map { DraftValue($0, in: sources).shown } ?? "nothing"
        }
        let change =
            switch (base, theirs) {
            case (nil, _): "the description added \(path.shown) as \(shown(theirs))"
            case (_, nil): "the description has removed \(path.shown), which was \(shown(base))"
            default:
                "the description changed \(path.shown) from \(shown(base)) to \(shown(theirs))"
            }
        let state = ours == nil ? "the spec has removed it" : "the spec has \(shown(ours))"
        conflicts.append(
            Conflict(
                span: span, message: "\(change), and \(state)",
                help: ours == nil
                    ? "add it again if the change matters"
                    : "the spec stays as it is: write what is right"))
    }
}
