import SpecSyntax

/// Changes entries of mappings in the text of one file, and leaves every other byte as it is.
package struct MappingEditor {
    /// The changes so far.
    package var edits: TextEdits
    package let lines: SourceLines

    /// An editor of a file.
    package init(_ bytes: [UInt8]) {
        edits = TextEdits(bytes)
        lines = SourceLines(bytes)
    }

    /// Whether a mapping is written in braces.
    package func isFlow(_ mapping: YAMLNode) -> Bool {
        mapping.span.start < mapping.span.end
            && lines.bytes[Int(mapping.span.start)] == UInt8(ascii: "{")
    }

    /// Whether a value is written on one line.
    func isOnOneLine(_ value: YAMLNode) -> Bool {
        !lines.bytes[Int(value.span.start)..<Int(value.span.end)].contains(0x0A)
    }

    /// Whether an entry can be changed alone: it has no anchor, for its aliases would change with
    /// it, is no alias, and is not written with `? `.
    package func canChange(_ entry: YAMLEntry, inFlow: Bool) -> Bool {
        let (start, end) = (Int(entry.key.span.start), Int(entry.key.span.end))
        let between = lines.bytes[end..<max(end, Int(entry.value.span.start))]
        let hasAnchor = between.split(separator: 0x0A).contains { line in
            line.prefix { $0 != UInt8(ascii: "#") }.contains(UInt8(ascii: "&"))
        }
        let before = lines.bytes[..<start].last { $0 > 0x20 }
        return !entry.value.isAlias && !hasAnchor
            && (inFlow ? before != UInt8(ascii: "?") : lines.indent(of: start) != nil)
    }

    // MARK: One entry

    /// Writes another value. A comment behind the old one stays.
    package mutating func replace(_ entry: YAMLEntry, by value: DraftValue, inFlow: Bool) {
        let span = Int(entry.value.span.start)..<Int(entry.value.span.end)
        guard !inFlow else {
            let colon = endOfColon(entry)
            let isEmpty = span.isEmpty || span.lowerBound < colon
            let text = YAMLPrinter.line(value)
            let gap = colon == Int(entry.key.span.end) ? ": " : " "
            return isEmpty
                ? edits.insert(gap + text, at: colon) : edits.replace(span, by: text)
        }
        let key = Int(entry.key.span.start)
        let colon = endOfColon(entry)
        let end = max(colon, span.upperBound)
        let lineEnd = lines.end(of: end)
        let indent = key - lines.start(of: key)
        var draft = DraftEntry(entry.key.text, value)
        draft.isQuoted = !entry.key.isPlain
        var text = Self.lines(of: draft, indent: indent).dropFirst(indent).dropLast()
        let startsBeside = span.lowerBound < lines.next(after: key)
        guard text.contains("\n") || !startsBeside || span.isEmpty else {
            let head = YAMLText.entryKey(draft.key, isQuoted: draft.isQuoted) + ": "
            return edits.replace(span, by: String(text.dropFirst(head.count)))
        }
        // A comment between the key and the value, or behind the value.
        let comments = [
            startsBeside ? "" : lines.trimmed(colon..<lines.end(of: key)),
            lines.trimmed(end..<lineEnd),
        ].filter { !$0.isEmpty }
        for comment in comments.reversed() {
            text.insert(contentsOf: " " + comment, at: text.firstIndex(of: "\n") ?? text.endIndex)
        }
        edits.replace(key..<lineEnd, by: String(text))
    }

    private func endOfColon(_ entry: YAMLEntry) -> Int {
        let end = Int(entry.key.span.end)
        let next = lines.bytes[end...].firstIndex { $0 != 0x20 }
        return next.map { lines.bytes[$0] == UInt8(ascii: ":") ? $0 + 1 : end } ?? end
    }

    private static func lines(of entry: DraftEntry, indent: Int) -> String {
        var printer = YAMLPrinter()
        printer.print(entry, indent)
        return printer.text
    }

    // MARK: Several entries

    /// Removes entries, and adds others.
    ///
    /// - Parameters:
    ///   - gone: The indices of the entries that are removed, with the comments right above them.
    ///   - added: New entries.
    ///   - isSpaced: Whether blank lines separate entries of several lines.
    package mutating func change(
        _ mapping: YAMLNode, removing gone: Set<Int>, adding added: [Addition],
        isSpaced: Bool = false
    ) {
        let entries = mapping.entries
        if isFlow(mapping) {
            changeFlow(mapping, entries: entries, gone: gone, added: added)
        } else if let first = entries.first {
            changeBlock(
                entries, first: Int(first.key.span.start), gone: gone, added: added,
                isSpaced: isSpaced)
        }
    }

    /// A new entry, with the index of the entry behind which it belongs; nil: first.
    package typealias Addition = (after: Int?, entry: DraftEntry)

    private mutating func changeFlow(
        _ mapping: YAMLNode, entries: [YAMLEntry], gone: Set<Int>,
        added: [Addition]
    ) {
        let starts = entries.map { Int($0.key.span.start) }
        let ends = entries.map { max(endOfColon($0), Int($0.value.span.end)) }
        // The entries before the first one that stays.
        let head = entries.indices.first { !gone.contains($0) } ?? entries.count
        let texts = added.map { added in
            let line = YAMLPrinter.line(.map([added.entry]))
            return (after: added.after ?? -1, text: String(line.dropFirst(2).dropLast(2)))
        }
        guard head < entries.count else {
            let all = texts.map(\.text).joined(separator: ", ")
            let range = Int(mapping.span.start)..<Int(mapping.span.end)
            return edits.replace(range, by: "{ \(all) }")
        }
        if head > 0 { edits.remove(starts[0]..<starts[head]) }
        for index in gone where index > head { edits.remove(ends[index - 1]..<ends[index]) }
        for (after, text) in texts {
            if after < head {
                edits.insert(text + ", ", at: starts[head])
            } else {
                edits.insert(", " + text, at: ends[after])
            }
        }
    }

    private mutating func changeBlock(
        _ entries: [YAMLEntry], first: Int, gone: Set<Int>, added: [Addition],
        isSpaced: Bool
    ) {
        // Before the first key, there may be `? `.
        let start = lines.start(of: first)
        let indent = lines.bytes[start...].prefix { $0 == 0x20 }.count
        let ends = entries.map { end(of: $0, indent: indent) }
        let starts = entries.map { lines.startWithComments(of: Int($0.key.span.start)) }
        for index in gone { edits.remove(withBlank(starts[index]..<ends[index])) }
        let hasBlanks = zip(ends, starts.dropFirst()).contains { $0 < $1 }
        var isTerminated = lines.bytes.last == 0x0A || lines.bytes.last == 0x0D
        for (after, entry) in added {
            let text = Self.lines(of: entry, indent: indent)
            let near = after ?? 0
            let isNearLong = lines.next(after: Int(entries[near].key.span.start)) < ends[near]
            let isLong = isNearLong || text.dropLast().contains("\n")
            let isSpaced = hasBlanks || isSpaced && isLong
            guard let after else {
                edits.insert(text + (isSpaced ? "\n" : ""), at: starts[0])
                continue
            }
            let isOpen = ends[after] == lines.bytes.count && !isTerminated
            edits.insert((isOpen ? "\n" : "") + (isSpaced ? "\n" : "") + text, at: ends[after])
            if isOpen { isTerminated = true }
        }
    }

    /// Where the lines of an entry end, with the comments below that are deeper than its key.
    private func end(of entry: YAMLEntry, indent: Int) -> Int {
        var end = lines.next(after: max(endOfColon(entry), Int(entry.value.span.end)))
        while let depth = lines.commentIndent(at: end), depth > indent {
            end = lines.next(after: end)
        }
        return end
    }

    /// Lines with the blank one before them, or after them where there is none before.
    private func withBlank(_ range: Range<Int>) -> Range<Int> {
        if let line = lines.previous(before: range.lowerBound), lines.isBlank(at: line) {
            return line..<range.upperBound
        }
        return lines.isBlank(at: range.upperBound)
            ? range.lowerBound..<lines.next(after: range.upperBound) : range
    }

    // MARK: Long forms

    /// Writes a type in the long form; `false` if its layout does not allow it.
    package mutating func lengthen(_ entry: YAMLEntry, as long: DraftValue) -> Bool {
        let node = entry.value
        let (start, end) = (Int(node.span.start), Int(node.span.end))
        guard node.kind == .mapping else {
            guard end > start, isOnOneLine(node) else { return false }
            edits.replace(start..<end, by: YAMLPrinter.line(long))
            return true
        }
        guard let first = node.entries.first, node.value(of: "with") == nil else { return false }
        if isFlow(node) {
            edits.insert("{ fields: ", at: start)
            edits.insert(" }", at: end)
            return true
        }
        let key = Int(entry.key.span.start)
        guard let outer = lines.indent(of: key),
            let indent = lines.indent(of: Int(first.key.span.start))
        else { return false }
        var line = lines.next(after: key)
        let space = String(repeating: " ", count: indent)
        edits.insert(space + "fields:\n", at: line)
        let last = self.end(of: entry, indent: outer)
        while line < last {
            if !lines.isBlank(at: line) { edits.insert("  ", at: line) }
            line = lines.next(after: line)
        }
        return true
    }
}
