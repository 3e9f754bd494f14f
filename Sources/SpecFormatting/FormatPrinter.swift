import SpecSyntax

/// Prints the nodes of a document, with their comments.
struct FormatPrinter {
    static let width = 100

    private var remarks: SourceRemarks
    private let scalars: FormatScalar

    /// A printer of a file.
    init(of bytes: [UInt8], _ remarks: SourceRemarks) {
        self.remarks = remarks
        scalars = FormatScalar(bytes: bytes)
    }

    mutating func document(_ root: YAMLNode, _ order: KeyOrder) -> String {
        let lines = remarks.head + entries(of: root, indent: 0, order)
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: Blocks

    private mutating func entries(
        of node: YAMLNode, indent: Int, _ order: KeyOrder
    ) -> [String] {
        var lines: [String] = []
        for (index, (entry, inside)) in order.entries(of: node).enumerated() {
            let above = above(entry.key.span.start, indent: indent, isFirst: index == 0)
            if inside.isBlock, index > 0, above.first?.isEmpty != true { lines.append("") }
            lines += above
            lines += self.entry(entry, indent: indent, inside)
        }
        return lines + (node.entries.first.map { below($0.key.span.start, indent) } ?? [])
    }

    private mutating func above(_ start: Int32, indent: Int, isFirst: Bool) -> [String] {
        let lines = remarks.takeBefore(start).drop { isFirst && $0.isEmpty }
        return lines.map { $0.isEmpty ? "" : Self.space(indent) + $0 }
    }

    private mutating func below(_ start: Int32, _ indent: Int) -> [String] {
        remarks.takeAfter(start).map { Self.space(indent) + $0 }
    }

    /// An entry on lines of its own.
    private mutating func entry(
        _ entry: YAMLEntry, indent: Int, _ order: KeyOrder
    ) -> [String] {
        let comment = remarks.takeBehind(entry.key.span.start)
        let head = Self.space(indent) + scalars.text(entry.key, isInFlow: false) + ":"
        return commented(
            value(entry.value, behind: head, indent: indent, order), by: comment, indent: indent)
    }

    /// Lines with a comment behind the first one; above it, where it would become text.
    private func commented(
        _ lines: [String], by comment: String?, indent: Int
    ) -> [String] {
        guard let comment, let first = lines.first else { return lines }
        let isBlock = lines.count > 1 && [" >-", " |", " |-"].contains { first.hasSuffix($0) }
        return isBlock
            ? [Self.space(indent) + comment] + lines
            : ["\(first)  \(comment)"] + lines.dropFirst()
    }

    /// A value behind its key or dash.
    private mutating func value(
        _ node: YAMLNode, behind head: String, indent: Int, _ order: KeyOrder
    ) -> [String] {
        if !order.isBlock || node.entries.isEmpty, !remarks.hasComment(in: node),
            let line = flow(node, order, limit: Self.width - head.count - 1)
        {
            return [line.isEmpty ? head : "\(head) \(line)"]
        }
        switch node.kind {
        case .scalar: return text(node, behind: head, indent: indent)
        case .mapping: return [head] + entries(of: node, indent: indent + 2, order)
        case .sequence: return [head] + list(node, indent: indent + 2, order)
        }
    }

    /// A text that is too long for a line.
    private func text(_ node: YAMLNode, behind head: String, indent: Int) -> [String] {
        let space = Self.space(indent + 2)
        switch scalars.block(node, width: Self.width - indent - 2) {
        case .line(let text): return ["\(head) \(text)"]
        case .lines(let mark, let lines):
            return ["\(head) \(mark)"] + lines.map { $0.isEmpty ? "" : space + $0 }
        }
    }

    private mutating func list(_ node: YAMLNode, indent: Int, _ order: KeyOrder) -> [String] {
        let order = order.item(of: node)
        let words = node.items.compactMap { item in
            item.kind == .scalar ? flow(item, order, isInFlow: true, limit: 60) : nil
        }
        if words.count == node.items.count, !remarks.hasComment(in: node) {
            let parts = words.enumerated().map { $1 + ($0 == words.count - 1 ? "]" : ",") }
            let lines = YAMLText.wrapped(parts, width: Self.width - indent - 2)
            return lines.enumerated().map { Self.space(indent) + ($0 == 0 ? "[" : " ") + $1 }
        }
        var lines: [String] = []
        for (index, item) in node.items.enumerated() {
            let start = item.span.start
            lines += above(start, indent: indent, isFirst: index == 0)
            let comment = remarks.takeBehind(start)
            lines += commented(
                self.item(item, indent: indent, order), by: comment, indent: indent)
        }
        return lines + (node.items.first.map { below($0.span.start, indent) } ?? [])
    }

    private mutating func item(_ item: YAMLNode, indent: Int, _ order: KeyOrder) -> [String] {
        let dash = Self.space(indent) + "-"
        // One entry needs no braces behind a dash.
        let lines =
            item.entries.count == 1
            ? [dash] + entries(of: item, indent: indent + 2, order)
            : value(item, behind: dash, indent: indent, order)
        guard item.kind != .scalar, lines.count > 1, lines[0] == dash,
            !lines[1].hasPrefix(Self.space(indent + 2) + "#")
        else { return lines }
        return ["\(dash) \(lines[1].dropFirst(indent + 2))"] + lines.dropFirst(2)
    }

    // MARK: One line

    /// A value on one line; nil if it does not fit, or has an entry without a value.
    private func flow(_ node: YAMLNode, _ order: KeyOrder, limit: Int) -> String? {
        let text = flow(node, order, isInFlow: false, limit: limit)
        return text.flatMap { $0.count <= limit ? $0 : nil }
    }

    private func flow(
        _ node: YAMLNode, _ order: KeyOrder, isInFlow: Bool, limit: Int
    ) -> String? {
        if node.kind == .scalar {
            let isLong = node.text.utf8.count > limit * 4 || node.text.contains("\n")
            let text = isLong ? nil : scalars.text(node, isInFlow: isInFlow)
            return text == "" && isInFlow ? nil : text
        }
        let isList = node.kind == .sequence
        var parts: [String] = []
        var length = 0
        for item in node.items {
            guard let part = flow(item, order.item(of: node), isInFlow: true, limit: limit),
                length <= limit
            else {
                return nil
            }
            parts.append(part)
            length += part.count
        }
        for (entry, inside) in order.entries(of: node) {
            guard length <= limit,
                let value = flow(entry.value, inside, isInFlow: true, limit: limit)
            else { return nil }
            parts.append("\(scalars.text(entry.key, isInFlow: true)): \(value)")
            length += parts[parts.count - 1].count
        }
        let text = parts.joined(separator: ", ")
        return isList ? "[\(text)]" : text.isEmpty ? "{}" : "{ \(text) }"
    }

    private static func space(_ count: Int) -> String { String(repeating: " ", count: count) }
}
