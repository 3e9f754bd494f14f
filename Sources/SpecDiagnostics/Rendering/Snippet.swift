/// The source lines of one file that labels point to.
struct Snippet {
    /// A span to underline, with its text.
    struct Label {
        let span: Span
        let text: String
        let color: TerminalStyle.Color
        let isPrimary: Bool
    }

    /// The part of a label on one line.
    private struct Mark {
        let line: Int
        let range: Range<Int>
        let text: String
        let label: Label
    }

    let file: SourceFile
    var labels: [Label]

    /// Whether there is no text to show (a folder or an unreadable file).
    var isEmpty: Bool { file.bytes.isEmpty }

    /// The width of the largest line number.
    var gutterWidth: Int {
        String(allMarks.map(\.line).max() ?? 1).utf8.count
    }

    /// `path:line:column` of the first label; the path alone if there is no text.
    func place(in sources: SourceMap) -> String {
        isEmpty ? file.path : sources.place(of: labels[0].span)
    }

    /// The source lines, each with its underlines below, after an empty line of the gutter.
    func lines(gutter: Int, width: Int, style: TerminalStyle) -> [String] {
        guard !isEmpty else { return [] }
        let marks = allMarks
        let empty = style.paint(String(repeating: " ", count: gutter) + " |", .blue)
        var lines = [empty]
        var last: Int?
        for line in Set(marks.map(\.line)).sorted() {
            lines += gap(from: last, to: line, gutter: gutter, width: width, style: style)
            let own = marks.filter { $0.line == line }
            let focus = own.first { $0.label.isPrimary } ?? own[0]
            let display = display(line, around: focus.range, width: width)
            lines.append(numbered(line, display: display, gutter: gutter, style: style))
            for mark in own.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
                lines.append(empty + " " + underline(mark, in: display, style: style))
            }
            last = line
        }
        return lines
    }

    /// A single line left out is shown, several become dots.
    private func gap(
        from last: Int?, to line: Int, gutter: Int, width: Int, style: TerminalStyle
    ) -> [String] {
        guard let last, line > last + 1 else { return [] }
        guard line == last + 2 else { return [style.paint("...", .blue)] }
        let start = file.lineRange(last + 1).lowerBound
        return [
            numbered(
                last + 1, display: display(last + 1, around: start..<start, width: width),
                gutter: gutter, style: style)
        ]
    }

    private func display(_ line: Int, around focus: Range<Int>, width: Int) -> DisplayLine {
        DisplayLine(file, range: file.lineRange(line), around: focus, width: width)
    }

    private func numbered(
        _ line: Int, display: DisplayLine, gutter: Int, style: TerminalStyle
    ) -> String {
        let number = String(line)
        let padding = String(repeating: " ", count: max(0, gutter - number.utf8.count))
        let text = display.text
        return style.paint("\(padding)\(number) |", .blue) + (text.isEmpty ? "" : " " + text)
    }

    private func underline(
        _ mark: Mark, in display: DisplayLine, style: TerminalStyle
    ) -> String {
        let columns = display.columns(of: mark.range)
        let sign = mark.label.isPrimary ? "^" : "-"
        let text = mark.text.isEmpty ? "" : " " + TerminalText.escaped(mark.text)
        return String(repeating: " ", count: columns.lowerBound)
            + style.paint(String(repeating: sign, count: columns.count) + text, mark.label.color)
    }

    private var allMarks: [Mark] { labels.flatMap { marks(of: $0) } }

    /// Of a label over several lines, the first and the last are underlined.
    private func marks(of label: Label) -> [Mark] {
        let start = min(Int(label.span.start), file.bytes.count)
        let end = min(max(start, Int(label.span.end)), file.bytes.count)
        let first = file.line(of: start)
        let last = file.line(of: max(start, end - 1))
        let firstRange = file.lineRange(first)
        guard first != last else {
            let upper = max(start, min(end, firstRange.upperBound))
            return [Mark(line: first, range: start..<upper, text: label.text, label: label)]
        }
        let lastRange = file.lineRange(last)
        var lower = lastRange.lowerBound
        while lower < end, file.bytes[lower] == 0x20 || file.bytes[lower] == 0x09 { lower += 1 }
        let head = start..<max(start, firstRange.upperBound)
        let tail = lower..<max(lower, min(end, lastRange.upperBound))
        return [
            Mark(line: first, range: head, text: "", label: label),
            Mark(line: last, range: tail, text: label.text, label: label),
        ]
    }
}
