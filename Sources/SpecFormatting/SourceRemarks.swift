import SpecDiagnostics
import SpecSyntax

/// The comments and blank lines of a file, each at the entry or list item that it belongs to. An entry
/// is known by the offset of its key, an item by its own.
struct SourceRemarks {
    /// The lines above: comments, and empty texts for blank lines.
    private var before: [Int32: [String]] = [:]
    /// The comment on the line.
    private var behind: [Int32: String] = [:]
    /// The comments at the end of a mapping or list, by where it begins.
    private var after: [Int32: [String]] = [:]
    /// The comments that begin the file, and are about all of it.
    private(set) var head: [String] = []

    /// Where an entry or item begins.
    private struct Anchor {
        let start: Int32
        let line: Int
        /// Where the mapping or list begins that it is in.
        let container: Int32
        /// The spaces before it; nil if its line has something else before it.
        let column: Int?
    }

    init(of source: SourceFile, _ root: YAMLNode, comments: [Span]) {
        var starts: [(start: Int32, container: Int32)] = []
        Self.collect(root, into: &starts)
        let lines = source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let anchors = starts.map { start, container in
            let line = source.position(of: Int(start)).line
            let indent = lines[line - 1].prefix { $0 == 0x20 || $0 == UInt8(ascii: "-") }.count
            let isFirst = Int(start) == lines[line - 1].startIndex + indent
            return Anchor(
                start: start, line: line, container: container, column: isFirst ? indent : nil)
        }
        let texts = Dictionary(
            uniqueKeysWithValues: comments.map { comment in
                (source.position(of: Int(comment.start)).line, comment)
            })
        addLinesAbove(anchors, lines: lines, comments: texts, in: source)
        for (line, comment) in texts.sorted(by: { $0.key < $1.key }) {
            add(comment, on: lines[line - 1], line: line, to: anchors, in: source)
        }
        if let first = anchors.first { splitHead(of: first.start) }
    }

    private static func collect(
        _ node: YAMLNode, into starts: inout [(start: Int32, container: Int32)]
    ) {
        let entries = node.entries
        for entry in entries {
            let start = entry.key.span.start
            if starts.last?.start != start { starts.append((start, entries[0].key.span.start)) }
            collect(entry.value, into: &starts)
        }
        let items = node.items
        for item in items {
            starts.append((item.span.start, items[0].span.start))
            collect(item, into: &starts)
        }
    }

    // MARK: Where a remark belongs

    /// Adds the blank lines above entries, with the comments between them.
    private mutating func addLinesAbove(
        _ anchors: [Anchor], lines: [ArraySlice<UInt8>], comments: [Int: Span],
        in source: SourceFile
    ) {
        for anchor in anchors where anchor.column != nil {
            var above: [String] = []
            var line = anchor.line - 1
            while line > 0 {
                let text = lines[line - 1]
                if text.allSatisfy({ $0 <= 0x20 }) {
                    if above.last != "" { above.append("") }
                } else if let comment = comments[line], Self.isAlone(comment, text),
                    Self.column(of: comment, text) <= anchor.column ?? 0
                {
                    above.append(Self.text(comment, in: source))
                } else {
                    break
                }
                line -= 1
            }
            if !above.isEmpty { before[anchor.start] = above.reversed() }
        }
    }

    private mutating func add(
        _ comment: Span, on text: ArraySlice<UInt8>, line: Int, to anchors: [Anchor],
        in source: SourceFile
    ) {
        let own = Self.text(comment, in: source)
        guard Self.isAlone(comment, text) else {
            let last = anchors.last { $0.start < comment.start }?.start ?? 0
            let anchor = anchors.first { $0.line == line && $0.start < comment.start }
            behind[anchor?.start ?? last, default: ""] += own
            return
        }
        let next = anchors.first { $0.start > comment.start }
        let column = Self.column(of: comment, text)
        if let next, next.column.map({ column <= $0 }) ?? true {
            if before[next.start]?.contains(own) != true {
                before[next.start, default: []].append(own)
            }
            return
        }
        let last = anchors.last { $0.start < comment.start && ($0.column ?? .max) <= column }
        after[last?.container ?? anchors.first?.container ?? 0, default: []].append(own)
    }

    /// The comments above the first entry, up to the last blank line, are about the file.
    private mutating func splitHead(of first: Int32) {
        let lines = before[first] ?? []
        guard let blank = lines.lastIndex(of: "") else { return }
        head = lines[...blank].drop { $0.isEmpty }.map { $0 }
        before[first] = Array(lines[(blank + 1)...])
    }

    private static func isAlone(_ comment: Span, _ line: ArraySlice<UInt8>) -> Bool {
        line[..<Int(comment.start)].allSatisfy { $0 <= 0x20 }
    }

    private static func column(of comment: Span, _ line: ArraySlice<UInt8>) -> Int {
        Int(comment.start) - line.startIndex
    }

    private static func text(_ comment: Span, in source: SourceFile) -> String {
        var text = source.text(of: comment)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    // MARK: Taking remarks

    /// The lines above an entry or item, which are given once.
    mutating func takeBefore(_ start: Int32) -> [String] { before.removeValue(forKey: start) ?? [] }

    /// The comment on the line of an entry or item, which is given once.
    mutating func takeBehind(_ start: Int32) -> String? { behind.removeValue(forKey: start) }

    /// The comments at the end of the mapping or list that begins here, which are given once.
    mutating func takeAfter(_ start: Int32) -> [String] { after.removeValue(forKey: start) ?? [] }

    /// Whether a value has a comment inside that is not taken, so that it cannot stand on one line.
    func hasComment(in value: YAMLNode) -> Bool {
        let range = value.span.start...max(value.span.start, value.span.end)
        return behind.keys.contains(where: range.contains)
            || after.keys.contains(where: range.contains)
            || before.contains { range.contains($0.key) && $0.value.contains { !$0.isEmpty } }
    }
}
