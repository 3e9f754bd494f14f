/// An expression that can be broken over several lines.
indirect enum Layout {
    /// Text that stays on one line.
    case text(String)
    /// A call or a tuple: text, items in parentheses.
    case call(String, [Layout])
    /// A string literal behind some text, for instance a label.
    case string(String, String)
    /// An array literal behind some text, for instance a label.
    case array(String, [Layout])

    /// An array of string literals behind a label.
    static func strings(_ label: String, _ texts: [String]) -> Layout {
        .array(label, texts.map { .text(SwiftLiteral.string($0)) })
    }

    /// The whole expression on one line.
    var flat: String {
        switch self {
        case .text(let text): text
        case .string(let head, let text): head + SwiftLiteral.string(text)
        case .call(let head, let items):
            head + "(" + items.map(\.flat).joined(separator: ", ") + ")"
        case .array(let head, let items):
            head + "[" + items.map(\.flat).joined(separator: ", ") + "]"
        }
    }
}

extension SwiftWriter {
    /// Writes an expression between `head` and `tail`: on one line if it fits, else its items on
    /// lines of their own, as many on each as fit.
    mutating func expression(_ head: String, _ layout: Layout, tail: String = "") {
        let single = head + layout.flat + tail
        switch layout {
        case .call(let name, let items) where !fits(single) && !items.isEmpty:
            line(head + name + "(")
            indented { $0.fill(items, last: "") }
            line(")" + tail)
        case .array(let name, let items) where !fits(single) && !items.isEmpty:
            line(head + name + "[")
            indented { $0.fill(items, last: Self.lastComma(items.count)) }
            line("]" + tail)
        default: line(single)
        }
    }

    /// The text after the last item of an array: the formatter rejects a trailing comma after a
    /// single item.
    static func lastComma(_ count: Int) -> String { count == 1 ? "" : "," }

    /// Writes a block that holds one expression, on one line if it fits.
    mutating func oneLineBlock(_ head: String, _ value: Layout) {
        let single = "\(head) \(value.flat) }"
        if fits(single) {
            line(single)
            return
        }
        line(head)
        indented { $0.expression("", value) }
        line("}")
    }

    /// Writes a guard, with one condition per line if it is too long.
    mutating func conditions(_ items: [String], otherwise exit: String) {
        let single = "guard \(items.joined(separator: ", ")) else { \(exit) }"
        if fits(single) {
            line(single)
            return
        }
        for (index, item) in items.enumerated() {
            let comma = index == items.count - 1 ? "" : ","
            line(index == 0 ? "guard \(item)\(comma)" : "    \(item)\(comma)")
        }
        line("else { \(exit) }")
    }

    /// Writes items separated by commas, as many on a line as fit.
    mutating func fill(_ items: [Layout], last: String) {
        var open = ""
        for (index, item) in items.enumerated() {
            let comma = index == items.count - 1 ? last : ","
            let flat = item.flat + comma
            if !open.isEmpty, fits(open + " " + flat) {
                open += " " + flat
                continue
            }
            if !open.isEmpty { line(open) }
            open = flat
            if !fits(flat) {
                expression("", item, tail: comma)
                open = ""
            }
        }
        if !open.isEmpty { line(open) }
    }
}
