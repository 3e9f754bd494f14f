/// Breaks lines that are too long where Swift and its formatter allow: inside the longest bracket,
/// or by turning a string literal into a multi-line one.
extension SwiftWriter {
    /// Writes a line in parts. Returns `false` if it cannot be broken.
    mutating func reflow(_ text: String) -> Bool {
        guard !text.hasPrefix("//"), let part = CodeScanner.longestPart(of: text) else {
            return false
        }
        switch part.kind {
        case .string: spread(text, part)
        case .array, .call: open(text, part)
        }
        return true
    }

    /// Puts the content of a bracket on its own lines.
    private mutating func open(_ text: String, _ part: CodeScanner.Part) {
        let items = CodeScanner.items(of: text[part.content])
        let last = part.kind == .array ? Self.lastComma(items.count) : ""
        line(String(text[..<part.content.lowerBound]))
        indented { writer in
            let joined = items.joined(separator: ", ") + last
            if writer.fits(joined) {
                writer.line(joined)
                return
            }
            for (index, item) in items.enumerated() {
                writer.line(item + (index == items.count - 1 ? last : ","))
            }
        }
        line(String(text[part.content.upperBound...]))
    }

    /// Turns a string literal into a multi-line one without line breaks: all lines but the last end
    /// in a backslash.
    private mutating func spread(_ text: String, _ part: CodeScanner.Part) {
        let head = text[..<part.content.lowerBound].dropLast()
        let tail = text[part.content.upperBound...].dropFirst()
        line(head + CodeScanner.quotes)
        let write = { (writer: inout SwiftWriter) in
            let units = CodeScanner.units(of: text[part.content])
            for piece in CodeScanner.pieces(of: units, width: writer.width) {
                writer.unbroken(piece)
            }
            writer.line(CodeScanner.quotes + tail)
        }
        // The formatter aligns the literal of a dictionary value or a default argument.
        let isDefault = head.prefix { $0 != " " }.hasSuffix(":") && head.hasSuffix(" = ")
        let isAligned = head.isEmpty || head.hasPrefix("\"") || isDefault
        if isAligned { write(&self) } else { indented(write) }
    }
}

/// Finds brackets and literals in an emitted line. It works on scalars, as Swift does: a combining
/// mark after a quote belongs to the literal.
enum CodeScanner {
    /// A part of a line that can be broken, with the range of its content.
    struct Part {
        enum Kind { case string, array, call }
        let kind: Kind
        let content: Range<String.Index>
    }

    /// The delimiter of a multi-line literal.
    static let quotes = "\"\"\""

    /// The longest part that is not nested in another.
    static func longestPart(of text: String) -> Part? {
        var best: (part: Part, count: Int)?
        let scalars = text.unicodeScalars
        // Leading quotes end a multi-line literal of the lines before.
        var index =
            text.hasPrefix(quotes) ? scalars.index(text.startIndex, offsetBy: 3) : text.startIndex
        while index < text.endIndex {
            guard let end = end(ofPartAt: index, in: scalars[...]) else {
                if scalars[index...].starts(with: "//".unicodeScalars) { break }
                index = scalars.index(after: index)
                continue
            }
            let content = scalars.index(after: index)..<scalars.index(before: end)
            let count = scalars.distance(from: content.lowerBound, to: content.upperBound)
            if let kind = kind(scalars[index], scalars[content]), count > best?.count ?? 0 {
                best = (Part(kind: kind, content: content), count)
            }
            index = end
        }
        return best?.part
    }

    private static func kind(
        _ opening: Unicode.Scalar, _ content: Substring.UnicodeScalarView
    ) -> Part.Kind? {
        switch opening {
        case "\"": .string
        case "[": isType(content) ? nil : .array
        case "(": .call
        default: nil
        }
    }

    /// Whether the content of square brackets is a type, which cannot be broken.
    private static func isType(_ content: Substring.UnicodeScalarView) -> Bool {
        guard let first = content.first(where: { $0 != "[" }) else { return true }
        return first.properties.isUppercase
            && content.allSatisfy {
                $0 == "_" || $0.properties.isXIDContinue || " .:<>?[]".unicodeScalars.contains($0)
            }
    }

    /// The comma-separated items of a list.
    static func items(of text: Substring) -> [String] {
        var items: [String] = []
        let scalars = text.unicodeScalars
        var start = text.startIndex
        var index = start
        while index < text.endIndex {
            if let end = end(ofPartAt: index, in: scalars) {
                index = end
                continue
            }
            let next = scalars.index(after: index)
            if scalars[index] == "," {
                items.append(String(text[start..<index]))
                start = scalars[next...].firstIndex { $0 != " " } ?? text.endIndex
            }
            index = next
        }
        return items + [String(text[start...])]
    }

    /// The end of the literal or the closed bracket that begins at an index.
    private static func end(
        ofPartAt start: String.Index, in text: Substring.UnicodeScalarView
    ) -> String.Index? {
        var open: [Unicode.Scalar] = []
        var index = start
        while index < text.endIndex {
            switch text[index] {
            case "\"":
                guard let end = end(ofStringAt: index, in: text) else { return nil }
                index = end
                if open.isEmpty { return index }
                continue
            case "(", "[", "{": open.append(text[index])
            case ")", "]", "}": if open.popLast() == nil { return nil }
            default: break
            }
            index = text.index(after: index)
            if open.isEmpty { return index == text.index(after: start) ? nil : index }
        }
        return nil
    }

    private static func end(
        ofStringAt start: String.Index, in text: Substring.UnicodeScalarView
    ) -> String.Index? {
        var index = text.index(after: start)
        while index < text.endIndex {
            if text[index] == "\\" {
                index = text.index(after: index)
                guard index < text.endIndex else { return nil }
            } else if text[index] == "\"" {
                return text.index(after: index)
            }
            index = text.index(after: index)
        }
        return nil
    }

    // MARK: String literals

    /// The characters and escapes of a literal, so that no escape is cut.
    static func units(of literal: Substring) -> [String] {
        var units: [String] = []
        var rest = literal.unicodeScalars[...]
        while let first = rest.first {
            var count = 1
            if first == "\\" {
                count =
                    rest.dropFirst().first == "u"
                    ? (rest.firstIndex(of: "}").map {
                        rest.distance(from: rest.startIndex, to: $0) + 1
                    } ?? 2) : 2
            }
            units.append(String(String.UnicodeScalarView(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        return units
    }

    /// Lines of units that are at most `width` columns wide; they end after a space if there is
    /// one.
    static func pieces(of units: [String], width: Int) -> [String] {
        var pieces: [String] = []
        var line = ""
        for unit in units {
            if line.utf8.count + unit.utf8.count > width - 1, line.count + unit.count > width - 1 {
                let cut = line.lastIndex(of: " ").map(line.index(after:)) ?? line.endIndex
                pieces.append(line[..<cut] + "\\")
                line = String(line[cut...])
            }
            line += unit
        }
        // A space at the end of a line is escaped, because formatters remove it.
        return pieces + [line.hasSuffix(" ") ? line.dropLast() + "\\u{20}" : line]
    }
}
