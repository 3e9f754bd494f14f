import SpecSyntax

/// Writes YAML as a person does: in braces what fits a line, texts without needless quotes.
package struct YAMLPrinter {
    private static let width = 100
    package private(set) var text = ""

    package init() {}

    /// Writes the entries of a file; a blank line stands before each block.
    package mutating func print(_ entries: [DraftEntry]) {
        for (index, entry) in entries.enumerated() {
            if case .block = entry.value, index > 0 { text += "\n" }
            print(entry, 0)
        }
    }

    /// Writes an entry on lines of its own.
    mutating func print(_ entry: DraftEntry, _ indent: Int) {
        let space = String(repeating: " ", count: indent)
        for comment in entry.comments { text += space + "# " + comment + "\n" }
        let key = YAMLText.entryKey(entry.key, isQuoted: entry.isQuoted)
        if key.utf8.count <= 1000, let line = Self.flow(entry.value, isOutside: true),
            indent + key.utf8.count + 2 + line.utf8.count <= Self.width
        {
            text += space + key + ": " + line + "\n"
        } else {
            // libyaml reads no longer keys without `?` before them.
            let isLong = key.utf8.count > 1000
            text += isLong ? "\(space)? \(key)\n\(space):" : "\(space)\(key):"
            printBlock(entry.value, indent)
        }
    }

    /// Writes a value behind its key and colon.
    private mutating func printBlock(_ value: DraftValue, _ indent: Int) {
        switch value {
        case .word(let word): text += " " + word + "\n"
        case .type(let type): text += " " + YAMLText.typeText(type) + "\n"
        case .text(let content): printText(content, indent)
        case .map(let entries):
            text += "\n"
            for entry in entries { print(entry, indent + 2) }
        case .block(let entries):
            text += "\n"
            printSpaced(entries, indent + 2)
        case .list(let items): printItems(items, indent)
        }
    }

    /// Entries with a blank line around those of several lines.
    private mutating func printSpaced(_ entries: [DraftEntry], _ indent: Int) {
        var wasLong = false
        for (index, entry) in entries.enumerated() {
            var part = YAMLPrinter()
            part.print(entry, indent)
            let isLong = part.text.dropLast().contains("\n")
            if index > 0, isLong || wasLong { text += "\n" }
            text += part.text
            wasLong = isLong
        }
    }

    // MARK: Texts

    private mutating func printText(_ content: String, _ indent: Int) {
        guard let block = YAMLText.block(content, width: Self.width - indent - 2) else {
            text += " " + YAMLText.quoted(content) + "\n"
            return
        }
        let space = String(repeating: " ", count: indent + 2)
        text += " \(block.mark)\n"
        for line in block.lines { text += line.isEmpty ? "\n" : space + line + "\n" }
    }

    // MARK: Lists

    private mutating func printItems(_ items: [DraftValue], _ indent: Int) {
        let space = String(repeating: " ", count: indent + 2)
        let words = items.compactMap { item -> String? in
            switch item {
            case .word, .text, .type: Self.flow(item)
            default: nil
            }
        }
        if words.count == items.count, words.allSatisfy({ $0.utf8.count < 60 }) {
            let parts = words.enumerated().map { $1 + ($0 == words.count - 1 ? "]" : ",") }
            let lines = YAMLText.wrapped(parts, width: Self.width - indent - 4)
            text += "\n" + space + "[" + lines.joined(separator: "\n" + space + " ") + "\n"
            return
        }
        text += "\n"
        for item in items { printItem(item, indent: indent + 2, space: space) }
    }

    private mutating func printItem(_ item: DraftValue, indent: Int, space: String) {
        if let line = Self.flow(item, isOutside: true),
            indent + 2 + line.utf8.count <= Self.width
        {
            text += space + "- " + line + "\n"
            return
        }
        guard case .map(let entries) = item else {
            text += space + "-"
            return printBlock(item, indent)
        }
        var part = YAMLPrinter()
        for entry in entries { part.print(entry, indent + 2) }
        let isComment = entries.first?.comments.isEmpty == false
        text += space + (isComment ? "-\n" + part.text : "- " + part.text.dropFirst(indent + 2))
    }

    // MARK: On one line

    /// A value on one line, however long that is.
    package static func line(_ value: DraftValue) -> String { flow(value, limit: .max) ?? "" }

    /// The value on one line; nil where it needs several, or is longer than the limit.
    private static func flow(
        _ value: DraftValue, isOutside: Bool = false, limit: Int = width
    ) -> String? {
        switch value {
        case .word(let word): return word
        case .type(let type): return YAMLText.typeText(type)
        case .text(let text):
            guard text.utf8.count <= limit, !text.contains("\n") || limit == .max else {
                return nil
            }
            return YAMLText.text(text, isInFlow: !isOutside)
        case .block where limit < .max: return nil
        case .list(let items):
            var line = "["
            for (index, item) in items.enumerated() {
                guard line.utf8.count <= limit, let part = flow(item, limit: limit) else {
                    return nil
                }
                line += (index > 0 ? ", " : "") + part
            }
            return line + "]"
        case .map(let entries), .block(let entries):
            if entries.isEmpty { return "{}" }
            var line = "{ "
            for (index, entry) in entries.enumerated() {
                guard line.utf8.count <= limit, entry.comments.isEmpty || limit == .max,
                    let value = flow(entry.value, limit: limit)
                else { return nil }
                let key = YAMLText.entryKey(entry.key, isQuoted: entry.isQuoted)
                line += (index > 0 ? ", " : "") + key + ": " + value
            }
            return line + " }"
        }
    }
}
