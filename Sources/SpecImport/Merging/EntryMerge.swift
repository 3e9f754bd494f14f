import SpecDiagnostics
import SpecSyntax

/// Merges what a new import changed into entries of one file.
///
/// `base` is what the last import wrote, `ours` what stands there now, and `theirs` the new import.
/// What only one side changed has its value, and what both changed differently stays, as a conflict.
struct EntryMerge {
    /// A conflict, or an entry of an overlay that meets nothing.
    struct Conflict {
        /// The name of the method, model or file, and the keys in it.
        let path: [String]
        /// Of the entry, or of what the new import has where the file has none.
        var span: Span
        let message: String
        let help: String
    }

    private let sources: SourceMap
    /// Whether `theirs` has only what it changes, and null where it removes something.
    private let isPartial: Bool
    /// The changes of the text.
    var editor: MappingEditor
    /// Changes of types from short to long form, which have to be made before all others.
    private(set) var lengthening: MappingEditor
    private(set) var conflicts: [Conflict] = []

    init(_ bytes: [UInt8], in sources: SourceMap, isPartial: Bool) {
        self.sources = sources
        self.isPartial = isPartial
        editor = MappingEditor(bytes)
        lengthening = editor
    }

    /// Merges the value of a key that the file has.
    ///
    /// - Returns: Whether the entry has to be removed.
    mutating func merge(
        base: YAMLNode?, ours: YAMLEntry, theirs: YAMLNode?, as role: SpecRole,
        at path: [String], inFlow: Bool = false
    ) -> Bool {
        let value = ours.value
        if base.means(theirs, as: role) || theirs.means(value, as: role) { return false }
        let isUntouched = base.means(value, as: role)
        let canChange = editor.canChange(ours, inFlow: inFlow)
        if isUntouched, theirs == nil, canChange { return true }
        if canChange, role.hasNames || base != nil && theirs != nil,
            let isEmpty = mergeMembers(
                base: base, ours: ours, theirs: theirs, as: role, at: path,
                isUntouched: isUntouched, inFlow: inFlow)
        {
            return isEmpty
        }
        if isUntouched, canChange, let theirs {
            editor.replace(ours, by: DraftValue(theirs, in: sources), inFlow: inFlow)
        } else {
            conflict(
                base: base, ours: value, theirs: theirs, at: ours.key.span.joined(with: value.span),
                path: path)
        }
        return false
    }

    /// Merges the entries of mappings.
    ///
    /// - Returns: Whether all entries of the mapping have to be removed; nil: it is merged as a whole.
    private mutating func mergeMembers(
        base: YAMLNode?, ours: YAMLEntry, theirs: YAMLNode?, as role: SpecRole,
        at path: [String], isUntouched: Bool, inFlow: Bool
    ) -> Bool? {
        let value = ours.value
        if isPartial {
            let replaces = theirs?.isLongForm == true && theirs?.value(of: "type") == nil
            if role == .json || theirs?.kind != .mapping || replaces && value.kind != .mapping {
                return nil
            }
        } else if isUntouched {
            // A mapping on lines may have comments; on one line, the layout of the import is better.
            let isLine = value.kind != .mapping || editor.isFlow(value) && editor.isOnOneLine(value)
            if isLine || theirs?.kind == .scalar { return nil }
        }
        let isLong =
            role == .type
            && ([base, value, theirs].contains { $0?.isLongForm == true }
                || isPartial && theirs?.hasAttributes == true)
        guard let old = base.map({ $0.members(isLong: isLong) }) ?? [],
            let new = theirs.map({ $0.members(isLong: isLong) }) ?? [],
            isLong || value.kind == .mapping
        else { return nil }
        if isLong, !value.isLongForm {
            let draft = DraftValue(value, in: sources).longForm
            if lengthening.lengthen(ours, as: draft) { return false }
            guard isPartial else { return nil }
            lengthening.replace(ours, by: draft, inFlow: inFlow)
            return false
        }
        let (gone, added) = changes(
            of: value, base: old, theirs: new, as: role, isShort: role == .type && !isLong, at: path
        )
        if gone.count == value.entries.count, added.isEmpty { return true }
        editor.change(value, removing: gone, adding: added)
        return false
    }

