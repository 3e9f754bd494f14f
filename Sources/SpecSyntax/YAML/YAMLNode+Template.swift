import SpecDiagnostics
import SpecTemplateRules

extension YAMLNode {
    /// A value of a template, with the spans of its file.
    package init(_ node: TemplateNode, in source: SourceFile) {
        var tree = TemplateTree(source: source)
        let root = tree.add(node)
        self.init(tree.document, root)
    }

    /// A plain scalar with another text, in the same place.
    package func replaced(by text: String) -> YAMLNode {
        let record = YAMLRecord(
            kind: .scalar, isPlain: true, start: span.start, end: span.end, first: 0)
        return YAMLNode(
            YAMLDocument(file: document.file, records: [record], children: [], texts: [text]), 0)
    }
}

/// The flat storage of a template's values.
private struct TemplateTree {
    let source: SourceFile
    private var records: [YAMLRecord] = []
    private var children: [Int32] = []
    private var texts: [String] = []

    init(source: SourceFile) {
        self.source = source
    }

    var document: YAMLDocument {
        YAMLDocument(file: source.id, records: records, children: children, texts: texts)
    }

    /// Adds a value and returns its record.
    mutating func add(_ node: TemplateNode) -> Int32 {
        switch node.value {
        case .null: return scalar("null", at: node.range)
        case .bool(let flag): return scalar("\(flag)", at: node.range)
        case .number(let text): return scalar(text, at: node.range)
        case .string(let text): return scalar(text, at: node.range, isPlain: false)
        case .array(let items):
            let own = items.map { add($0) }
            return collection(.sequence, own, at: node.range)
        case .object(let members):
            let own = members.flatMap { member in
                [scalar(member.key, at: member.range, isPlain: false), add(member.value)]
            }
            return collection(.mapping, own, at: node.range)
        }
    }

    private mutating func scalar(
        _ text: String, at range: Range<Int>, isPlain: Bool = true
    ) -> Int32 {
        texts.append(text)
        return append(.scalar, at: range, isPlain: isPlain, first: texts.count - 1)
    }

    private mutating func collection(
        _ kind: YAMLNode.Kind, _ own: [Int32], at range: Range<Int>
    ) -> Int32 {
        children += own
        return append(kind, at: range, first: children.count - own.count, count: own.count)
    }

    private mutating func append(
        _ kind: YAMLNode.Kind, at range: Range<Int>, isPlain: Bool = false, first: Int,
        count: Int = 0
    ) -> Int32 {
        let span = source.span(range)
        records.append(
            YAMLRecord(
                kind: kind, isPlain: isPlain, start: span.start, end: span.end,
                first: Int32(first), count: Int32(count)))
        return Int32(records.count - 1)
    }
}
