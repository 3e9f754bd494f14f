/// Writes Swift source text, line by line, at the indentation of the open blocks.
struct SwiftWriter {
    private var bytes: [UInt8] = []
    private var depth = 0
    /// The patterns of the file.
    var patterns = PatternTable()
    /// The protocol of the app's own checks.
    var replyChecks = ""

    /// The code of declarations written so far.
    private(set) var declarations: [GeneratedFile.Declaration] = []

    /// The text written so far.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The columns available for text at the current depth.
    var width: Int { 100 - depth * 4 }

    /// Writes one line, or several if the text is too long and can be broken; an empty one is left
    /// without indentation.
    mutating func line(_ text: String = "") {
        if fits(text) || !reflow(text) { unbroken(text) }
    }

    private static let indentation: [UInt8] = [0x20, 0x20, 0x20, 0x20]

    /// Writes one line as it is.
    mutating func unbroken(_ text: String) {
        if !text.isEmpty {
            for _ in 0..<depth { bytes.append(contentsOf: Self.indentation) }
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(0x0A)
    }

    /// Whether a text fits on a line. The formatter reserves a column for a trailing comma in every
    /// array.
    func fits(_ text: String) -> Bool {
        if text.utf8.count * 2 <= width { return true }
        // A loop without an iterator, because every long line passes here, also in a debug build.
        var text = text
        return text.withUTF8 { bytes in
            var columns = 0
            var place = 0
            while place < bytes.count {
                if bytes[place] & 0xC0 != 0x80 { columns += 1 }
                if bytes[place] == UInt8(ascii: "[") { columns += 1 }
                place += 1
            }
            return columns <= width
        }
    }

    /// Writes `head {`, what `body` writes one level deeper, and `}` with what follows it.
    mutating func block(_ head: String, tail: String = "", _ body: (inout SwiftWriter) -> Void) {
        line(head + " {")
        indented(body)
        line("}" + tail)
    }

    /// Writes the label of a case and its statements: on one line if that is one statement and fits.
    ///
    /// - Parameter comment: A comment behind the label; nil for none.
    mutating func branch(
        _ label: String, comment: String? = nil, _ body: (inout SwiftWriter) -> Void
    ) {
        let start = bytes.count
        let comment = comment.map { "  // \($0)" } ?? ""
        line(fits(label + comment) ? label + comment : label)
        let end = bytes.count
        indented(body)
        guard bytes[end...].count(where: { $0 == 0x0A }) == 1 else { return }
        let statement = String(
            decoding: bytes[end...].dropLast().drop { $0 == 0x20 }, as: UTF8.self)
        let joined = "\(label) \(statement)\(comment)"
        guard fits(joined) else { return }
        bytes.removeLast(bytes.count - start)
        line(joined)
    }

    /// Writes what `body` writes, as code of the method or model of this name alone.
    mutating func code(of name: String, _ body: (inout SwiftWriter) -> Void) {
        let start = bytes.count
        body(&self)
        declarations.append(GeneratedFile.Declaration(name: name, range: start..<bytes.count))
    }

    /// Writes a switch, whose cases have the indentation of the switch.
    mutating func switchBlock(_ subject: String, _ cases: (inout SwiftWriter) -> Void) {
        line("switch \(subject) {")
        cases(&self)
        line("}")
    }

    /// Writes what `body` writes one level deeper.
    mutating func indented(_ body: (inout SwiftWriter) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    /// Writes `head(items)tail` on one line if it fits, else one item a line.
    mutating func list(
        _ head: String, _ items: [String], tail: String = ""
    ) {
        let single = head + "(" + items.joined(separator: ", ") + ")" + tail
        if fits(single) || items.isEmpty && !tail.hasPrefix(" -> ") {
            line(single)
            return
        }
        guard !items.isEmpty else {
            // A long result of a function without arguments is on a line of its own.
            line(head + "()")
            indented { $0.line(String(tail.dropFirst().dropLast(2))) }
            line("{")
            return
        }
        line(head + "(")
        indented { writer in
            let joined = items.joined(separator: ", ")
            if writer.fits(joined) {
                writer.line(joined)
                return
            }
            for (index, item) in items.enumerated() {
                writer.line(index == items.count - 1 ? item : item + ",")
            }
        }
        line(")" + tail)
    }
}
