import SpecDiagnostics
import SpecSyntax

extension DraftValue {
    /// The value of a node, to be written anew.
    init(_ node: YAMLNode, in sources: SourceMap) {
        switch node.kind {
        case .scalar: self = node.literal == nil ? .text(node.text) : .word(node.text)
        case .sequence: self = .list(node.items.map { DraftValue($0, in: sources) })
        case .mapping: self = .map(node.entries.map { DraftEntry($0, in: sources) })
        }
    }

    /// The long form of a type that has the short one.
    var longForm: DraftValue {
        guard case .map(let entries) = self else { return .map([DraftEntry("type", self)]) }
        let fields = entries.filter { $0.key != "with" }
        return .map(entries.filter { $0.key == "with" } + [DraftEntry("fields", .map(fields))])
    }

    /// The value on one short line, for messages.
    var shown: String {
        let line = YAMLPrinter.line(self)
        return "`" + (line.count > 60 ? line.prefix(59) + "…" : line[...]) + "`"
    }
}

extension DraftEntry {
    /// An entry with the comments above it.
    init(_ entry: YAMLEntry, in sources: SourceMap) {
        self.init(SpecMember(entry), in: sources)
        let lines = SourceLines(sources[entry.key.span.file].bytes)
        comments = lines.comments(above: Int(entry.key.span.start))
    }

    init(_ member: SpecMember, in sources: SourceMap) {
        self.init(member.name, DraftValue(member.value, in: sources))
        isQuoted = member.isQuoted
    }
}