    /// The changes of a mapping's entries, after those inside them have been made.
    ///
    /// - Parameter isShort: Whether the mapping is a type without a key of the long form.
    mutating func changes(
        of mapping: YAMLNode, base: [SpecMember], theirs: [SpecMember], as role: SpecRole,
        isShort: Bool = false, at path: [String]
    ) -> (gone: Set<Int>, added: [MappingEditor.Addition]) {
        let entries = mapping.entries
        let isFlow = editor.isFlow(mapping)
        var old = Dictionary(base.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        var new = Dictionary(theirs.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        if isPartial {
            old = old.filter { new[$0.key] != nil }
            new = new.filter { !$0.value.isNull }
        }
        var indices: [String: Int] = [:]
        var gone: Set<Int> = []
        for (index, entry) in entries.enumerated() {
            let key = entry.key.text
            indices[key] = index
            let isGone = merge(
                base: old[key], ours: entry, theirs: new[key],
                as: role.ofValue(key, isShort: isShort),
                at: path + [key], inFlow: isFlow)
            if isGone { gone.insert(index) }
        }
        var added: [MappingEditor.Addition] = []
        var last: Int?
        for member in theirs {
            let memberRole = role.ofValue(member.name, isShort: isShort)
            if let index = indices[member.name] {
                last = index
            } else if isPartial, !member.isWhole(as: memberRole, isName: role.hasNames || isShort) {
                stray(member, among: indices.keys, in: "`\(path.joined(separator: "."))`")
            } else if let before = old[member.name] {
                missing(
                    base: before, theirs: member.value, as: memberRole, at: path + [member.name])
            } else {
                let end = isPartial ? entries.indices.last : nil
                added.append((last ?? end, DraftEntry(member, in: sources)))
            }
        }
        return (gone, added)
    }

    // MARK: Conflicts

    /// Keeps an entry removed; a conflict if the new import changed it.
    mutating func missing(
        base: YAMLNode, theirs: YAMLNode, as role: SpecRole, at path: [String]
    ) {
        guard !base.means(theirs, as: role) else { return }
        conflict(base: base, ours: nil, theirs: theirs, at: theirs.span, path: path)
    }

    private mutating func conflict(
        base: YAMLNode?, ours: YAMLNode?, theirs: YAMLNode?, at span: Span, path: [String]
    ) {
        func shown(_ node: YAMLNode?) -> String {
            node.map { DraftValue($0, in: sources).shown } ?? "nothing"
        }
        let keys = path.dropFirst().joined(separator: ".")
        let name = keys.isEmpty ? "`\(path[0])`" : "`\(keys)` of `\(path[0])`"
        let change =
            switch (base, theirs) {
            case (nil, _): "added \(name) as \(shown(theirs))"
            case (_, nil): "has removed \(name), which was \(shown(base))"
            default: "changed \(name) from \(shown(base)) to \(shown(theirs))"
            }
        let state = ours == nil ? "has removed it" : "has \(shown(ours))"
        conflicts.append(
            Conflict(
                path: path, span: span, message: "the description \(change), and the spec \(state)",
                help: ours == nil
                    ? "add it again if the change matters"
                    : "the spec stays as it is: write what is right"))
    }

    /// Reports an entry of an overlay that meets nothing.
    mutating func stray(_ member: SpecMember, among names: some Sequence<String>, in place: String)
    {
        let near = didYouMean(member.name, among: names)
        conflicts.append(
            Conflict(
                path: [], span: member.span, message: "\(place) has no `\(member.name)`",
                help: near
                    ?? (member.value.isNull
                        ? "remove the line"
                        : "what is new has to be whole: a method with its verb, a model, field or "
                            + "parameter with its type")))
    }
}
