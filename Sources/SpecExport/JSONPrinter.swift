import SpecImport
import SpecSyntax

/// Writes values as JSON (RFC 8259), indented by two spaces.
struct JSONPrinter {
    private(set) var text = ""

    /// The text of an object.
    static func text(_ entries: [DraftEntry]) -> String {
        var printer = JSONPrinter()
        printer.print(.map(entries), 0)
        return printer.text + "\n"
    }

    private mutating func print(_ value: DraftValue, _ indent: Int) {
        switch value {
        case .word(let word): text += Self.literal(word)
        case .text(let content), .type(let content): printText(content)
        case .list(let items):
            printItems(items, indent: indent, in: ("[", "]")) { $0.print($1, indent + 2) }
        case .map(let entries), .block(let entries):
            printItems(entries, indent: indent, in: ("{", "}")) {
                $0.printText($1.key)
                $0.text += ": "
                $0.print($1.value, indent + 2)
            }
        }
    }

    private mutating func printItems<Item>(
        _ items: [Item], indent: Int, in brackets: (String, String),
        _ print: (inout JSONPrinter, Item) -> Void
    ) {
        text += brackets.0
        for (index, item) in items.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + String(repeating: " ", count: indent + 2)
            print(&self, item)
        }
        if !items.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
        text += brackets.1
    }

    /// A number, a Boolean or null, which YAML writes in more ways.
    private static func literal(_ word: String) -> String {
        switch word.lowercased() {
        case "true", "false": word.lowercased()
        case "null", "~", "": "null"
        default: CoreSchema.numberText(word) ?? "null"
        }
    }

    private mutating func printText(_ content: String) {
        text += "\""
        for scalar in content.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
